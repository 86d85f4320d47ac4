# The resource was renamed from "acme" to "acme_sign".
moved {
  from = reseller_private_label.acme
  to   = reseller_private_label.acme_sign
}
