# The private label of one client, with its package, members, branding and DNS verification.

terraform {
  required_providers {
    reseller = { source = "privatelabels/reseller" }
  }
}

variable "client" {
  description = "The client, as in the root module."
  type = object({
    host   = string
    name   = string
    owner  = object({ email = string, first_name = string, last_name = string })
    seats  = number
    color  = string
    people = map(object({ first_name = string, last_name = string }))
  })
}

variable "package_id" {
  description = "ID of the client's package."
  type        = string
}

variable "seats_addon_code" {
  description = "Code of the add-on with seats."
  type        = string
}

resource "reseller_private_label" "this" {
  domain   = var.client.host
  app_name = var.client.name
  owner    = var.client.owner
}

resource "reseller_assignment" "this" {
  private_label_id = reseller_private_label.this.id
  package_id       = var.package_id
  addons           = var.client.seats == 0 ? {} : { (var.seats_addon_code) = var.client.seats }
}

resource "reseller_member" "this" {
  for_each   = var.client.people
  depends_on = [reseller_assignment.this] # which includes the seats

  private_label_id = reseller_private_label.this.id
  email            = each.key
  first_name       = each.value.first_name
  last_name        = each.value.last_name
}

resource "reseller_branding" "this" {
  domain        = reseller_private_label.this.domain
  color_primary = var.client.color
}

resource "reseller_domain_verification" "this" {
  private_label_id = reseller_private_label.this.id

  timeouts = {
    create = "2h"
  }
}

# The agency sends these outputs to its client.

output "portal_url" {
  description = "URL of the portal. It works once the DNS record exists."
  value       = "https://${reseller_private_label.this.domain}"
}

output "dns_record" {
  description = "DNS record that the client creates at its DNS provider."
  value       = reseller_private_label.this.dns_record
}

output "owner" {
  description = "Owner of the private label, who receives the set-password email."
  value       = "${reseller_private_label.this.owner.first_name} ${reseller_private_label.this.owner.last_name} <${reseller_private_label.this.owner.email}>"
}
