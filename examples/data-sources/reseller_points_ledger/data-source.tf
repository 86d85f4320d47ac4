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

# The rows as objects. In the simulator, a row also contains amount and createdAt.
output "rows" {
  value = [for row in data.reseller_points_ledger.acme.rows : jsondecode(row.json)]
}

output "used" {
  value = sum(concat([0], [for row in data.reseller_points_ledger.acme.rows : try(jsondecode(row.json).amount, 0)]))
}
