# Data for this command only, so that each test starts empty.
provider "reseller" {
  simulator = { ephemeral = true }
}

run "all_staff" {
  assert {
    condition     = output.members["harbour"] == tolist(["jon@harbour.example", "mira@agency.example", "theo@agency.example"])
    error_message = "The staff or the client's own member is missing."
  }

  assert {
    condition     = output.members["fernwood"] == tolist(["mira@agency.example", "theo@agency.example"])
    error_message = "The staff is missing."
  }
}

run "theo_leaves" {
  variables {
    staff = {
      "mira@agency.example" = { first_name = "Mira", last_name = "Falk" }
    }
  }

  assert {
    condition     = output.members["harbour"] == tolist(["jon@harbour.example", "mira@agency.example"])
    error_message = "Theo is still a member, or a different member left."
  }

  assert {
    condition     = output.members["fernwood"] == tolist(["mira@agency.example"])
    error_message = "Theo is still a member, or a different member left."
  }
}
