# terraform query -generate-config-out=labels.tf
list "reseller_private_label" "active" {
  provider         = reseller
  include_resource = true
  limit            = 1000

  config {
    status = "Active"
  }
}
