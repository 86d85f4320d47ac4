provider "reseller" {
  base_url = "https://api.example" # or RESELLER_BASE_URL
  api_key  = var.reseller_api_key  # or RESELLER_API_KEY
}

variable "reseller_api_key" {
  type      = string
  sensitive = true
}
