resource "reseller_private_label" "acme" {
  domain   = "sign.acme.example"
  app_name = "Acme Sign"
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }
}

# The newest rows of a private label's points ledger.
data "reseller_points_ledger" "acme" {
  private_label_id = reseller_private_label.acme.id
  item_code        = "documents"
  limit            = 20
}
