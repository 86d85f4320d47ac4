terraform {
  required_providers {
    reseller = {
      source = "privatelabels/reseller"
    }
  }
}

# The simulator in the provider needs no account, no API key and no network.
# No call reaches the live API, and no email is sent.
provider "reseller" {
  simulator = {}
}
