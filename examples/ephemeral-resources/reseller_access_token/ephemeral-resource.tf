# The token is in no state and no plan: hand it to another provider, or to a
# write-only argument.
ephemeral "reseller_access_token" "run" {}
