removed {
  from = reseller_private_label.sign_acme_example

  lifecycle {
    destroy = false
  }
}

removed {
  from = reseller_assignment.sign_acme_example

  lifecycle {
    destroy = false
  }
}

removed {
  from = reseller_member.sign_acme_example

  lifecycle {
    destroy = false
  }
}
