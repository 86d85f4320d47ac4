import {
  to = reseller_addon.seats
  id = "SEATS" # or the ID
}
