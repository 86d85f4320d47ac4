provider "reseller" {
  sandbox = {}
}

variables {
  deletion_policy = "ABANDON"
}

run "plans" {
  command = plan

  assert {
    condition     = reseller_private_label.acme.domain == "sign.acme.example"
    error_message = "The plan is for another host."
  }
}

run "applies" {
  assert {
    condition     = reseller_private_label.acme.status == "Active"
    error_message = "The portal is not active."
  }
}
