resource "reseller_private_label" "acme" {
  domain   = "sign.acme.example"
  app_name = "Acme Sign"
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }
}

# A private label by its host name. If a different configuration manages it, write
# domain = "sign.acme.example".
data "reseller_private_label" "acme" {
  domain = reseller_private_label.acme.domain
}

output "live" {
  description = "Whether the portal is live on its host name."
  value       = data.reseller_private_label.acme.domain_attached && data.reseller_private_label.acme.domain_verified
}

output "members" {
  description = "Number of members, including the owner."
  value       = data.reseller_private_label.acme.member_count
}
