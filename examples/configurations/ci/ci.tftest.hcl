# Data for this command only. Every run of terraform test starts with an empty reseller account.
provider "reseller" {
  simulator = { ephemeral = true }
}

run "plans" {
  command = plan

  assert {
    condition     = reseller_private_label.acme.domain == "sign.acme.example"
    error_message = "The plan is for a different host name."
  }
}

run "applies" {
  assert {
    condition     = reseller_private_label.acme.status == "Active"
    error_message = "The portal is not active."
  }
}
