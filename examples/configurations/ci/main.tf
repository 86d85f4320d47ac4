# The pipelines in this directory plan this configuration on request and apply it on
# merge. RESELLER_* variables configure the provider. Set them from the pipeline's
# secrets, or set RESELLER_SIMULATOR to try it without an account.

terraform {
  required_providers {
    reseller = { source = "privatelabels/reseller" }
  }

  # Add a backend that supports locking, because several jobs share one state.
}

provider "reseller" {}

resource "reseller_private_label" "acme" {
  domain   = "sign.acme.example"
  app_name = "Acme Sign"
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }
}
