# leaving sets the deletion policies of one client, so that a client can leave in one of four ways.

terraform {
  required_providers {
    reseller = { source = "privatelabels/reseller" }
  }
}

provider "reseller" {
  simulator = {}
}

variable "clients" {
  description = "The agency's clients by a short name that never changes. leaving controls what removing the client does. With null, the resources have their default policies, and the plan fails."
  type = map(object({
    host    = string
    name    = string
    owner   = object({ email = string, first_name = string, last_name = string })
    members = optional(map(object({ first_name = string, last_name = string })), {})
    leaving = optional(string)
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

locals {
  # What a destroy does to the private label, and to its package and members.
  policies = {
    suspend     = { label = "SUSPEND", rest = "REMOVE" }
    keep        = { label = "ABANDON", rest = "ABANDON" }
    release     = { label = "ABANDON", rest = "REMOVE" }
    deprovision = { label = "DEPROVISION", rest = "REMOVE" }
  }
  policy = {
    for name, c in var.clients : name => c.leaving == null ? { label = null, rest = null } : local.policies[c.leaving]
  }
  members = merge([
    for name, c in var.clients : { for email, member in c.members : "${name}/${email}" => merge(member, { client = name, email = email }) }
  ]...)
}

resource "reseller_package" "standard" {
  code     = "STANDARD"
  name     = "Standard"
  currency = "EUR"
}

resource "reseller_private_label" "client" {
  for_each = var.clients

  domain          = each.value.host
  app_name        = each.value.name
  owner           = each.value.owner
  deletion_policy = local.policy[each.key].label
}

resource "reseller_assignment" "client" {
  for_each = var.clients

  private_label_id = reseller_private_label.client[each.key].id
  package_id       = reseller_package.standard.id
  deletion_policy  = local.policy[each.key].rest
}

resource "reseller_member" "client" {
  for_each   = local.members
  depends_on = [reseller_assignment.client] # which includes the seats

  private_label_id = reseller_private_label.client[each.value.client].id
  email            = each.value.email
  first_name       = each.value.first_name
  last_name        = each.value.last_name
  deletion_policy  = local.policy[each.value.client].rest
}

output "portals" {
  description = "URL of each client's portal."
  value       = { for name, label in reseller_private_label.client : name => "https://${label.domain}" }
}
