# What a label can be given on top of its package.
resource "reseller_addon" "seats" {
  code     = "SEATS"
  name     = "Ten more seats"
  currency = "EUR" # the same as that of the packages it goes with
}
