# API keys that are not revoked, with their creation time.
data "reseller_api_keys" "all" {}

output "valid_keys" {
  value = { for k in data.reseller_api_keys.all.api_keys : k.id => k.created_at if k.revoked_at == null }
}
