resource "reseller_private_label" "acme" {
  domain   = "sign.acme.example"
  app_name = "Acme Sign"
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }
}

data "reseller_templates" "acme" {
  private_label_id = reseller_private_label.acme.id
}

output "templates" {
  value = { for t in data.reseller_templates.acme.templates : t.id => t.title }
}
