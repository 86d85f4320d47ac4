# An agency's staff are members of every client's private label: one line adds or removes a person everywhere.

terraform {
  required_providers {
    reseller = { source = "privatelabels/reseller" }
  }
}

provider "reseller" {
  simulator = {}
}

variable "staff" {
  description = "The agency's staff. Removing a line removes the person from every client's private label."
  type        = map(object({ first_name = string, last_name = string }))
  default = {
    "mira@agency.example" = { first_name = "Mira", last_name = "Falk" }
    "theo@agency.example" = { first_name = "Theo", last_name = "Brandt" }
  }
}

variable "clients" {
  description = "The agency's clients by a short name that never changes, each with its own members."
  type = map(object({
    host    = string
    name    = string
    owner   = object({ email = string, first_name = string, last_name = string })
    members = optional(map(object({ first_name = string, last_name = string })), {})
  }))
  default = {
    harbour = {
      host  = "sign.harbour.example"
      name  = "Harbour Legal"
      owner = { email = "ines@harbour.example", first_name = "Ines", last_name = "Marlow" }
      members = {
        "jon@harbour.example" = { first_name = "Jon", last_name = "Adler" }
      }
    }
    fernwood = {
      host  = "sign.fernwood.example"
      name  = "Fernwood Homes"
      owner = { email = "ruth@fernwood.example", first_name = "Ruth", last_name = "Okafor" }
    }
  }
}

resource "reseller_private_label" "client" {
  for_each = var.clients

  domain   = each.value.host
  app_name = each.value.name
  owner    = each.value.owner
}

resource "reseller_members" "client" {
  for_each = var.clients

  private_label_id = reseller_private_label.client[each.key].id
  members          = merge(var.staff, each.value.members)
}

output "members" {
  description = "Members of each client's private label."
  value       = { for name, set in reseller_members.client : name => keys(set.user_ids) }
}
