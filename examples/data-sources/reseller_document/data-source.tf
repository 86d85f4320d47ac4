resource "reseller_private_label" "acme" {
  domain   = "sign.acme.example"
  app_name = "Acme Sign"
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }
}

resource "reseller_document" "terms" {
  domain      = reseller_private_label.acme.domain
  owner_email = "ada@acme.example"
  title       = "Terms of Acme Sign"
  file_path   = "${path.module}/terms.pdf"
  signers = [{
    email      = "bob@acme.example"
    first_name = "Bob"
    last_name  = "Byte"
    annotations = [
      { type = "Signature", content = "Signature", style = { x = 50, y = 700, width = 120, height = 40, page = 1 } },
    ]
  }]
}

# Each read adds an entry to the document's log in the name of the API key's user.
data "reseller_document" "terms" {
  doc_id = reseller_document.terms.id
  domain = reseller_private_label.acme.domain
}

output "signed_by_all" {
  value = alltrue(data.reseller_document.terms.annotations[*].is_verified)
}
