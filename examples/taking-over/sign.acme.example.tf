resource "reseller_private_label" "sign_acme_example" {
  domain = "sign.acme.example"
}

resource "reseller_assignment" "sign_acme_example" {
  private_label_id = reseller_private_label.sign_acme_example.id
  package_id       = reseller_package.gold.id
  addons = {
    (reseller_addon.seats.code) = 10
  }
}

resource "reseller_domain_verification" "sign_acme_example" {
  private_label_id = reseller_private_label.sign_acme_example.id
}

resource "reseller_member" "sign_acme_example" {
  for_each = {
    "bob@acme.example"  = { first_name = "Bob", last_name = "Byte" }
    "cora@acme.example" = { first_name = "Cora", last_name = "Cypher" }
  }

  private_label_id = reseller_private_label.sign_acme_example.id
  email            = each.key
  first_name       = each.value.first_name
  last_name        = each.value.last_name
}

import {
  to = reseller_private_label.sign_acme_example
  id = "45cdddb76a5ec9983b092e6d6ce90e48"
}

import {
  to = reseller_assignment.sign_acme_example
  id = "45cdddb76a5ec9983b092e6d6ce90e48"
}

import {
  to = reseller_domain_verification.sign_acme_example
  id = "45cdddb76a5ec9983b092e6d6ce90e48"
}

import {
  to = reseller_member.sign_acme_example["bob@acme.example"]
  id = "45cdddb76a5ec9983b092e6d6ce90e48/70ffbc4f84831fcc57b54dc4a5bb5504"
}

import {
  to = reseller_member.sign_acme_example["cora@acme.example"]
  id = "45cdddb76a5ec9983b092e6d6ce90e48/1700fc91783f26ea00df18ae728de388"
}
