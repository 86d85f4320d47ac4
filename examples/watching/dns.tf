data "reseller_private_label" "dns" {
  for_each = toset(["sign.acme.example", "sign.bolt.example"])
  domain   = each.key
}
