import {
  to = reseller_member.bob
  id = "sign.acme.example/bob@acme.example" # or private label ID and user ID
}
