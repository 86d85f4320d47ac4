resource "reseller_private_label" "sign_acme_example" {
  domain = "sign.acme.example"
}

resource "reseller_assignment" "sign_acme_example" {
  private_label_id = reseller_private_label.sign_acme_example.id
  package_id       = reseller_package.gold.id
  addons = {
    (reseller_addon.seats.code) = 10
  }
}

resource "reseller_member" "sign_acme_example" {
  for_each = {
    "bob@acme.example"  = { first_name = "Bob", last_name = "Byte" }
    "cora@acme.example" = { first_name = "Cora", last_name = "Cypher" }
  }

  private_label_id = reseller_private_label.sign_acme_example.id
  email            = each.key
  first_name       = each.value.first_name
  last_name        = each.value.last_name
}
