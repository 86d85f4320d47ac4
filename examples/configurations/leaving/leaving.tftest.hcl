# Data for this command only, so that each test starts empty.
provider "reseller" {
  simulator = { ephemeral = true }
}

variables {
  clients = {
    harbour = {
      host    = "sign.harbour.example"
      name    = "Harbour Legal"
      owner   = { email = "ines@harbour.example", first_name = "Ines", last_name = "Marlow" }
      members = { "jon@harbour.example" = { first_name = "Jon", last_name = "Adler" } }
      leaving = "release"
    }
    fernwood = {
      host  = "sign.fernwood.example"
      name  = "Fernwood Homes"
      owner = { email = "ruth@fernwood.example", first_name = "Ruth", last_name = "Okafor" }
    }
  }
}

run "two_clients" {
  assert {
    condition     = toset(keys(output.portals)) == toset(["harbour", "fernwood"])
    error_message = "A client is missing."
  }
}

run "harbour_leaves" {
  variables {
    clients = {
      fernwood = {
        host  = "sign.fernwood.example"
        name  = "Fernwood Homes"
        owner = { email = "ruth@fernwood.example", first_name = "Ruth", last_name = "Okafor" }
      }
    }
  }

  assert {
    condition     = output.portals == { fernwood = "https://sign.fernwood.example" }
    error_message = "The portals are of other clients."
  }
}
