# Three clients, each with a private label (a white-labeled signing portal).

terraform {
  required_providers {
    reseller = {
      source = "privatelabels/reseller"
    }
  }
}

provider "reseller" {
  simulator = {} # no account, no API key, no network
}

locals {
  clients = {
    acme  = { name = "Acme", owner = ["Ada", "Lovelace"] }
    bolt  = { name = "Bolt", owner = ["Blaise", "Pascal"] }
    crane = { name = "Crane", owner = ["Carl", "Gauss"] }
  }
}

resource "reseller_private_label" "client" {
  for_each = local.clients

  domain   = "sign.${each.key}.example"
  app_name = "${each.value.name} Sign"
  owner = {
    email      = "${lower(each.value.owner[0])}@${each.key}.example"
    first_name = each.value.owner[0]
    last_name  = each.value.owner[1]
  }
}

output "dns_records" {
  description = "DNS record that each client creates at its DNS provider."
  value = {
    for l in reseller_private_label.client :
    l.domain => "${l.dns_record.type} ${l.dns_record.value}"
  }
}
