# By host name
terraform import reseller_assignment.acme sign.acme.example

# By private label ID
terraform import reseller_assignment.acme 0123456789abcdef0123456789abcdef
