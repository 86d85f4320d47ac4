import {
  to = reseller_domain_verification.acme
  id = "sign.acme.example" # or the private label ID
}
