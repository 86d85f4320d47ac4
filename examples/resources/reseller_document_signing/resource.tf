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
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
    annotations = [
      { type = "Signature", content = "Signature", style = { x = 50, y = 700, width = 120, height = 40, page = 1 } },
    ]
  }]
}

# Each read adds an entry to the document's log. After signing, write the IDs into
# the resource below and remove this data source.
data "reseller_document" "terms" {
  doc_id = reseller_document.terms.id
  domain = reseller_private_label.acme.domain
}

data "reseller_signatures" "mine" {}

resource "reseller_document_signing" "ada" {
  doc_id = reseller_document.terms.id
  domain = reseller_private_label.acme.domain

  # Do not filter by is_verified, because signing changes its value.
  annotations = {
    for a in data.reseller_document.terms.annotations :
    a.id => data.reseller_signatures.mine.signatures[0].id
    if a.email == "ada@acme.example" && a.type.type == "Signature"
  }
}
