#!/usr/bin/env bash
# Runs the provider with the real CLI and the simulator, without an account, an
# API key or a server, in a temporary directory. Each step is checked, and the
# first one with another result stops the demo with an error.
set -euo pipefail
cd "$(dirname "$0")/.."

cli=$(scripts/find-cli)
name=$(basename "$cli")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

unset "${!RESELLER_@}" "${!TF_@}"
export CHECKPOINT_DISABLE=1 TF_IN_AUTOMATION=1 TF_CLI_CONFIG_FILE="$work/cli.tfrc"

bold='' plain=''
if [[ -t 1 ]]; then bold=$'\033[1m' plain=$'\033[0m'; fi
heading() { printf '\n%s%s%s\n\n' "$bold" "$*" "$plain"; }
say() { printf '%s\n' "$*"; }
fail() {
  printf '\nThe demo stopped: %s\n' "$*" >&2
  if [[ -s "$work/out" ]]; then printf '\n%s\n' "$(< "$work/out")" >&2; fi
  exit 1
}

# run WANT ARGS...: runs the CLI, keeps its output in $work/out, and checks its
# exit code.
run() {
  local want=$1 got=0 line
  shift
  line="$*"
  printf '  $ %s %s\n' "$name" "${line/ -input=false/}"
  "$cli" "$@" -no-color > "$work/out" 2>&1 || got=$?
  [[ "$got" == "$want" ]] || fail "$name $1 ended with exit code $got, expected $want."
}

# show PATTERN: the lines of the last output that match, which must exist.
show() { grep -E -- "$1" "$work/out" | sed 's/^/    /' || fail "the output has no line that matches: $1"; }

# review PLAN: the effects of a saved plan that cannot be undone or reach people.
review() {
  printf '  $ %s show -json %s | terraform-provider-reseller review\n' "$name" "$1"
  "$cli" show -json "$1" > "$work/plan.json" || fail "$name show -json $1 ended with an error."
  "$provider" review "$work/plan.json" > "$work/out" 2>&1 || fail "review ended with an error."
  sed 's/^/    /' "$work/out"
}

# expect TEXT: the last output must contain it.
expect() { grep -qF -- "$1" "$work/out" || fail "the output lacks: $1"; }

heading "Building the provider"
mirror="$work/mirror"
platform="$(go env GOOS)_$(go env GOARCH)"
for registry in registry.terraform.io registry.opentofu.org; do
  mkdir -p "$mirror/$registry/privatelabels/reseller/0.0.1/$platform"
done
provider="$mirror/terraform-provider-reseller_v0.0.1"
# As `make install` builds, so that nothing is compiled twice.
go build -trimpath -ldflags "-s -w -X main.version=$(scripts/version)" -o "$provider" .
go build -trimpath -o "$work/calls" ./demo/calls
go build -trimpath -o "$work/logos-of" ./demo/logos
for dir in "$mirror"/registry.*/privatelabels/reseller/0.0.1/"$platform"; do
  cp "$provider" "$dir"
done
cat > "$TF_CLI_CONFIG_FILE" <<EOF
provider_installation {
  filesystem_mirror {
    path = "$mirror"
  }
}
EOF
say "  with $("$cli" version | head -n 1)"

demo="$PWD/demo"
cp -R demo/three "$work/three"
cp -R demo/many "$work/many"
cd "$work/three"
run 0 init

heading "1. Three private labels, and a review of their plan (demo/three/main.tf)"
run 2 plan -input=false -detailed-exitcode -out=three.plan
show '^Plan: 3 to add'
awk '/Warning:/ { on = 0 } /Warning: Provisioning is permanent/ { on = 1 } on { print "    " $0 }' "$work/out"
review three.plan
expect "6 effects: 3 permanent, 3 email."
run 0 apply -input=false three.plan
show '^Apply complete! Resources: 3 added'
say
say "  The DNS record that each client has to create:"
say
"$cli" output -json dns_records | tr ',' '\n' | tr -d '{}"' | sed 's/:/  /; s/^/    /'
say

heading "2. A second plan shows no changes"
run 0 plan -input=false -detailed-exitcode
show '^No changes\.'

heading "3. Packages, and an assignment that exceeds the allowance (demo/catalog/catalog.tf)"
cp "$demo/catalog/catalog.tf" .
run 1 apply -input=false -auto-approve
expect "Assignment exceeds the allowance"
awk '/Error:/ { on = 1 } on { print "    " $0 }' "$work/out"
say "    The other two assignments were created. This consent permits a bounded excess:"
say
echo 'allow_excess = { documents = 15000 }' > terraform.tfvars
sed 's/^/    /' terraform.tfvars
run 0 apply -input=false -auto-approve
show '^Apply complete! Resources: 1 added'
run 0 plan -input=false -detailed-exitcode
show '^No changes\.'

heading "4. Members, branding and DNS verification (demo/people/people.tf)"
mkdir "$work/logos"
"$work/logos-of" "$work/logos"
cp "$demo/people/people.tf" .
printf '\nlogos = "%s"\n' "$work/logos" >> terraform.tfvars
run 2 plan -input=false -detailed-exitcode
show '^Plan: 9 to add'
run 0 apply -input=false -auto-approve
show '^Apply complete! Resources: 9 added'
say
say "  The clients took five minutes to create their DNS records. The simulator does not wait for"
say "  them. The live private labels with their members:"
say
"$cli" output -json live | sed 's/",/"\n/g' | tr -d '{}"' | sed 's/:/  /; s/^/    /'
say
run 0 plan -input=false -detailed-exitcode
show '^No changes\.'

heading "5. A destroy is rejected, because the host names could never be used again"
run 1 destroy -input=false -auto-approve
expect "Resource is protected from deletion"
awk '/Error:/ { n++ } n == 1 { print "    " $0 }' "$work/out"
say "    (The errors for the other two are the same.)"

heading "6. A private label that is not in state is imported by its host name"
run 0 state rm 'reseller_private_label.client["bolt"]'
cat > import.tf <<'EOF'
import {
  to = reseller_private_label.client["bolt"]
  id = "sign.bolt.example"
}
EOF
sed 's/^/    /' import.tf
run 0 apply -input=false -auto-approve
show '^Apply complete! Resources: 1 imported, 0 added'
say "    (The change records attributes that the API does not return, such as app_name.)"
run 0 plan -input=false -detailed-exitcode
show '^No changes\.'

heading "7. The API calls of a plan over 200 private labels (demo/many/main.tf)"
cd "$work/many"
run 0 init
run 0 apply -input=false -auto-approve
show '^Apply complete! Resources: 200 added'
# A client takes some minutes to create a DNS record; in the simulator they take no time.
"$work/calls" -later 10m -forget many.json
run 0 apply -input=false -auto-approve -refresh-only
"$work/calls" -forget many.json
run 0 plan -input=false -detailed-exitcode
show '^No changes\.'
say
say "  The API calls of that plan over 200 private labels:"
say
"$work/calls" many.json | tee "$work/out" | sed 's/^/    /'
calls=$(awk '/in all$/ { print $1 }' "$work/out")
[[ "$calls" == 1 ]] || fail "the plan made $calls calls, expected 1."

heading "8. A reseller that exists, as a configuration that imports it"
# A simulator with 20 private labels, which ends with the demo.
mkfifo "$work/greeting"
"$provider" simulate -listen 127.0.0.1:0 -seed 20 -fast > "$work/greeting" 2> "$work/out" &
simulator=$!
trap 'kill "$simulator" 2> /dev/null || true; rm -rf "$work"' EXIT
exec 3< "$work/greeting"
for _ in 1 2 3 4 5; do # export RESELLER_BASE_URL=… and four more
  read -r line <&3 || fail "the simulator did not start."
  export "${line#export }"
done
export RESELLER_TOKEN_CACHE_DIR="$work/tokens"
cd "$work"
printf '  $ terraform-provider-reseller export -out portals\n'
"$provider" export -out portals > "$work/out" 2>&1 || fail "the export ended with an error."
sed 's/^/    /' "$work/out"
cd portals
say
say "  The resources of one private label (portals/sign.client-0003.example.tf):"
say
sed '/^import/,$d' sign.client-0003.example.tf | sed 's/^/    /'
run 0 fmt -check
run 0 init
run 2 plan -input=false -detailed-exitcode -out=portals.plan
show '^Plan: [0-9]+ to import, 0 to add, 0 to change, 0 to destroy'
run 0 apply -input=false portals.plan
show '^Apply complete! Resources: [0-9]+ imported, 0 added, 0 changed, 0 destroyed'
run 0 plan -input=false -detailed-exitcode
show '^No changes\.'

heading "Done"
say "  No call left this machine, and no email was sent. Continue with README.md and docs/index.md."
