import {
  to = reseller_members.acme
  id = "sign.acme.example" # or the private label ID
}
