import {
  to = reseller_private_label.acme
  id = "sign.acme.example" # or the tenant id
}
