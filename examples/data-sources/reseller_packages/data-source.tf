# What can be given to labels now.
data "reseller_packages" "active" {
  active = true
}

output "codes" {
  value = data.reseller_packages.active.packages[*].code
}
