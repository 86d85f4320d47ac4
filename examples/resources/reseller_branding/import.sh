# By host name. The API does not return colors or logos. The first apply after the
# import sends the configured ones.
terraform import reseller_branding.acme sign.acme.example
