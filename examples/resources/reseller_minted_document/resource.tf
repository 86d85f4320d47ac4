# The asset is public and permanent. It cannot be changed or deleted.
resource "reseller_minted_document" "terms" {
  file_path     = "${path.module}/terms.pdf"
  unit_name     = "TERMS"           # at most 8 characters
  asset_name    = "Acme terms 2026" # at most 32 characters
  nft_standard  = "ARC3"
  store_on_ipfs = true # public on IPFS

  description   = "The terms of Acme Sign."
  pages         = 1
  language      = "en"
  creator       = "Ada Lovelace"
  creator_email = "ada@acme.example"
  creation_date = "2026-03-14"
}

output "asset" {
  value = {
    id  = reseller_minted_document.terms.asset_id
    pdf = reseller_minted_document.terms.pdf_ipfs_url # null after an import
  }
}
