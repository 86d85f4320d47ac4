# The usage of a month; of the current month if omitted.
data "reseller_usage" "march" {
  period = "2026-03"
}

output "documents" {
  value = lookup(data.reseller_usage.march.totals, "documents", null)
}
