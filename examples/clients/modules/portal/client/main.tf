# Reads the YAML of a client, and rejects what only a file can have wrong. What a host name, an address or a color is, the provider
# decides.
variable "client" {
  description = "The texts of the client by file name, more than one if several have its host name; defaults, and the catalog."
  type        = any
}

variable "file" {
  description = "Name of the file."
  type        = string
}

locals {
  decoded = yamldecode(var.client.texts[var.file])
  text    = var.client.texts[var.file]
  given   = { for key in try(keys(local.decoded), []) : key => local.decoded[key] if local.decoded[key] != null }
  data    = merge(var.client.defaults, local.given)
  catalog = var.client.catalog

  keys = {
    owner        = ["email", "first_name", "last_name"]
    at_creation  = ["support_url", "website_url", "color_primary", "color_accent", "social_links"]
    branding     = ["color_primary", "color_primary_foreground", "color_accent", "color_accent_foreground", "color_app_bar_background", "color_footer_background", "logo_path", "banner_logo_path", "reapply_trigger"]
    verification = ["required", "timeout"]
    leaving      = ["private_label", "assignment", "members"]
  }
  all      = ["host", "app_name", "owner", "at_creation", "package", "addons", "members", "members_as", "branding", "verification", "suspended", "suspend_reason", "allow_excess", "allow_package_change", "leaving"]
  sections = { for name in keys(local.keys) : name => local.data[name] if can(keys(local.data[name])) }
  members  = { for email in try(keys(local.data.members), []) : email => local.data.members[email] }
  addons   = { for code in try(keys(local.data.addons), []) : code => local.data.addons[code] }

  # Texts by where they are. YAML reads No, 007 and a date as other types; a date is a text again in another form.
  texts = merge(
    { for key in ["host", "app_name", "package", "suspend_reason"] : key => local.data[key] if try(local.data[key], null) != null },
    merge([for name in ["owner", "at_creation", "branding"] : { for key, value in try(local.sections[name], {}) : "${name}: ${key}" => value if key != "social_links" && value != null }]...),
    { for key in try(keys(local.data.at_creation.social_links), []) : "at_creation: social_links: ${key}" => local.data.at_creation.social_links[key] },
    merge([for email, member in local.members : { for key in try(keys(member), []) : "members: ${email}: ${key}" => member[key] if member[key] != null }]...),
    { for key in ["timeout"] : "verification: ${key}" => local.data.verification[key] if try(local.data.verification[key], null) != null },
  )
  misread = [
    for at, value in local.texts : at
    if !try(value == tostring(value), false) || can(regex("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$", value)) && !can(regex(try(value, ""), local.text))
  ]

  # Keys in block style as the file spells them, with their indentation. yamldecode takes the last of equal ones.
  key    = "(\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\n]|'')*'|[^\\s#\"'{\\[][^\n]*?)[ \t]*:(?:[ \t\r]|$)"
  blocks = merge({ top = local.text }, { for name in ["members", "addons"] : name => try(regex("(?m)^${name}[ \t]*:[ \t\r]*(?:#[^\n]*)?\n((?:[ \t]*(?:#[^\n]*)?\r?\n|[ ]+[^\n]*(?:\n|$))*)", local.text)[0], "") })
  raw    = { for name, block in local.blocks : name => flatten(regexall("(?m)^${try(regex("(?m)^([ ]*)[^\\s#]", block)[0], "")}${local.key}", block)) }
  spelled = {
    for name, found in local.raw : name => [
      for key in found : startswith(key, "\"") ? try(jsondecode(key), key) : startswith(key, "'") ? replace(trimsuffix(trimprefix(key, "'"), "'"), "''", "'") : key
    ]
  }
  read = { top = keys(local.given), members = keys(local.members), addons = keys(local.addons) }

  problems = concat(
    can(keys(local.decoded)) ? [] : ["this is not a client. Write YAML with keys such as host, app_name and owner."],
    length(var.client.texts) == 1 ? [] : ["host: these have the same host name. Keep one of them."],
    [for key in setsubtract(keys(local.data), local.all) : "${key}: there is no such key. Keys are ${join(", ", local.all)}."],
    flatten([for name, section in local.sections : [for key in setsubtract(keys(section), local.keys[name]) : "${name}: ${key}: there is no such key. Keys are ${join(", ", local.keys[name])}."]]),
    flatten([for name, found in local.spelled : [for key in distinct(found) : "${name == "top" ? "" : "${name}: "}${key}: this key is there twice. Keep one of them." if length([for other in found : other if other == key]) > 1]]),
    flatten([for name in ["members", "addons"] : [for key in local.raw[name] : "${name}: ${key}: YAML reads this key as another type than text. Write it in quotes." if can(regex("^[0-9A-Za-z.+~-]", key)) && !contains(local.read[name], key)] if length([for other in local.spelled.top : other if other == name]) < 2]),
    [for at in local.misread : "${at}: write a text. YAML reads words such as No, numbers and dates as other types, so put it in quotes."],

    try(local.data.host, null) == null && can(keys(local.decoded)) ? ["host: write the host name of the portal, such as sign.acme.example."] : [],
    contains(keys(local.data), "owner") && !can([for key in local.keys.owner : coalesce(tostring(local.data.owner[key]))]) ? ["owner: write email, first_name and last_name."] : [],
    [for name in ["at_creation", "branding"] : "${name}: write keys with values. Keys are ${join(", ", local.keys[name])}." if contains(keys(local.data), name) && !can(local.sections[name])],
    [
      for key in try(keys(local.decoded), []) : "${key}: this key is empty. Write ${contains(["members", "addons"], key) ? "{} for none" : "a value"}, or remove the key."
      if key != "host" && contains(local.all, key) && local.decoded[key] == null
    ],
    flatten([for name in ["at_creation", "branding"] : [
      for key, value in try(local.sections[name], {}) : "${name}: ${key}: this key is empty. Write a value, in quotes if it begins with #, or remove the key." if value == null
    ]]),
    contains(keys(local.data), "members") && !can(keys(local.data.members)) ? ["members: write first_name and last_name for each email address."] : [],
    [for email, member in local.members : "members: ${email}: write first_name and last_name, and no other key." if !try(join(" ", keys(member)) == "first_name last_name" && member.first_name != null && member.last_name != null, false)],
    can({ for email, member in local.members : lower(email) => member }) ? [] : ["members: write each email address once. Case makes no difference."],
    try(contains(["each", "set"], local.data.members_as), !contains(keys(local.data), "members_as")) ? [] : ["members_as: write each or set."],
    contains(keys(local.data), "addons") && !can(keys(local.data.addons)) && !try(local.data.addons == "unmanaged", false) ? ["addons: write a quantity for each code, such as SEATS: 10, or unmanaged."] : [],
    [for code, quantity in local.addons : "addons: ${code}: write a quantity, which is a number." if !can(tonumber(quantity) + 0)],
    can({ for code, quantity in local.addons : upper(code) => quantity }) ? [] : ["addons: write each code once. Case makes no difference."],
    length(local.addons) > 0 && try(local.data.package, null) == null ? ["addons: a client without a package has no add-ons. Write package, or remove them."] : [],
    try(contains(keys(local.catalog.packages), upper(local.data.package)), true) ? [] : ["package: the catalog has no package ${upper(local.data.package)}. It has ${join(", ", keys(local.catalog.packages))}."],
    [for code in keys(local.addons) : "addons: the catalog has no add-on ${upper(code)}. It has ${join(", ", keys(local.catalog.addons))}." if !contains(keys(local.catalog.addons), upper(code))],
    [for at, value in { suspended = try(local.data.suspended, false), allow_package_change = try(local.data.allow_package_change, false), "verification: required" = try(coalesce(local.data.verification.required), false) } : "${at}: write true or false." if !can(tobool(value))],
    can({ for item, most in local.data.allow_excess : item => tonumber(most) + 0 }) || !contains(keys(local.data), "allow_excess") ? [] : ["allow_excess: write a number for documents, seats, templates or notarizations."],
    contains(keys(local.data), "verification") && !can(local.sections.verification) && !try(local.data.verification == "none", false) ? ["verification: write none, or required and timeout."] : [],
    contains(keys(local.data), "leaving") && !can(local.sections.leaving) && !try(contains(["suspend", "keep", "release", "deprovision"], local.data.leaving), false) ? ["leaving: write suspend, keep, release or deprovision, or the deletion_policy of private_label, assignment and members."] : [],
  )
}

output "client" {
  value = local.data

  precondition {
    condition     = length(local.problems) == 0
    error_message = join("\n", [for problem in local.problems : "${join(" and ", keys(var.client.texts))}: ${problem}"])
  }
}
