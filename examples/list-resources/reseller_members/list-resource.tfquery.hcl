# terraform query -generate-config-out=members.tf
list "reseller_members" "all" {
  provider         = reseller
  include_resource = true
  limit            = 1000
}
