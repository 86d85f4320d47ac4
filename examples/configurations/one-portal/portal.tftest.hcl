# terraform test: the whole configuration in the sandbox, with no account.

variables {
  # `terraform test` destroys what it made, which PREVENT refuses.
  deletion_policy = "ABANDON"
}

run "a_portal_is_made" {
  assert {
    condition     = reseller_private_label.acme.status == "Active"
    error_message = "The portal is not active."
  }

  assert {
    condition     = output.dns_record.name == "sign.acme.example"
    error_message = "The DNS record is for another name."
  }

  assert {
    condition     = reseller_assignment.acme.package_code == "STANDARD"
    error_message = "The portal has another package."
  }

  assert {
    condition     = length(reseller_member.team) == 2
    error_message = "Somebody is missing."
  }
}
