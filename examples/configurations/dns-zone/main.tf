# A private label and its DNS record, in the zone of a DNS provider.

terraform {
  required_version = ">= 1.8" # for the function; OpenTofu 1.7

  required_providers {
    reseller = { source = "privatelabels/reseller" }
  }
}

provider "reseller" {
  simulator = {}
}

variable "zone" {
  description = "DNS zone that the host name is in."
  type        = string
  default     = "acme.example"
}

resource "reseller_private_label" "acme" {
  domain   = "sign.acme.example"
  app_name = "Acme Sign"
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }
}

# Replace terraform_data with the record resource of your DNS provider, such as aws_route53_record or cloudflare_dns_record.
# The name comes from domain, which is in the configuration, so the plan shows "sign". All values of dns_record, including
# its name, are known after apply.
resource "terraform_data" "dns_record" {
  input = {
    zone  = var.zone
    name  = provider::reseller::relative_record_name(reseller_private_label.acme.domain, var.zone)
    type  = reseller_private_label.acme.dns_record.type
    value = reseller_private_label.acme.dns_record.value
  }
}

# Waits until the record is visible to the platform.
resource "reseller_domain_verification" "acme" {
  depends_on = [terraform_data.dns_record]

  private_label_id = reseller_private_label.acme.id
}

output "record" {
  description = "The DNS record, as the DNS provider gets it."
  value       = terraform_data.dns_record.output
}
