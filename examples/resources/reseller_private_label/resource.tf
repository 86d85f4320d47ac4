# A signing portal for one client, on a host of the client's own.
resource "reseller_private_label" "acme" {
  domain   = "sign.acme.example" # permanent: choose it with care
  app_name = "Acme Sign"

  # Gets an e-mail with a link to set a password.
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }

  support_url   = "https://acme.example/help"
  color_primary = "#00aa44"

  # What a destroy may do. PREVENT, the default, refuses it at plan.
  deletion_policy = "PREVENT"
}

# The one DNS record that the client has to create. Hand it to the DNS
# provider of your choice in the same configuration, or print it.
output "dns_record" {
  value = reseller_private_label.acme.dns_record
}
