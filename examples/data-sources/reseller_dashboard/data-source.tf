data "reseller_dashboard" "this" {}

output "slug" {
  description = "The reseller's own domain, which is part of the API's paths."
  value       = data.reseller_dashboard.this.slug
}

output "people" {
  description = "Number of users of each host name."
  value       = { for d in data.reseller_dashboard.this.domains : d.domain => d.user_count }
}
