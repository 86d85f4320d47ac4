# By asset ID. The import makes no API call: the first apply after it records the
# values of the configuration.
terraform import reseller_minted_document.terms 1234567
