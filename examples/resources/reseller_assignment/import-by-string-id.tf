import {
  to = reseller_assignment.acme
  id = "sign.acme.example" # or the private label ID
}
