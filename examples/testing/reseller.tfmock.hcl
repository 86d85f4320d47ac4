# Values of a mocked provider. The IDs have the form of the API's: 32 lowercase hex characters.

mock_resource "reseller_private_label" {
  defaults = {
    id              = "00000000000000000000000000000001"
    status          = "Active"
    domain_attached = true
    domain_verified = false
    dns_record      = { type = "CNAME", name = "sign.garage.example", value = "portals.example" }
  }
}

mock_resource "reseller_package" {
  defaults = { id = "00000000000000000000000000000002" }
}

mock_resource "reseller_addon" {
  defaults = { id = "00000000000000000000000000000003" }
}

mock_resource "reseller_member" {
  defaults = { id = "00000000000000000000000000000004", role = "member" }
}

mock_data "reseller_private_label" {
  defaults = { id = "00000000000000000000000000000001" }
}

mock_data "reseller_package" {
  defaults = { id = "00000000000000000000000000000002" }
}

mock_data "reseller_addon" {
  defaults = { id = "00000000000000000000000000000003" }
}
