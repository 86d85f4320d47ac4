# Writes an import block for all that the reseller has. Works from Terraform 1.5
# on: terraform apply, then terraform output -raw imports > ../adopt/imports.tf

data "reseller_private_labels" "all" {}
data "reseller_packages" "all" {}
data "reseller_addons" "all" {}

data "reseller_members" "of" {
  for_each         = { for l in data.reseller_private_labels.all.private_labels : l.domain => l.id }
  private_label_id = each.value
}

locals {
  ids = merge(
    { for l in data.reseller_private_labels.all.private_labels : "reseller_private_label.${replace(l.domain, "/[^a-z0-9]/", "_")}" => l.id },
    { for p in data.reseller_packages.all.packages : "reseller_package.${replace(lower(p.code), "/[^a-z0-9]/", "_")}" => p.id },
    { for a in data.reseller_addons.all.addons : "reseller_addon.${replace(lower(a.code), "/[^a-z0-9]/", "_")}" => a.id },
    { for l in data.reseller_private_labels.all.private_labels : "reseller_assignment.${replace(l.domain, "/[^a-z0-9]/", "_")}" => l.id if l.assigned_package != null },
    merge([
      for host, found in data.reseller_members.of : {
        for m in found.members : "reseller_member.${replace("${host}_${m.email}", "/[^a-z0-9]/", "_")}" => "${found.private_label_id}/${m.id}"
      }
    ]...),
  )
}

output "imports" {
  value = join("\n", [for address, id in local.ids : "import {\n  to = ${address}\n  id = \"${id}\"\n}\n"])
}
