# terraform query -generate-config-out=addons.tf
list "reseller_addon" "all" {
  provider         = reseller
  include_resource = true
}
