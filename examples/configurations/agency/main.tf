# An agency calls one module once for each client.

terraform {
  required_providers {
    reseller = { source = "privatelabels/reseller" }
  }
}

provider "reseller" {
  simulator = {}
}

variable "clients" {
  description = "The agency's clients by a short name that never changes. client/variables.tf describes the values."
  type = map(object({
    host    = string
    name    = string
    owner   = object({ email = string, first_name = string, last_name = string })
    plan    = string # code of the package
    seats   = optional(number, 0)
    color   = string
    members = optional(map(object({ first_name = string, last_name = string })), {})
    leaving = optional(string)
  }))
  default = {
    harbour = {
      host  = "sign.harbour.example"
      name  = "Harbour Legal"
      owner = { email = "ines@harbour.example", first_name = "Ines", last_name = "Marlow" }
      plan  = "LARGE"
      seats = 2
      color = "#14418b"
      members = {
        "theo@harbour.example" = { first_name = "Theo", last_name = "Brandt" }
      }
    }
    fernwood = {
      host  = "sign.fernwood.example"
      name  = "Fernwood Homes"
      owner = { email = "ruth@fernwood.example", first_name = "Ruth", last_name = "Okafor" }
      plan  = "SMALL"
      color = "#0b5d3b"
    }
  }
}

resource "reseller_package" "plan" {
  for_each = { SMALL = "Small", LARGE = "Large" }

  code     = each.key
  name     = each.value
  currency = "EUR"
}

resource "reseller_addon" "seats" {
  code     = "SEATS"
  name     = "Five more seats"
  currency = "EUR"
}

module "client" {
  source   = "./client"
  for_each = var.clients

  host        = each.value.host
  name        = each.value.name
  owner       = each.value.owner
  package_id  = reseller_package.plan[each.value.plan].id
  addons      = each.value.seats == 0 ? {} : { (reseller_addon.seats.code) = each.value.seats }
  members     = each.value.members
  colors      = { primary = each.value.color }
  dns_timeout = "2h"
  leaving     = each.value.leaving
}

output "clients" {
  description = "For each client, the portal's URL, the DNS record to create, and the owner."
  value = {
    for name, c in module.client : name => {
      portal_url = c.portal_url
      dns_record = c.dns_record
      owner      = c.owner
    }
  }
}
