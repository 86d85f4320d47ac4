import {
  to = reseller_document.terms
  id = "0123456789abcdef0123456789abcdef"
}
