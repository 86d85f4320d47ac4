# What the pipelines beside this file plan on request and apply on merge. The
# provider is set by RESELLER_* variables: from the pipeline's secrets, or
# RESELLER_SANDBOX for a try without an account.

terraform {
  required_providers {
    reseller = { source = "privatelabels/reseller" }
  }

  # A backend that locks belongs here: several jobs share one state.
}

provider "reseller" {}

variable "deletion_policy" {
  description = "What a destroy does; PREVENT refuses it."
  type        = string
  default     = "PREVENT"
}

resource "reseller_private_label" "acme" {
  domain          = "sign.acme.example"
  app_name        = "Acme Sign"
  deletion_policy = var.deletion_policy
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }
}
