# The stored signatures of the key's user: the id of one is the content of an
# annotation that is signed with it.
data "reseller_signatures" "mine" {}

output "signature_ids" {
  value = data.reseller_signatures.mine.signatures[*].id
}
