# By document ID. The import makes no API call: the first apply after it records the
# values of the configuration.
terraform import reseller_document_signing.ada 0123456789abcdef0123456789abcdef
