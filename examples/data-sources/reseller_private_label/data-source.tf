resource "reseller_private_label" "acme" {
  domain   = "sign.acme.example"
  app_name = "Acme Sign"
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }
}

# A label by its host name. One that another configuration made is read the
# same way: domain = "sign.acme.example".
data "reseller_private_label" "acme" {
  domain = reseller_private_label.acme.domain
}

output "live" {
  description = "Whether the portal answers on its host."
  value       = data.reseller_private_label.acme.domain_attached && data.reseller_private_label.acme.domain_verified
}

output "members" {
  description = "How many people hold a seat on the label."
  value       = data.reseller_private_label.acme.member_count
}
