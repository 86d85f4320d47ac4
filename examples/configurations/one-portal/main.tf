# One private label (a white-labeled signing portal) with a package, two members
# and branding.

terraform {
  required_providers {
    reseller = { source = "privatelabels/reseller" }
  }
}

# In the simulator, no API call leaves this machine. For the live API, remove `simulator` and set RESELLER_BASE_URL, RESELLER_UPLOAD_URL and RESELLER_API_KEY.
provider "reseller" {
  simulator = {}
}

variable "host" {
  description = "Host name of the portal. It is permanent and cannot be reused."
  type        = string
  default     = "sign.acme.example"
}

resource "reseller_private_label" "acme" {
  domain      = var.host
  app_name    = "Acme Sign"
  support_url = "https://acme.example/help"
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }
}

resource "reseller_package" "standard" {
  code     = "STANDARD"
  name     = "Standard"
  currency = "EUR"
}

resource "reseller_assignment" "acme" {
  private_label_id = reseller_private_label.acme.id
  package_id       = reseller_package.standard.id
}

resource "reseller_member" "team" {
  for_each = {
    "grace@acme.example" = ["Grace", "Hopper"]
    "mary@acme.example"  = ["Mary", "Shelley"]
  }

  private_label_id = reseller_private_label.acme.id
  email            = each.key
  first_name       = each.value[0]
  last_name        = each.value[1]
}

resource "reseller_branding" "acme" {
  domain                   = reseller_private_label.acme.domain
  color_primary            = "#0b5d3b"
  color_primary_foreground = "#fff"
}

output "dns_record" {
  description = "DNS record that the client creates at its DNS provider."
  value       = reseller_private_label.acme.dns_record
}
