resource "reseller_private_label" "acme" {
  domain   = "sign.acme.example"
  app_name = "Acme Sign"
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }
}

# All members with the role member. If you remove a line, the apply removes the member, who is signed out immediately.
resource "reseller_members" "acme" {
  private_label_id = reseller_private_label.acme.id
  members = {
    "bob@acme.example"    = { first_name = "Bob", last_name = "Byte" }
    "edsger@acme.example" = { first_name = "Edsger", last_name = "Dijkstra" }
    "grace@acme.example"  = { first_name = "Grace", last_name = "Hopper" }
  }
}
