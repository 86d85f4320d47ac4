import {
  to = reseller_addon.seats
  identity = {
    id = "0123456789abcdef0123456789abcdef"
  }
}
