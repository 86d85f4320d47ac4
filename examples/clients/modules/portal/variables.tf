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
    condition     = length(setsubtract(try(keys(var.client.data), []), ["host", "app_name", "owner", "package", "addons", "members", "members_as", "branding", "allow_excess", "allow_package_change", "leaving"])) == 0
    error_message = "${var.client.files[0]}: ${join(", ", setsubtract(try(keys(var.client.data), []), ["host", "app_name", "owner", "package", "addons", "members", "members_as", "branding", "allow_excess", "allow_package_change", "leaving"]))}: there is no such key. Keys are ${join(", ", ["host", "app_name", "owner", "package", "addons", "members", "members_as", "branding", "allow_excess", "allow_package_change", "leaving"])}."
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
    condition     = try(var.client.data.owner, null) == null || can([var.client.data.owner.email, var.client.data.owner.first_name, var.client.data.owner.last_name])
    error_message = "${var.client.files[0]}: owner: write email, first_name and last_name."
  }
  validation {
    condition     = try(var.client.data.package, null) == null || can(upper(var.client.data.package))
    error_message = "${var.client.files[0]}: package: write the code of a package."
  }
  validation {
    condition     = try(var.client.data.addons, null) == null || can({ for code, quantity in var.client.data.addons : code => tonumber(quantity) + 0 })
    error_message = "${var.client.files[0]}: addons: write a quantity for each code of an add-on, such as SEATS: 10."
  }
  validation {
    condition     = try(var.client.data.members, null) == null || can({ for email, member in var.client.data.members : email => [member.first_name, member.last_name] })
    error_message = "${var.client.files[0]}: members: write first_name and last_name for each email address."
  }
  validation {
    condition     = try(var.client.data.members_as, null) == null || try(contains(["each", "set"], var.client.data.members_as), false)
    error_message = "${var.client.files[0]}: members_as: write each or set."
  }
  validation {
    condition     = try(var.client.data.leaving, null) == null || try(contains(["suspend", "keep", "release", "deprovision"], var.client.data.leaving), false)
    error_message = "${var.client.files[0]}: leaving: write suspend, keep, release or deprovision."
  }
}

variable "catalog" {
  description = "IDs of packages by code, and codes of add-ons by code. The keys are upper case."
  type = object({
    packages = map(string)
    addons   = map(string)
  })
}
