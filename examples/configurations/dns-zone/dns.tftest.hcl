# Data for this command only. Every run of terraform test starts with an empty reseller account.
provider "reseller" {
  simulator = { ephemeral = true }
}

run "name_is_known_at_plan" {
  command = plan

  assert {
    condition     = terraform_data.dns_record.input.name == "sign"
    error_message = "The plan does not show the name of the record."
  }
}

run "record_is_as_the_api_wants_it" {
  assert {
    condition     = output.record.name == "sign" && output.record.type == "CNAME"
    error_message = "The record differs."
  }

  assert {
    condition     = "${output.record.name}.${output.record.zone}" == reseller_private_label.acme.dns_record.name
    error_message = "The name of the record differs from the one in the API."
  }

  assert {
    condition     = reseller_domain_verification.acme.domain == "sign.acme.example"
    error_message = "Another host name was verified."
  }
}
