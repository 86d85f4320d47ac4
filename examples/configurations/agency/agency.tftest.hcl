# Data for this command only. Every run of terraform test starts with an empty reseller account.
provider "reseller" {
  simulator = { ephemeral = true }
}

run "two_clients" {
  assert {
    condition     = length(output.clients) == 2
    error_message = "A client is missing."
  }

  assert {
    condition     = output.clients["harbour"].portal_url == "https://sign.harbour.example"
    error_message = "The portal has a different URL."
  }

  assert {
    condition     = output.clients["harbour"].dns_record.type == "CNAME" && output.clients["harbour"].dns_record.name == "sign.harbour.example"
    error_message = "A host name below a domain needs a CNAME."
  }

  assert {
    condition     = output.clients["harbour"].owner == "Ines Marlow <ines@harbour.example>"
    error_message = "The private label has a different owner."
  }
}

# Fernwood may leave, and Harbour's only member leaves.
run "fernwood_may_leave" {
  variables {
    clients = {
      harbour = {
        host  = "sign.harbour.example"
        name  = "Harbour Legal"
        owner = { email = "ines@harbour.example", first_name = "Ines", last_name = "Marlow" }
        plan  = "LARGE"
        seats = 2
        color = "#14418b"
      }
      fernwood = {
        host    = "sign.fernwood.example"
        name    = "Fernwood Homes"
        owner   = { email = "ruth@fernwood.example", first_name = "Ruth", last_name = "Okafor" }
        plan    = "SMALL"
        color   = "#0b5d3b"
        leaving = "release"
      }
    }
  }

  assert {
    condition     = length(output.clients) == 2
    error_message = "Nobody leaves before the client is removed."
  }
}

run "fernwood_leaves_and_kestrel_joins" {
  variables {
    clients = {
      harbour = {
        host  = "sign.harbour.example"
        name  = "Harbour Legal"
        owner = { email = "ines@harbour.example", first_name = "Ines", last_name = "Marlow" }
        plan  = "LARGE"
        seats = 2
        color = "#14418b"
      }
      kestrel = {
        host  = "sign.kestrel.example"
        name  = "Kestrel Air"
        owner = { email = "sam@kestrel.example", first_name = "Sam", last_name = "Adeyemi" }
        plan  = "SMALL"
        color = "#a3262a"
      }
    }
  }

  assert {
    condition     = toset(keys(output.clients)) == toset(["harbour", "kestrel"])
    error_message = "The outputs are of other clients."
  }
}

run "unknown_way_to_leave" {
  command = plan

  module {
    source = "./client"
  }

  variables {
    host       = "sign.lumen.example"
    name       = "Lumen Clinics"
    owner      = { email = "mira@lumen.example", first_name = "Mira", last_name = "Sato" }
    package_id = "0123456789abcdef0123456789abcdef"
    leaving    = "destroy"
  }

  expect_failures = [var.leaving]
}
