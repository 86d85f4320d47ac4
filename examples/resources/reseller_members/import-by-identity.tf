import {
  to = reseller_members.acme
  identity = {
    private_label_id = "0123456789abcdef0123456789abcdef"
  }
}
