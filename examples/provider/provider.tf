terraform {
  required_providers {
    reseller = {
      source = "privatelabels/reseller"
    }
  }
}

# The simulator inside the provider: no account, no key, no network.
# Nothing here reaches the live API, and no email is sent.
provider "reseller" {
  sandbox = {}
}
