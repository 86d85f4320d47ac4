terraform {
  required_providers {
    reseller = {
      source = "privatelabels/reseller"
    }
  }
}

# The simulated service inside the provider: no account, no key, no network.
# Nothing here reaches a live portal, and nobody is e-mailed.
provider "reseller" {
  sandbox = {}
}
