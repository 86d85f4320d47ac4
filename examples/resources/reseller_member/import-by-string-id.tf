import {
  to = reseller_member.bob
  id = "sign.acme.example/bob@acme.example" # tenant id and user id do, too
}
