# What was used in a month; the current one if left out.
data "reseller_usage" "march" {
  period = "2026-03"
}

output "documents" {
  value = lookup(data.reseller_usage.march.totals, "documents", 0)
}
