# The access token is in neither state nor plan. Pass it to a different provider or to a
# write-only argument.
ephemeral "reseller_access_token" "run" {}
