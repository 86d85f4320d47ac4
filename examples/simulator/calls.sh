# 1. Exchange the API key for an access token.
token=$(curl -sS "$RESELLER_BASE_URL/api/v1/auth/token" \
  -H 'Content-Type: application/json' \
  -d '{"grant_type": "client_credentials", "api_key": "'"$RESELLER_API_KEY"'"}' |
  sed -E 's/.*"access_token": ?"([^"]+)".*/\1/')

# 2. Read the slug of the reseller, which is in the path of most endpoints.
slug=$(curl -sS "$RESELLER_BASE_URL/console/dashboard" -H "Authorization: Bearer $token" |
  sed -E 's/.*"slug": ?"([^"]+)".*/\1/')

# 3. List the private labels.
curl -sS "$RESELLER_BASE_URL/console/$slug/reseller/private-labels" -H "Authorization: Bearer $token"

# 4. Provision one.
curl -sS "$RESELLER_BASE_URL/console/$slug/reseller/private-labels" -H "Authorization: Bearer $token" \
  -H 'Content-Type: application/json' -d '{
    "owner": {"email": "ada@acme.example", "firstName": "Ada", "lastName": "Lovelace"},
    "config": {"domain": "sign.acme.example", "appName": "Acme Sign"}
  }'
