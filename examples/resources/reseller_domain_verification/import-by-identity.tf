import {
  to = reseller_domain_verification.acme
  identity = {
    private_label_id = "0123456789abcdef0123456789abcdef"
  }
}
