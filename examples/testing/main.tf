# A portal in its own state. Its package is in the catalog of a different state.

terraform {
  required_providers {
    reseller = { source = "privatelabels/reseller" }
  }
}

provider "reseller" {}

data "reseller_package" "basic" {
  code = "BASIC"
}

resource "reseller_private_label" "garage" {
  domain   = "sign.garage.example"
  app_name = "Garage"
  owner    = { email = "ida@garage.example", first_name = "Ida", last_name = "Ignition" }
}

resource "reseller_assignment" "garage" {
  private_label_id = reseller_private_label.garage.id
  package_id       = data.reseller_package.basic.id
}

resource "reseller_member" "otto" {
  private_label_id = reseller_private_label.garage.id
  email            = "otto@garage.example"
  first_name       = "Otto"
  last_name        = "Motor"
  depends_on       = [reseller_assignment.garage]
}

output "dns_record" {
  value = reseller_private_label.garage.dns_record
}
