# By code, in any case
terraform import reseller_package.gold GOLD

# By ID
terraform import reseller_package.gold 0123456789abcdef0123456789abcdef
