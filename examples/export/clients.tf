# A module block for each client, so that a client that fails does not stop others. A new client needs a new file and a
# block here. Then run terraform init.

module "sign_acme_example" {
  source = "./modules/portal"
  client = local.clients["clients/sign.acme.example.yaml"]
}
