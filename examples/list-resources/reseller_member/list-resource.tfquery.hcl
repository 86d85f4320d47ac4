# terraform query -generate-config-out=members.tf
list "reseller_member" "acme" {
  provider         = reseller
  include_resource = true
  limit            = 1000

  # Left out, the members of every label are listed: one call a label.
  config {
    private_label_id = "0123456789abcdef0123456789abcdef"
  }
}
