# Add-ons with "seat" in their code or name, including deactivated ones.
data "reseller_addons" "seats" {
  query = "seat"
}

output "how_many" {
  value = data.reseller_addons.seats.total
}
