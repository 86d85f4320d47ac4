variable "host" {
  description = "Host name of the portal. It is permanent and cannot be reused."
  type        = string
}

variable "name" {
  description = "App name. It cannot be changed later."
  type        = string
}

variable "owner" {
  description = "Owner of the private label, who receives a set-password email. It cannot be changed later."
  type        = object({ email = string, first_name = string, last_name = string })
}

variable "support_url" {
  description = "URL of the client's help page. It cannot be changed later."
  type        = string
  default     = null
}

variable "package_id" {
  description = "ID of the client's package."
  type        = string
}

variable "addons" {
  description = "Add-ons on top of the package: code to quantity. Add-ons that are attached elsewhere are detached."
  type        = map(number)
  default     = {}
}

variable "allow_excess" {
  description = "The maximum excess over the reseller's allowance by item, such as { seats = 25 }. null permits none."
  type        = map(number)
  default     = null
}

variable "members" {
  description = "Members by email address. Each new one receives a set-password email."
  type        = map(object({ first_name = string, last_name = string }))
  default     = {}
}

variable "colors" {
  description = "Colors of the portal, #rgb or #rrggbb. Those that are omitted keep their value."
  type = object({
    primary            = optional(string)
    primary_foreground = optional(string)
    accent             = optional(string)
    accent_foreground  = optional(string)
    app_bar_background = optional(string)
    footer_background  = optional(string)
  })
  default = {}
}

variable "logo_path" {
  description = "Path of the logo: PNG, JPEG, GIF or SVG. null sends none."
  type        = string
  default     = null
}

variable "dns_timeout" {
  description = "Longest time that an apply waits for the client's DNS record, such as 2h. null does not wait."
  type        = string
  default     = "30m"
}

variable "leaving" {
  description = "What removing the client does: suspend, keep, release or deprovision. null returns an error at plan time. Apply it before you remove the client."
  type        = string
  default     = null

  validation {
    condition     = contains(["suspend", "keep", "release", "deprovision"], coalesce(var.leaving, "keep"))
    error_message = "Set leaving to suspend, keep, release or deprovision, or omit it."
  }
}
