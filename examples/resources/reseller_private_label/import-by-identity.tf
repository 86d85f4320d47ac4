import {
  to = reseller_private_label.acme
  identity = {
    id = "0123456789abcdef0123456789abcdef"
  }
}
