# Each file in clients/ and each row of clients.csv is a client's portal. Keys of a file: modules/portal/client.schema.json.
variable "defaults" {
  description = "Keys of clients that do not set them, such as leaving. A test sets app_name and owner for portals that exist."
  type        = any
  default     = {}
}

module "rows" {
  source = "./modules/portal/rows"
  csv    = fileexists("${path.module}/clients.csv") ? { "clients.csv" = file("${path.module}/clients.csv") } : {}
}

locals {
  texts = merge({ for file in fileset(path.module, "clients/**") : file => file("${path.module}/${file}") if !can(regex("/[.]", file)) }, module.rows.texts)
  hosts = { for name, text in local.texts : name => try(trimsuffix(lower(yamldecode(text).host), "."), name) }
  portals = {
    for host, names in { for name, host in local.hosts : host => name... } :
    host => { texts = { for name in names : name => local.texts[name] }, defaults = var.defaults, catalog = local.catalog }
  }
}

module "portal" {
  source   = "./modules/portal"
  for_each = local.portals
  client   = each.value
}

output "dns_records" { # each client's DNS administrator creates one of them
  value = { for host, portal in module.portal : host => portal.dns_records }
}
