import {
  to = reseller_package.gold
  identity = {
    id = "0123456789abcdef0123456789abcdef"
  }
}
