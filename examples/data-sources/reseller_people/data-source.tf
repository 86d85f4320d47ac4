resource "reseller_private_label" "acme" {
  domain   = "sign.acme.example"
  app_name = "Acme Sign"
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }
}

# The private labels of a user. The API returns at most 50 matches.
data "reseller_people" "ada" {
  query  = "ada@acme.example"
  domain = reseller_private_label.acme.domain
}

output "hosts" {
  value = [for p in data.reseller_people.ada.people : p.domain]
}
