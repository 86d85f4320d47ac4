# Imports all objects of a reseller. Requires Terraform 1.7 or later.

data "reseller_private_labels" "all" {}
data "reseller_packages" "all" {}
data "reseller_addons" "all" {}

data "reseller_private_label" "of" {
  for_each = { for l in data.reseller_private_labels.all.private_labels : l.domain => l.id }
  id       = each.value
}

data "reseller_members" "of" {
  for_each         = { for l in data.reseller_private_labels.all.private_labels : l.domain => l.id }
  private_label_id = each.value
}

locals {
  packages = { for p in data.reseller_packages.all.packages : p.code => p }
  addons   = { for a in data.reseller_addons.all.addons : a.code => a }
  assigned = { for host, l in data.reseller_private_label.of : host => l if l.assignment != null }
  people = merge([
    for host, found in data.reseller_members.of : {
      for m in found.members : "${host}/${m.email}" => merge(m, { label = found.private_label_id })
    }
  ]...)
}

import {
  for_each = data.reseller_private_label.of
  to       = reseller_private_label.client[each.key]
  id       = each.value.id
}

resource "reseller_private_label" "client" {
  for_each = data.reseller_private_label.of
  domain   = each.key
}

import {
  for_each = local.packages
  to       = reseller_package.plan[each.key]
  id       = each.value.id
}

resource "reseller_package" "plan" {
  for_each = local.packages
  code     = each.key
  name     = each.value.name
  currency = each.value.currency
  active   = each.value.active
}

import {
  for_each = local.addons
  to       = reseller_addon.extra[each.key]
  id       = each.value.id
}

resource "reseller_addon" "extra" {
  for_each = local.addons
  code     = each.key
  name     = each.value.name
  currency = each.value.currency
  active   = each.value.active
}

import {
  for_each = local.assigned
  to       = reseller_assignment.client[each.key]
  id       = each.value.id
}

resource "reseller_assignment" "client" {
  for_each         = local.assigned
  private_label_id = each.value.id
  package_id       = each.value.assignment.package_id
  addons           = { for a in each.value.assignment.addons : a.code => a.quantity }
}

import {
  for_each = local.people
  to       = reseller_member.person[each.key]
  id       = "${each.value.label}/${each.value.id}"
}

resource "reseller_member" "person" {
  for_each         = local.people
  private_label_id = each.value.label
  email            = each.value.email
  first_name       = each.value.first_name
  last_name        = each.value.last_name
}
