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

  # By file, and by host name for a row of clients.csv. Each has a module block in clients.tf, so that a client that fails does not stop others.
  keys    = { for name, host in local.hosts : name => startswith(name, "clients/") ? name : host }
  clients = merge({ for key in local.blocks : key => { key = key, texts = {} } }, [for name, key in local.keys : { (key) = local.portals[local.hosts[name]] }]...)
  blocks = flatten([
    for file in fileset(path.module, "*.tf") : regexall("(?m)^[ \t]*client[ \t]*=[ \t]*local\\.clients\\[\"([^\"]+)\"\\]", file("${path.module}/${file}"))
  ])
  # Blocks are named as an export names them, so that its imports.tf restores a lost state: with a hash where two hosts would have one name.
  named = { for host in distinct(values(local.hosts)) : replace(replace(replace(host, "/[^0-9a-z]/", "_"), "/^_+/", "_"), "/^([0-9])/", "_$1") => host... }
  names = merge([
    for name, hosts in local.named : {
      for host in hosts : host => can(regex(length(hosts) == 1 ? "^[0-9a-z][0-9a-z._-]{0,99}$" : "^[0-9a-z][0-9a-z.]{0,99}$", host)) ? name : "${substr(name, 0, 100)}_${substr(sha256(host), 0, 8)}"
    }
  ]...)
  # The first of several with one host name: the module names all of them.
  without = sort([
    for host, portal in local.portals : local.keys[keys(portal.texts)[0]]
    if length(setintersection([for name in keys(portal.texts) : local.keys[name]], local.blocks)) == 0
  ])
}

output "clients" {
  value = local.hosts

  precondition {
    condition     = length(local.without) == 0
    error_message = "${join(", ", local.without)}: there is no module block. Add these to clients.tf and run terraform init:\n\n${join("\n\n", [for key in local.without : "module \"${local.names[lookup(local.hosts, key, key)]}\" {\n  source = \"./modules/portal\"\n  client = local.clients[\"${key}\"]\n}"])}"
  }
  precondition {
    condition     = length(local.blocks) == length(distinct(local.blocks))
    error_message = "clients.tf has two module blocks of one client: ${join(", ", [for key in distinct(local.blocks) : key if length([for other in local.blocks : other if other == key]) > 1])}. Keep one of them."
  }
}
