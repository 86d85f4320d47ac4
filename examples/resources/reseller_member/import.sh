# By host name and email address
terraform import reseller_member.bob sign.acme.example/bob@acme.example

# By private label ID and user ID
terraform import reseller_member.bob 0123456789abcdef0123456789abcdef/fedcba9876543210fedcba9876543210
