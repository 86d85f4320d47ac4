module "sign_acme_example" {
  source = "./modules/portal"
  client = local.clients["clients/sign.acme.example.yaml"]
}

module "sign_bolt_example" { # a row of clients.csv
  source = "./modules/portal"
  client = local.clients["sign.bolt.example"]
}
