# A mocked provider plans nothing: it tests the expressions of a configuration, without an account and without the rules of the
# provider.

mock_provider "reseller" {
  source = "./"
}

run "expressions" {
  assert {
    condition     = reseller_assignment.garage.package_id == data.reseller_package.basic.id
    error_message = "The portal has another package."
  }
  assert {
    condition     = output.dns_record.type == "CNAME"
    error_message = "The client gets no DNS record."
  }
}
