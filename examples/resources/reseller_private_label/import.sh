# By host name
terraform import reseller_private_label.acme sign.acme.example

# By tenant id
terraform import reseller_private_label.acme 0123456789abcdef0123456789abcdef
