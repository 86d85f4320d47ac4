output "private_label_id" {
  description = "Private label ID, for other resources and for support requests."
  value       = reseller_private_label.this.id
}

output "portal_url" {
  description = "URL of the portal. It works once the DNS record exists."
  value       = "https://${reseller_private_label.this.domain}"
}

output "dns_record" {
  description = "DNS record that the client creates at its DNS provider."
  value       = reseller_private_label.this.dns_record
}

output "owner" {
  description = "Owner of the private label, who receives the set-password email."
  value       = "${var.owner.first_name} ${var.owner.last_name} <${var.owner.email}>"
}
