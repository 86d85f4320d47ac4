# By the label's host name. Colours and logos cannot be read: the first apply
# after the import sends those that are declared.
terraform import reseller_branding.acme sign.acme.example
