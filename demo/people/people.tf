# Members, branding and DNS verification of the private labels.

variable "logos" {
  description = "Directory of the clients' logos."
  type        = string
}

locals {
  people = {
    "grace@acme.example" = { client = "acme", name = ["Grace", "Hopper"] }
    "mary@acme.example"  = { client = "acme", name = ["Mary", "Shelley"] }
    "sofia@bolt.example" = { client = "bolt", name = ["Sofia", "Kovalevskaya"] }
  }
  looks = {
    acme  = { main = "#0b5d3b", accent = "#8a4f00" }
    bolt  = { main = "#14418b", accent = "#a3262a" }
    crane = { main = "#5b2a86", accent = "#00695c" }
  }
}

resource "reseller_member" "person" {
  for_each = local.people

  private_label_id = reseller_private_label.client[each.value.client].id
  email            = each.key
  first_name       = each.value.name[0]
  last_name        = each.value.name[1]
}

resource "reseller_branding" "client" {
  for_each = local.looks

  domain                   = reseller_private_label.client[each.key].domain
  color_primary            = each.value.main
  color_primary_foreground = "#fff"
  color_accent             = each.value.accent
  color_accent_foreground  = "#fff"
  logo_path                = "${var.logos}/${each.key}-logo.png"
  banner_logo_path         = "${var.logos}/${each.key}-banner.png"
}

# Waits until the client's DNS record is correct.
resource "reseller_domain_verification" "client" {
  for_each = local.looks

  private_label_id = reseller_private_label.client[each.key].id
}

data "reseller_members" "client" {
  for_each = reseller_domain_verification.client

  private_label_id = each.value.id
  depends_on       = [reseller_member.person]
}

output "live" {
  description = "Live private labels with their members."
  value = {
    for client, verified in reseller_domain_verification.client :
    verified.domain => join(", ", [for m in data.reseller_members.client[client].members : "${m.first_name} (${m.role})"])
  }
}
