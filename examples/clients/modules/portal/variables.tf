variable "client" {
  description = "The names of the file of a client, more than one if two files have its host name, and what the first one has."
  type        = any

  validation {
    condition     = length(var.client.files) == 1
    error_message = "${join(" and ", var.client.files)}: host: both files have this host name. Keep one of them."
  }
  validation {
    condition     = can(keys(var.client.data))
    error_message = "${var.client.files[0]}: this is not a client. Write YAML with keys such as host, app_name and owner."
  }
  validation {
    condition     = length(setsubtract(try(keys(var.client.data), []), ["host", "app_name", "owner", "at_creation", "package", "addons", "members", "members_as", "branding", "verification", "suspended", "suspend_reason", "allow_excess", "allow_package_change", "leaving"])) == 0
    error_message = "${var.client.files[0]}: ${join(", ", setsubtract(try(keys(var.client.data), []), ["host", "app_name", "owner", "at_creation", "package", "addons", "members", "members_as", "branding", "verification", "suspended", "suspend_reason", "allow_excess", "allow_package_change", "leaving"]))}: there is no such key. Keys are ${join(", ", ["host", "app_name", "owner", "at_creation", "package", "addons", "members", "members_as", "branding", "verification", "suspended", "suspend_reason", "allow_excess", "allow_package_change", "leaving"])}."
  }
  validation {
    condition     = !can(keys(var.client.data)) || can(regex("^[0-9A-Za-z-]+([.][0-9A-Za-z-]+)+$", var.client.data.host))
    error_message = "${var.client.files[0]}: host: write the host name of the portal, such as sign.acme.example."
  }
  validation {
    condition     = try(var.client.data.app_name, null) == null || can(regex("[^ ]", var.client.data.app_name))
    error_message = "${var.client.files[0]}: app_name: write the name of the portal."
  }
  validation {
    condition     = try(var.client.data.owner, null) == null || try(join(" ", keys(var.client.data.owner)) == "email first_name last_name" && can(regex("[^ ]@[^@ ]+$", var.client.data.owner.email)) && can([for text in values(var.client.data.owner) : regex("[^ ]", text)]), false)
    error_message = "${var.client.files[0]}: owner: write email, first_name and last_name, and no other key."
  }
  validation {
    condition     = try(var.client.data.at_creation, null) == null || can({ for name, value in var.client.data.at_creation : name => name == "social_links" ? join(" ", [for link in values(value) : regex("^https?://[^ ]+$", link)]) : regex(startswith(name, "color_") ? "^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$" : "^https?://[^ ]+$", value) if regex("^(support_url|website_url|color_primary|color_accent|social_links)$", name) != null })
    error_message = "${var.client.files[0]}: at_creation: write support_url and website_url with https://, color_primary and color_accent such as \"#0a4\", and social_links as URL by name, and no other key."
  }
  validation {
    condition     = try(var.client.data.package, null) == null || can(regex("[^ ]", var.client.data.package))
    error_message = "${var.client.files[0]}: package: write the code of a package."
  }
  validation {
    condition     = try(var.client.data.addons, null) == null || try(var.client.data.addons == "unmanaged", false) || can({ for code, quantity in var.client.data.addons : upper(code) => regex("^[1-9][0-9]*$", quantity) })
    error_message = "${var.client.files[0]}: addons: write a whole number of 1 or more for each code of an add-on, such as SEATS: 10, and each code once, or unmanaged."
  }
  validation {
    condition     = try(length(keys(var.client.data.addons)), 0) == 0 || try(var.client.data.package, null) != null
    error_message = "${var.client.files[0]}: addons: a client without a package has no add-ons. Write package, or remove them."
  }
  validation {
    condition     = try(var.client.data.members, null) == null || can({ for email, member in var.client.data.members : lower(email) => [for text in values(member) : regex("[^ ]", text)] if regex("[^ ]@[^@ ]+$", email) != null && regex("^first_name last_name$", join(" ", keys(member))) != null })
    error_message = "${var.client.files[0]}: members: write first_name and last_name, and no other key, for each email address, and each address once."
  }
  validation {
    condition     = try(var.client.data.members_as, null) == null || try(contains(["each", "set"], var.client.data.members_as), false)
    error_message = "${var.client.files[0]}: members_as: write each or set."
  }
  validation {
    condition     = try(var.client.data.branding, null) == null || can({ for name, value in var.client.data.branding : name => regex(endswith(name, "logo_path") || name == "reapply_trigger" ? "[^ ]" : "^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$", value) if regex("^(color_(primary|accent)(_foreground)?|color_(app_bar|footer)_background|(banner_)?logo_path|reapply_trigger)$", name) != null })
    error_message = "${var.client.files[0]}: branding: write colors such as color_primary: \"#0a4\", and paths of logos. Keys are color_primary, color_primary_foreground, color_accent, color_accent_foreground, color_app_bar_background, color_footer_background, logo_path, banner_logo_path, reapply_trigger."
  }
  validation {
    condition     = try(var.client.data.verification, null) == null || try(var.client.data.verification == "none", false) || (try(length(setsubtract(keys(var.client.data.verification), ["required", "timeout"])) == 0, false) && (try(var.client.data.verification.required, null) == null || can(var.client.data.verification.required && true)) && (try(var.client.data.verification.timeout, null) == null || can(regex("^([0-9.]+(ms|s|m|h))+$", var.client.data.verification.timeout))))
    error_message = "${var.client.files[0]}: verification: write none, or required (true or false) and timeout, such as 30m."
  }
  validation {
    condition     = try(var.client.data.suspended, null) == null || can(var.client.data.suspended && true)
    error_message = "${var.client.files[0]}: suspended: write true or false."
  }
  validation {
    condition     = try(var.client.data.suspend_reason, null) == null || can(regex("[^ ]", var.client.data.suspend_reason)) && try(var.client.data.suspended == true, false)
    error_message = "${var.client.files[0]}: suspend_reason: write why, beside suspended: true."
  }
  validation {
    condition     = try(var.client.data.allow_excess, null) == null || can({ for item, most in var.client.data.allow_excess : regex("^(?:documents|seats|templates|notarizations)$", item) => regex("^[0-9]+([.][0-9]+)?$", most) })
    error_message = "${var.client.files[0]}: allow_excess: write a number of 0 or more for documents, seats, templates or notarizations."
  }
  validation {
    condition     = try(var.client.data.allow_package_change, null) == null || can(var.client.data.allow_package_change && true)
    error_message = "${var.client.files[0]}: allow_package_change: write true or false."
  }
  validation {
    condition     = try(var.client.data.leaving, null) == null || try(contains(["suspend", "keep", "release", "deprovision"], var.client.data.leaving), false) || can({ for of, policy in var.client.data.leaving : of => regex(of == "private_label" ? "^(PREVENT|SUSPEND|ABANDON|DEPROVISION)$" : "^(REMOVE|ABANDON|PREVENT)$", policy) if regex("^(private_label|assignment|members)$", of) != null })
    error_message = "${var.client.files[0]}: leaving: write suspend, keep, release or deprovision, or the deletion_policy of private_label, assignment and members."
  }
}

variable "catalog" {
  description = "IDs of packages by code, and codes of add-ons by code. The keys are upper case."
  type = object({
    packages = map(string)
    addons   = map(string)
  })
}

variable "exists" {
  description = "Whether the portal exists. A new one needs app_name and owner."
  type        = bool
}
