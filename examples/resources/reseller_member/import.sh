# By the label's host name and the person's e-mail address
terraform import reseller_member.bob sign.acme.example/bob@acme.example

# By the label's tenant id and the person's user id
terraform import reseller_member.bob 0123456789abcdef0123456789abcdef/fedcba9876543210fedcba9876543210
