resource "reseller_addon" "seats" {
  code     = "SEATS"
  name     = "Ten more seats"
  currency = "EUR"
}

# By code, in any case, or by ID.
data "reseller_addon" "seats" {
  code = reseller_addon.seats.code
}
