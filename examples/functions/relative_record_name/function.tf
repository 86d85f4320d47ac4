# "sign": the name relative to the zone.
output "record_name" {
  value = provider::reseller::relative_record_name("sign.acme.example", "acme.example")
}

# "@": the zone itself.
output "whole_domain" {
  value = provider::reseller::relative_record_name("acme.example", "acme.example")
}
