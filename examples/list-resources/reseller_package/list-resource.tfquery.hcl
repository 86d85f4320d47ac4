# terraform query -generate-config-out=packages.tf
list "reseller_package" "all" {
  provider         = reseller
  include_resource = true
}
