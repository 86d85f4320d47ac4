data "reseller_dashboard" "this" {}

output "slug" {
  description = "The reseller's own domain, as the paths of the API carry it."
  value       = data.reseller_dashboard.this.slug
}

output "people" {
  description = "How many people there are on each host."
  value       = { for d in data.reseller_dashboard.this.domains : d.domain => d.user_count }
}
