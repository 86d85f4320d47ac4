# The text to send to the administrator of acme.example.
output "dns_instructions" {
  value = provider::reseller::dns_instructions("sign.acme.example", [
    { type = "CNAME", name = "sign.acme.example", value = "edge.portals.example" },
    { type = "A", name = "sign.acme.example", value = "192.0.2.10" },
  ])
}
