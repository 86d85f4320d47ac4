# An item that private labels can get in addition to their package.
resource "reseller_addon" "seats" {
  code     = "SEATS"
  name     = "Ten more seats"
  currency = "EUR"
}
