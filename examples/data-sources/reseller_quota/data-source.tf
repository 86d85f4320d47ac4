# The remaining allowance. An assignment reduces it immediately.
data "reseller_quota" "now" {}

output "seats_left" {
  value = lookup(data.reseller_quota.now.remaining, "seats", null)
}
