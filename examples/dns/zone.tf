# Replace terraform_data with the record resource of your DNS provider.
resource "terraform_data" "dns_record" {
  input = {
    name  = provider::reseller::relative_record_name(reseller_private_label.acme.domain, "acme.example")
    type  = reseller_private_label.acme.dns_record.type
    value = reseller_private_label.acme.dns_record.value
  }
}
