resource "reseller_domain_verification" "acme" {
  private_label_id = reseller_private_label.acme.id
  required         = false
  timeouts         = { create = "0s" }
}

# What to send to the client, until the host name is verified.
output "acme_dns" {
  value = reseller_domain_verification.acme.verified ? "verified" : join("\n", [
    reseller_domain_verification.acme.problem,
    provider::reseller::dns_instructions(reseller_private_label.acme.domain, reseller_private_label.acme.dns_records),
  ])
}
