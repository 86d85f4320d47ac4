resource "reseller_private_label" "acme" {
  domain   = "sign.acme.example"
  app_name = "Acme Sign"
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }
}

# Adding a member sends a set-password email.
resource "reseller_member" "bob" {
  private_label_id = reseller_private_label.acme.id
  email            = "bob@acme.example"
  first_name       = "Bob"
  last_name        = "Byte"
}

# Several members from one map. The provider reads them with one API call.
resource "reseller_member" "team" {
  for_each = {
    "grace@acme.example"  = ["Grace", "Hopper"]
    "edsger@acme.example" = ["Edsger", "Dijkstra"]
  }

  private_label_id = reseller_private_label.acme.id
  email            = each.key
  first_name       = each.value[0]
  last_name        = each.value[1]
}
