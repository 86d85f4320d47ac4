# 100 private labels from one block.

terraform {
  required_providers {
    reseller = {
      source = "privatelabels/reseller"
    }
  }
}

provider "reseller" {
  simulator = { path = "many.json" }
}

variable "labels" {
  type    = number
  default = 100
}

resource "reseller_private_label" "client" {
  for_each = toset([for i in range(var.labels) : format("client-%03d", i + 1)])

  domain   = "sign.${each.key}.example"
  app_name = "Portal of ${each.key}"
  owner = {
    email      = "owner@${each.key}.example"
    first_name = "Olivia"
    last_name  = "Owner"
  }
}
