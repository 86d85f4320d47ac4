resource "reseller_package" "gold" {
  code     = "GOLD"
  name     = "Gold"
  currency = "EUR"
}

# By code, in any case, or by ID.
data "reseller_package" "gold" {
  code = reseller_package.gold.code
}

output "gold" {
  value = "${data.reseller_package.gold.name} (${data.reseller_package.gold.currency})"
}
