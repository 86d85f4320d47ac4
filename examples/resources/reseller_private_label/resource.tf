# A private label (a white-labeled signing portal) on the client's own host name.
resource "reseller_private_label" "acme" {
  domain   = "sign.acme.example" # permanent, cannot be reused
  app_name = "Acme Sign"

  # Receives a set-password email.
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }

  support_url   = "https://acme.example/help"
  color_primary = "#00aa44"

  # With PREVENT, the default, destroying the private label fails at plan time.
  deletion_policy = "PREVENT"
}

# The client creates this DNS record. If you manage the zone, create it in the same
# configuration.
output "dns_record" {
  value = reseller_private_label.acme.dns_record
}
