# The packages that private labels can get now.
data "reseller_packages" "active" {
  active = true
}

output "codes" {
  value = data.reseller_packages.active.packages[*].code
}
