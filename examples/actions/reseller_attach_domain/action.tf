# terraform apply -invoke=action.reseller_attach_domain.acme
action "reseller_attach_domain" "acme" {
  config {
    private_label_id = reseller_private_label.acme.id
  }
}
