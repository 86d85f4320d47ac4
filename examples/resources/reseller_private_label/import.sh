# By host name
terraform import reseller_private_label.acme sign.acme.example

# By private label ID (the API's tenant ID)
terraform import reseller_private_label.acme 0123456789abcdef0123456789abcdef
