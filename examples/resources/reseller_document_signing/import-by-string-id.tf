import {
  to = reseller_document_signing.ada
  id = "0123456789abcdef0123456789abcdef"
}
