# Keys that still work, to see that none grows too old.
data "reseller_api_keys" "all" {}

output "valid_keys" {
  value = { for k in data.reseller_api_keys.all.api_keys : k.id => k.created_at if k.revoked_at == null }
}
