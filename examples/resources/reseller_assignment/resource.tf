resource "reseller_private_label" "acme" {
  domain   = "sign.acme.example"
  app_name = "Acme Sign"
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }
}

resource "reseller_package" "gold" {
  code     = "GOLD"
  name     = "Gold"
  currency = "EUR"
}

resource "reseller_addon" "seats" {
  code     = "SEATS"
  name     = "Ten more seats"
  currency = "EUR"
}

# The label's package counts for the whole billing period, from the moment it
# is assigned.
resource "reseller_assignment" "acme" {
  private_label_id = reseller_private_label.acme.id
  package_id       = reseller_package.gold.id

  # All add-ons of the private label: code = quantity. {} is none; if omitted, add-ons are not managed.
  addons = {
    (reseller_addon.seats.code) = 2
  }

  # The most this label may take beyond the reseller's allowance. Without it,
  # nothing is written that would exceed it.
  allow_excess = { seats = 25 }
}
