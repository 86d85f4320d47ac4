resource "reseller_private_label" "acme" {
  domain   = "sign.acme.example"
  app_name = "Acme Sign"
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }
}

# Replace it with the record resource of your DNS provider, such as aws_route53_record or cloudflare_dns_record.
resource "terraform_data" "dns_record" {
  input = reseller_private_label.acme.dns_record
}

# Waits until the DNS record is correct. Resources that need the live portal can depend on it.
resource "reseller_domain_verification" "acme" {
  depends_on = [terraform_data.dns_record]

  private_label_id = reseller_private_label.acme.id

  timeouts = {
    create = "2h"
  }
}
