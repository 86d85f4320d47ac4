import {
  to = reseller_branding.acme
  identity = {
    domain = "sign.acme.example"
  }
}
