terraform {
  required_providers {
    reseller = { source = "privatelabels/reseller" }
  }
}

provider "reseller" {
  # The live API requires an API key for each of its two APIs:
  #
  #   base_url = "https://api.example"    # and RESELLER_API_KEY
  #   signing  = {
  #     url = "https://sign.example"      # and RESELLER_SIGNING_API_KEY
  #   }
  simulator = {}
}

locals {
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }
}

resource "reseller_private_label" "acme" {
  domain   = "sign.acme.example"
  app_name = "Acme Sign"
  owner    = local.owner
}

resource "reseller_document" "terms" {
  domain      = reseller_private_label.acme.domain
  owner_email = local.owner.email
  title       = "Terms of ${reseller_private_label.acme.app_name}"
  file_path   = "${path.module}/terms.pdf"

  signers = [{
    email      = local.owner.email
    first_name = local.owner.first_name
    last_name  = local.owner.last_name
    annotations = [
      { type = "Name", content = "${local.owner.first_name} ${local.owner.last_name}", style = { x = 50, y = 640, width = 200, height = 20, page = 1, font_size = "12pt" } },
      { type = "Signature", content = "Signature", style = { x = 50, y = 700, width = 120, height = 40, page = 1 } },
    ]
  }]
  additional_message = "Welcome to Acme Sign. Please sign the terms before your people begin."
}

output "document" {
  value = reseller_document.terms.id
}
