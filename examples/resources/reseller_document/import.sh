# By document ID. The import makes no API call. The first apply after it records the
# configured values.
terraform import reseller_document.terms 0123456789abcdef0123456789abcdef
