# terraform query -generate-config-out=members.tf
list "reseller_member" "acme" {
  provider         = reseller
  include_resource = true
  limit            = 1000

  # If omitted, the list contains the members of all private labels, with one API call for each.
  config {
    private_label_id = "0123456789abcdef0123456789abcdef"
  }
}
