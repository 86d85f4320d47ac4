# Active packages, which can be assigned to private labels.
data "reseller_packages" "active" {
  active = true
}

output "codes" {
  value = data.reseller_packages.active.packages[*].code
}
