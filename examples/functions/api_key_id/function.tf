variable "reseller_api_key" {
  type      = string
  sensitive = true
  default   = "rsl_live_0123456789abcdef0123456789abcdef_secret"
}

# The public part of the key, for support requests.
output "key_id" {
  value = nonsensitive(provider::reseller::api_key_id(var.reseller_api_key))
}
