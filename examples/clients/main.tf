# Each file in clients/ is a client's portal. A new client is a new file; its keys are those of modules/portal/client.schema.json.
locals {
  clients = {
    for file in fileset(path.module, "clients/[^.]*") : file => try(yamldecode(file("${path.module}/${file}")), null)
  }
  # By host name. The module rejects a host name of two files, and a file that is not a client.
  files = { for file, client in local.clients : try(lower(client.host), file) => file... }
  hosts = data.reseller_private_labels.all.private_labels[*].domain
}

data "reseller_private_labels" "all" {}

module "portal" {
  source   = "./modules/portal"
  for_each = local.files

  client  = { files = each.value, data = local.clients[each.value[0]] }
  catalog = local.catalog
  exists  = contains(local.hosts, each.key) # a new one needs app_name and owner
}

# What each client's DNS administrator has to create.
output "dns_records" {
  value = { for host, portal in module.portal : host => portal.dns_record if !portal.dns_verified }
}
