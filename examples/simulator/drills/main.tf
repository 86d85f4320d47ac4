terraform {
  required_providers {
    reseller = { source = "privatelabels/reseller" }
  }
}

provider "reseller" {
  simulator = {}
}

resource "reseller_private_label" "acme" {
  domain   = "sign.acme.example"
  app_name = "Acme Sign"
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }
  suspended = var.suspended
}

variable "suspended" {
  type    = bool
  default = null
}

resource "reseller_package" "gold" {
  code     = "GOLD"
  name     = "Gold"
  currency = "EUR"
  settings = { included = { documents = 100 } }
}

resource "reseller_addon" "seats" {
  code     = "SEATS"
  name     = "Seats"
  settings = { included = { seats = 2 } }
}

resource "reseller_addon" "documents" {
  code     = "DOCUMENTS"
  name     = "Documents"
  settings = { included = { documents = 1 } }
}

variable "seats" {
  type    = number
  default = 1
}

resource "reseller_assignment" "acme" {
  private_label_id = reseller_private_label.acme.id
  package_id       = reseller_package.gold.id
  addons           = { (reseller_addon.seats.code) = var.seats }
}

resource "reseller_members" "acme" {
  private_label_id = reseller_private_label.acme.id
  members          = { "bob@acme.example" = { first_name = "Bob", last_name = "Byte" } }
  depends_on       = [reseller_assignment.acme] # whose add-on has the seats
}

resource "reseller_domain_verification" "acme" {
  private_label_id = reseller_private_label.acme.id
  required         = false
  timeouts         = { create = "0s" }
}

output "dns" {
  value = reseller_domain_verification.acme.problem
}
