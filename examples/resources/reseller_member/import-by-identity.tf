import {
  to = reseller_member.bob
  identity = {
    private_label_id = "0123456789abcdef0123456789abcdef"
    id               = "fedcba9876543210fedcba9876543210"
  }
}
