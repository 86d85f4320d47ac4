import {
  to = reseller_assignment.acme
  id = "sign.acme.example" # or the tenant id
}
