# What exists before the configuration: the simulator of a test begins empty.

terraform {
  required_providers {
    reseller = { source = "privatelabels/reseller" }
  }
}

resource "reseller_package" "basic" {
  code     = "BASIC"
  name     = "Basic"
  currency = "EUR"
}
