removed {
  from = reseller_document.terms

  lifecycle {
    destroy = false
  }
}
