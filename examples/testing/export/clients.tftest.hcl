# Plans all clients of an export in the simulator. A portal that exists has neither app_name nor owner in its file, and this
# simulator has no portal: all of them are new.

provider "reseller" {
  simulator = { ephemeral = true }
}

variables {
  defaults = {
    app_name = "Test"
    owner    = { email = "test@agency.example", first_name = "Test", last_name = "Owner" }
  }
}

run "clients" {
  command = plan

  assert {
    condition     = length(local.portals) > 0
    error_message = "There are no clients."
  }
}
