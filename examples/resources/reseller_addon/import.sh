# By code, in any case
terraform import reseller_addon.seats SEATS

# By ID
terraform import reseller_addon.seats 0123456789abcdef0123456789abcdef
