resource "reseller_private_label" "acme" {
  domain   = "sign.acme.example"
  app_name = "Acme Sign"
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }
}

# All members of the private label, the owner first.
data "reseller_members" "acme" {
  private_label_id = reseller_private_label.acme.id
}

output "administrators" {
  value = [for m in data.reseller_members.acme.members : m.email if m.is_owner]
}
