terraform {
  required_providers {
    reseller = {
      source = "privatelabels/reseller"
    }
  }
}

locals {
  file    = var.client.files[0]
  client  = var.client.data
  package = try(upper(local.client.package), null)
  addons  = try({ for code, quantity in local.client.addons : upper(code) => quantity }, {})
  members = try({ for email, member in local.client.members : email => member }, {})
  set     = try(local.client.members_as, null) == "set"

  # What a destroy does to the private label, and to its package and members. null is the default of each resource.
  policies = {
    suspend     = { label = "SUSPEND", rest = "REMOVE" }
    keep        = { label = "ABANDON", rest = "ABANDON" }
    release     = { label = "ABANDON", rest = "REMOVE" }
    deprovision = { label = "DEPROVISION", rest = "REMOVE" }
  }
  policy = try(local.policies[local.client.leaving], { label = null, rest = null })
}

resource "reseller_private_label" "this" {
  domain          = local.client.host
  app_name        = try(local.client.app_name, null)
  owner           = try(local.client.owner, null)
  deletion_policy = local.policy.label
}

resource "reseller_assignment" "this" {
  count = local.package == null ? 0 : 1

  private_label_id     = reseller_private_label.this.id
  package_id           = lookup(var.catalog.packages, local.package, null)
  addons               = { for code, quantity in local.addons : lookup(var.catalog.addons, code, code) => quantity }
  allow_excess         = try(local.client.allow_excess, null)
  allow_package_change = try(local.client.allow_package_change, null)
  deletion_policy      = local.policy.rest

  lifecycle {
    precondition {
      condition     = contains(keys(var.catalog.packages), local.package)
      error_message = "${local.file}: package: the catalog has no package ${local.package}. It has ${join(", ", keys(var.catalog.packages))}."
    }
    precondition {
      condition     = length(setsubtract(keys(local.addons), keys(var.catalog.addons))) == 0
      error_message = "${local.file}: addons: the catalog has no add-on ${join(", ", setsubtract(keys(local.addons), keys(var.catalog.addons)))}."
    }
  }
}

resource "reseller_member" "this" {
  for_each   = { for email, member in local.members : email => member if !local.set }
  depends_on = [reseller_assignment.this] # which includes the seats

  private_label_id = reseller_private_label.this.id
  email            = each.key
  first_name       = each.value.first_name
  last_name        = each.value.last_name
  deletion_policy  = local.policy.rest
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
  logo_path                = try("${path.root}/${local.client.branding.logo_path}", null)
  banner_logo_path         = try("${path.root}/${local.client.branding.banner_logo_path}", null)
}

# Looks once, and does not wait. A portal that exists already, whose app_name is not known, needs no look.
resource "reseller_domain_verification" "this" {
  count = try(local.client.app_name, null) == null ? 0 : 1

  private_label_id = reseller_private_label.this.id
  required         = false
  timeouts         = { create = "0s" }
}
