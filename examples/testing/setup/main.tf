# What exists before the configuration. A test's simulator starts empty.

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
