# terraform apply -invoke=action.reseller_resend_invite.bob
action "reseller_resend_invite" "bob" {
  config {
    private_label_id = reseller_private_label.acme.id
    user_id          = reseller_member.bob.id
  }
}
