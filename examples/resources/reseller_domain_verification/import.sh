# By host name or private label ID. The host name must be verified.
terraform import reseller_domain_verification.acme sign.acme.example
