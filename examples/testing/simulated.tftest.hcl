# The simulator plans and applies as with the API. Its data ends with the command.

provider "reseller" {
  simulator = { ephemeral = true }
}

run "catalog" {
  module {
    source = "./setup"
  }
}

run "portal" {
  assert {
    condition     = reseller_assignment.garage.package_code == "BASIC"
    error_message = "The portal has a different package."
  }
  assert {
    condition     = reseller_member.otto.role == "member"
    error_message = "Otto is not a member."
  }
}
