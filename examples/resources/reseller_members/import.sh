# By the private label's host name
terraform import reseller_members.acme sign.acme.example

# By the private label ID
terraform import reseller_members.acme 0123456789abcdef0123456789abcdef
