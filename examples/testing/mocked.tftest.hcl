# A mocked provider plans nothing: it tests the expressions of a configuration, without an account and without the rules of the
# provider.

mock_provider "reseller" {
  # The IDs have the form of the API's: 32 lowercase hex characters.
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
}

run "expressions" {
  assert {
    condition     = reseller_assignment.garage.package_id == data.reseller_package.basic.id
    error_message = "The portal has a different package."
  }
  assert {
    condition     = output.dns_record.type == "CNAME"
    error_message = "The client gets no DNS record."
  }
}
