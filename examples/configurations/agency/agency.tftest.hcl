variables {
  deletion_policy = "ABANDON" # what `terraform test` destroys
}

run "two_clients" {
  assert {
    condition     = length(output.dns_records) == 2
    error_message = "A client is missing."
  }

  assert {
    condition     = output.dns_records["harbour"].type == "CNAME"
    error_message = "A host below a domain gets a CNAME."
  }
}

run "a_third_one" {
  variables {
    clients = {
      harbour = {
        host   = "sign.harbour.example"
        name   = "Harbour Legal"
        owner  = { email = "ines@harbour.example", first_name = "Ines", last_name = "Marlow" }
        plan   = "LARGE"
        seats  = 2
        colour = "#14418b"
      }
      kestrel = {
        host   = "sign.kestrel.example"
        name   = "Kestrel Air"
        owner  = { email = "sam@kestrel.example", first_name = "Sam", last_name = "Adeyemi" }
        plan   = "SMALL"
        colour = "#a3262a"
      }
    }
  }

  assert {
    condition     = toset(keys(output.dns_records)) == toset(["harbour", "kestrel"])
    error_message = "The clients are others."
  }
}
