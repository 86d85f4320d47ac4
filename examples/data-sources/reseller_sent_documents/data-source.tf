resource "reseller_private_label" "acme" {
  domain   = "sign.acme.example"
  app_name = "Acme Sign"
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }
}

# Reading the list adds no entry to a document's log.
data "reseller_sent_documents" "acme" {
  domain = reseller_private_label.acme.domain
}

output "sent" {
  value = jsondecode(data.reseller_sent_documents.acme.json)
}
