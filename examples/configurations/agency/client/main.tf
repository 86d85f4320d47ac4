# The private label of one client, with its package, members, branding and DNS verification. Copy this directory.

terraform {
  required_providers {
    reseller = { source = "privatelabels/reseller" }
  }
}

locals {
  # What removing the client does to the private label, its package and its members. null is the default of each resource: until
  # leaving is set and applied, a plan that removes the client fails.
  policies = {
    stays       = { label = null, package = null, members = null }
    suspend     = { label = "SUSPEND", package = "REMOVE", members = "REMOVE" }
    keep        = { label = "ABANDON", package = "ABANDON", members = "ABANDON" }
    release     = { label = "ABANDON", package = "REMOVE", members = "REMOVE" }
    deprovision = { label = "DEPROVISION", package = "REMOVE", members = "REMOVE" }
  }
  policy = local.policies[coalesce(var.leaving, "stays")]
}

resource "reseller_private_label" "this" {
  domain          = var.host
  app_name        = var.name
  owner           = var.owner
  support_url     = var.support_url
  deletion_policy = local.policy.label
}

resource "reseller_assignment" "this" {
  private_label_id = reseller_private_label.this.id
  package_id       = var.package_id
  addons           = var.addons
  allow_excess     = var.allow_excess
  deletion_policy  = local.policy.package
}

resource "reseller_member" "this" {
  for_each   = var.members
  depends_on = [reseller_assignment.this] # which includes the seats

  private_label_id = reseller_private_label.this.id
  email            = each.key
  first_name       = each.value.first_name
  last_name        = each.value.last_name
  deletion_policy  = local.policy.members
}

resource "reseller_branding" "this" {
  domain                   = reseller_private_label.this.domain
  color_primary            = var.colors.primary
  color_primary_foreground = var.colors.primary_foreground
  color_accent             = var.colors.accent
  color_accent_foreground  = var.colors.accent_foreground
  color_app_bar_background = var.colors.app_bar_background
  color_footer_background  = var.colors.footer_background
  logo_path                = var.logo_path
}

resource "reseller_domain_verification" "this" {
  count = var.dns_timeout == null ? 0 : 1

  private_label_id = reseller_private_label.this.id

  timeouts = {
    create = var.dns_timeout
  }
}
