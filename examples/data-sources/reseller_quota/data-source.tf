# What remains of the allowance. An assignment takes from it at once.
data "reseller_quota" "now" {}

output "seats_left" {
  value = lookup(data.reseller_quota.now.remaining, "seats", null)
}
