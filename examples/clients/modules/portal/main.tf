terraform {
  required_providers {
    reseller = {
      source = "privatelabels/reseller"
    }
  }
}

module "client" {
  source = "./client"
  client = var.client
  file   = keys(var.client.texts)[0]
}

locals {
  client  = module.client.client
  catalog = var.client.catalog
  package = try(upper(local.client.package), null)
  addons  = try(local.client.addons, null) == "unmanaged" ? null : try({ for code, quantity in local.client.addons : upper(code) => quantity }, {})
  members = try({ for email, member in local.client.members : email => member }, {})
  set     = try(local.client.members_as, null) == "set"

  # What a destroy does to the private label, and to its package and members. null is the default of each resource.
  leaving = try(local.client.leaving, null)
  policies = {
    suspend     = { private_label = "SUSPEND", assignment = "REMOVE", members = "REMOVE" }
    keep        = { private_label = "ABANDON", assignment = "ABANDON", members = "ABANDON" }
    release     = { private_label = "ABANDON", assignment = "REMOVE", members = "REMOVE" }
    deprovision = { private_label = "DEPROVISION", assignment = "REMOVE", members = "REMOVE" }
  }
  policy = { for name in ["private_label", "assignment", "members"] : name => try(local.policies[local.leaving][name], local.leaving[name], null) }

  # An existing portal, whose app_name is not known, needs no DNS check.
  verification = try(local.client.verification, null)
  looks        = local.verification == null ? try(local.client.app_name, null) != null : can(keys(local.verification))
}

resource "reseller_private_label" "this" {
  domain          = local.client.host
  app_name        = try(local.client.app_name, null)
  owner           = try(local.client.owner, null)
  support_url     = try(local.client.at_creation.support_url, null)
  website_url     = try(local.client.at_creation.website_url, null)
  color_primary   = try(local.client.at_creation.color_primary, null)
  color_accent    = try(local.client.at_creation.color_accent, null)
  social_links    = try(local.client.at_creation.social_links, null)
  suspended       = try(local.client.suspended, null)
  suspend_reason  = try(local.client.suspend_reason, null)
  deletion_policy = local.policy.private_label
}

resource "reseller_assignment" "this" {
  count = local.package == null ? 0 : 1

  private_label_id     = reseller_private_label.this.id
  package_id           = lookup(local.catalog.packages, local.package, null)
  addons               = local.addons == null ? null : { for code, quantity in local.addons : lookup(local.catalog.addons, code, code) => quantity }
  allow_excess         = try(local.client.allow_excess, null)
  allow_package_change = try(local.client.allow_package_change, null)
  deletion_policy      = local.policy.assignment
}

resource "reseller_member" "this" {
  for_each   = { for email, member in local.members : email => member if !local.set }
  depends_on = [reseller_assignment.this] # which includes the seats

  private_label_id = reseller_private_label.this.id
  email            = each.key
  first_name       = each.value.first_name
  last_name        = each.value.last_name
  deletion_policy  = local.policy.members
}

resource "reseller_members" "this" {
  count      = local.set ? 1 : 0
  depends_on = [reseller_assignment.this]

  private_label_id = reseller_private_label.this.id
  members          = local.members
}

resource "reseller_branding" "this" {
  count = try(local.client.branding, null) == null ? 0 : 1

  domain                   = reseller_private_label.this.domain
  color_primary            = try(local.client.branding.color_primary, null)
  color_primary_foreground = try(local.client.branding.color_primary_foreground, null)
  color_accent             = try(local.client.branding.color_accent, null)
  color_accent_foreground  = try(local.client.branding.color_accent_foreground, null)
  color_app_bar_background = try(local.client.branding.color_app_bar_background, null)
  color_footer_background  = try(local.client.branding.color_footer_background, null)
  logo_path                = try(local.client.branding.logo_path, null)
  banner_logo_path         = try(local.client.branding.banner_logo_path, null)
  reapply_trigger          = try(local.client.branding.reapply_trigger, null)
}

# Checks DNS, and waits only if verification requires it.
resource "reseller_domain_verification" "this" {
  count = local.looks ? 1 : 0

  private_label_id = reseller_private_label.this.id
  required         = local.verification == null ? false : try(local.verification.required, null)
  timeouts         = local.verification == null ? { create = "0s" } : try({ create = local.verification.timeout }, null)
}
