output "id" {
  description = "Private label ID."
  value       = reseller_private_label.this.id
}

output "dns_record" {
  description = "The DNS record that the client has to create."
  value       = reseller_private_label.this.dns_record
}

output "dns_records" {
  description = "All DNS records of the portal, verified or not. They are alternatives: one of them is enough."
  value       = reseller_private_label.this.dns_records
}

output "dns_verified" {
  description = "Whether the DNS record is correct."
  value       = reseller_private_label.this.domain_verified
}

output "problem" {
  description = "What is wrong with the DNS of the portal, in one sentence; null if nothing is, or if nothing looks at it."
  value       = one(reseller_domain_verification.this[*].problem)
}
