# Those with "seat" in their code or name, deactivated ones too.
data "reseller_addons" "seats" {
  query = "seat"
}

output "how_many" {
  value = data.reseller_addons.seats.total
}
