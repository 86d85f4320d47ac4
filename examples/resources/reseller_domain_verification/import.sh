# By the label's host name, or its tenant id. The host has to be verified.
terraform import reseller_domain_verification.acme sign.acme.example
