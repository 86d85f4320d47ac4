# terraform query -generate-config-out=assignments.tf
list "reseller_assignment" "all" {
  provider         = reseller
  include_resource = true
  limit            = 1000
}
