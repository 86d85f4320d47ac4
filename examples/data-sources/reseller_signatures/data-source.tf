# The stored signatures of the API key's user. To sign an annotation, use the ID of a
# signature as its content.
data "reseller_signatures" "mine" {}

output "signature_ids" {
  value = data.reseller_signatures.mine.signatures[*].id
}
