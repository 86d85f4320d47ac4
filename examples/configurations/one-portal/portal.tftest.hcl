# terraform test applies the whole configuration in the simulator, without an account.

# Data for this command only. Every run of terraform test starts with an empty reseller account.
provider "reseller" {
  simulator = { ephemeral = true }
}

run "a_portal_is_made" {
  assert {
    condition     = reseller_private_label.acme.status == "Active"
    error_message = "The portal is not active."
  }

  assert {
    condition     = output.dns_record.name == "sign.acme.example"
    error_message = "The DNS record is for a different name."
  }

  assert {
    condition     = reseller_assignment.acme.package_code == "STANDARD"
    error_message = "The portal has a different package."
  }

  assert {
    condition     = length(reseller_member.team) == 2
    error_message = "A member is missing."
  }
}
