resource "reseller_private_label" "acme" {
  domain   = "sign.acme.example"
  app_name = "Acme Sign"
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }
}

# The record to create at the DNS provider, as an output or as the argument of
# another provider's resource:
output "dns_record" {
  value = reseller_private_label.acme.dns_record
}

# Waits until the DNS record is correct. Resources that need a live portal depend on this one.
resource "reseller_domain_verification" "acme" {
  private_label_id = reseller_private_label.acme.id

  timeouts = {
    create = "2h"
  }
}
