# By asset ID. The import makes no API call. The first apply after it records the
# configured values.
terraform import reseller_minted_document.terms 1234567
