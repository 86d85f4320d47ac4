output "id" {
  description = "Private label ID."
  value       = reseller_private_label.this.id
}

output "dns_record" {
  description = "The DNS record that the client has to create."
  value       = reseller_private_label.this.dns_record
}

output "dns_verified" {
  description = "Whether the DNS record is correct."
  value       = reseller_private_label.this.domain_verified
}
