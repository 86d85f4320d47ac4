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
  settings = { included = { documents = 500, seats = 10 } }
}

resource "reseller_addon" "seats" {
  code     = "SEATS"
  name     = "Ten more seats"
  currency = "EUR"
  settings = { included = { seats = 10 } }
}

# The package is billed for the entire billing period, even if you remove it the
# same day.
resource "reseller_assignment" "acme" {
  private_label_id = reseller_private_label.acme.id
  package_id       = reseller_package.gold.id

  # All add-ons of the private label, by code. {} detaches all.
  addons = {
    (reseller_addon.seats.code) = 2
  }

  # The maximum excess over the reseller's allowance. Without it, an assignment
  # that exceeds the allowance fails.
  allow_excess = { seats = 25 }
}
