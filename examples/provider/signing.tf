provider "reseller" {
  base_url = "https://api.example"
  api_key  = var.reseller_api_key

  signing = {
    url          = "https://sign.example"     # or RESELLER_SIGNING_URL
    api_url      = "https://api.sign.example" # or RESELLER_SIGNING_API_URL; only if it differs from url
    user_api_key = var.signing_key            # or RESELLER_SIGNING_API_KEY
    family       = "signing-api"              # or "signing", if the API uses that family
  }
}

variable "reseller_api_key" {
  type      = string
  sensitive = true
}

variable "signing_key" {
  type      = string
  sensitive = true
}
