# Private labels can use an add-on in addition to their package.
resource "reseller_addon" "seats" {
  code     = "SEATS"
  name     = "Ten more seats"
  currency = "EUR"
}
