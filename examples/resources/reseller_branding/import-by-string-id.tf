import {
  to = reseller_branding.acme
  id = "sign.acme.example"
}
