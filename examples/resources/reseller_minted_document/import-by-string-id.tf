import {
  to = reseller_minted_document.terms
  id = "1234567"
}
