# By host name. The API does not return colors or logos: the first apply after
# the import sends those in the configuration.
terraform import reseller_branding.acme sign.acme.example
