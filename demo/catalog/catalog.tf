# The packages, add-ons and assignments of the three clients.

variable "allow_excess" {
  description = "The maximum excess over the allowance for Crane."
  type        = map(number)
  default     = {}
}

resource "reseller_package" "plan" {
  for_each = { BASIC = { templates = 10 }, LARGE = { documents = 20000 } }

  code     = each.key
  name     = title(lower(each.key))
  currency = "EUR"
  settings = { included = each.value }
}

resource "reseller_addon" "seats" {
  code     = "SEATS"
  name     = "Five more seats"
  currency = "EUR"
  settings = { included = { seats = 5 } }
}

resource "reseller_assignment" "client" {
  for_each = { acme = "BASIC", bolt = "BASIC", crane = "LARGE" }

  private_label_id = reseller_private_label.client[each.key].id
  package_id       = reseller_package.plan[each.value].id
  addons           = each.key == "acme" ? { (reseller_addon.seats.code) = 2 } : {}
  allow_excess     = each.key == "crane" ? var.allow_excess : null
}
