# The usage of a month. Default: the current month.
data "reseller_usage" "march" {
  period = "2026-03"
}

output "documents" {
  value = lookup(data.reseller_usage.march.totals, "documents", null)
}
