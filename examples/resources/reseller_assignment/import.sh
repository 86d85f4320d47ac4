# By the label's host name
terraform import reseller_assignment.acme sign.acme.example

# By the label's tenant id
terraform import reseller_assignment.acme 0123456789abcdef0123456789abcdef
