# Writes an import block for each object of a reseller. Requires Terraform 1.6 or
# OpenTofu 1.12, or later: terraform apply, then terraform output -raw imports > ../adopt/imports.tf

data "reseller_private_labels" "all" {}
data "reseller_packages" "all" {}
data "reseller_addons" "all" {}

data "reseller_members" "of" {
  for_each         = { for l in data.reseller_private_labels.all.private_labels : l.domain => l.id }
  private_label_id = each.value
}

locals {
  labels = data.reseller_private_labels.all.private_labels
  found = concat(
    [for l in local.labels : { type = "reseller_private_label", name = l.domain, id = l.id }],
    [for l in local.labels : { type = "reseller_assignment", name = l.domain, id = l.id } if l.assigned_package != null],
    [for p in data.reseller_packages.all.packages : { type = "reseller_package", name = p.code, id = p.id }],
    [for a in data.reseller_addons.all.addons : { type = "reseller_addon", name = a.code, id = a.id }],
    flatten([for host, of in data.reseller_members.of : [
      for m in of.members : { type = "reseller_member", name = "${host}_${m.email}", id = "${of.private_label_id}/${m.id}" }
    ]]),
  )

  # Names that Terraform allows. Equal names are numbered below.
  ids = {
    for f in local.found : "${f.type}.${replace(replace(lower(f.name), "/[^a-z0-9]/", "_"), "/^([0-9])/", "_$1")}" => f.id...
  }
}

output "imports" {
  value = join("\n", flatten([for address, ids in local.ids : [
    for i, id in ids : "import {\n  to = ${address}${i == 0 ? "" : "_${i + 1}"}\n  id = \"${id}\"\n}\n"
  ]]))
}
