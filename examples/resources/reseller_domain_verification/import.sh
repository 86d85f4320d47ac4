# By host name or private label ID.
terraform import reseller_domain_verification.acme sign.acme.example
