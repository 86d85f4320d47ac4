# Imports what exists, once. Delete this file after the apply: a block of a member or client who leaves later fails each plan.
# Terraform 1.16.0 uses only the first import block of an address, so each address has one, with for_each where it is needed.
# Terraform before 1.7 does not support for_each here ("Unsupported argument"). For these versions, export with -terraform 1.5.

import {
  to = reseller_package.gold
  id = "33b45355915e0d2dabbf1031b95a2300"
}

import {
  to = reseller_addon.seats
  id = "5e54666fdcfe2a085a2827ca3ab0c547"
}

import {
  to = reseller_private_label.sign_acme_example
  id = "45cdddb76a5ec9983b092e6d6ce90e48"
}

import {
  to = reseller_assignment.sign_acme_example
  id = "45cdddb76a5ec9983b092e6d6ce90e48"
}

import {
  for_each = {
    "bob@acme.example"  = "45cdddb76a5ec9983b092e6d6ce90e48/70ffbc4f84831fcc57b54dc4a5bb5504"
    "cora@acme.example" = "45cdddb76a5ec9983b092e6d6ce90e48/1700fc91783f26ea00df18ae728de388"
  }

  to = reseller_member.sign_acme_example[each.key]
  id = each.value
}
