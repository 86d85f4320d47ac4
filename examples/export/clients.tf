# A module block for each client, so that a client that fails stops itself alone. A new client is a new file and a
# block here: then run terraform init.

module "sign_acme_example" {
  source = "./modules/portal"
  client = local.clients["clients/sign.acme.example.yaml"]
}
