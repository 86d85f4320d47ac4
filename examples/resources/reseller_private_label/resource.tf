# A private label (a white-labeled signing portal) with a host name of the client.
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

  # What a destroy does. PREVENT, the default, returns an error at plan time.
  deletion_policy = "PREVENT"
}

# The DNS record that the client creates. Print it, or create it with a DNS
# provider in the same configuration.
output "dns_record" {
  value = reseller_private_label.acme.dns_record
}
