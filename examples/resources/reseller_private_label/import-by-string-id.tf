import {
  to = reseller_private_label.acme
  id = "sign.acme.example" # or the private label ID
}
