resource "reseller_private_label" "acme" {
  domain   = "sign.acme.example"
  app_name = "Acme Sign"
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }
}

# Uploaded once. The signers are emailed, and the document cannot be changed.
resource "reseller_document" "terms" {
  domain      = reseller_private_label.acme.domain
  owner_email = "ada@acme.example"
  title       = "Terms of Acme Sign"
  file_path   = "${path.module}/terms.pdf" # PDF, less than 10 MB

  signers = [
    {
      email      = "bob@acme.example"
      first_name = "Bob"
      last_name  = "Byte"
      sign_order = 1
      annotations = [
        { type = "Signature", content = "Signature", style = { x = 50, y = 700, width = 120, height = 40, page = 1 } },
        { type = "Date", content = "Date", style = { x = 200, y = 700, width = 80, height = 20, page = 1, font_size = "12pt" } },
      ]
    },
    {
      email      = "eve@acme.example"
      first_name = "Eve"
      last_name  = "Exe"
      sign_order = 2 # after Bob
      annotations = [
        { type = "Signature", content = "Signature", style = { x = 350, y = 700, width = 120, height = 40, page = 1 } },
      ]
    },
  ]

  viewers            = [{ email = "cy@acme.example", first_name = "Cy", last_name = "Pher" }]
  additional_message = "Please sign by the end of the year."
  due_date           = "31-12-2026" # dd-mm-yyyy
}
