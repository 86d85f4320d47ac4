import {
  to = reseller_package.gold
  id = "GOLD" # or the ID
}
