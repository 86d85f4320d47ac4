#!/usr/bin/env bash
# The provider at work, on the real CLI and the simulator: no account,
# no key, nothing to start by hand. Everything happens in a temporary folder.
# Each step is checked; the first one that goes otherwise ends the demo with an
# error.
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

# review PLAN: what a saved plan does that cannot be taken back or reaches people.
review() {
  printf '  $ %s show -json %s | terraform-provider-reseller review\n' "$name" "$1"
  "$cli" show -json "$1" > "$work/plan.json" || fail "$name show -json $1 ended with an error."
  "$provider" review "$work/plan.json" > "$work/out" 2>&1 || fail "review ended with an error."
  sed 's/^/    /' "$work/out"
}

# expect TEXT: the last output must have it.
expect() { grep -qF -- "$1" "$work/out" || fail "the output lacks: $1"; }

heading "Building the provider"
mirror="$work/mirror"
platform="$(go env GOOS)_$(go env GOARCH)"
for registry in registry.terraform.io registry.opentofu.org; do
  mkdir -p "$mirror/$registry/privatelabels/reseller/0.0.1/$platform"
done
provider="$mirror/terraform-provider-reseller_v0.0.1"
go build -o "$provider" .
go build -o "$work/calls" ./demo/calls
go build -o "$work/logos-of" ./demo/logos
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

heading "2. A second plan has nothing to do"
run 0 plan -input=false -detailed-exitcode
show '^No changes\.'

heading "3. What they get, and what is over the allowance (demo/catalog/catalog.tf)"
cp "$demo/catalog/catalog.tf" .
run 1 apply -input=false -auto-approve
expect "Assignment exceeds the allowance"
awk '/Error:/ { on = 1 } on { print "    " $0 }' "$work/out"
say "    The other two have theirs. Now with consent, which is bounded:"
say
echo 'allow_excess = { documents = 15000 }' > terraform.tfvars
sed 's/^/    /' terraform.tfvars
run 0 apply -input=false -auto-approve
show '^Apply complete! Resources: 1 added'
run 0 plan -input=false -detailed-exitcode
show '^No changes\.'

heading "4. Who works on them, how they look, and whether they are live (demo/people/people.tf)"
mkdir "$work/logos"
"$work/logos-of" "$work/logos"
cp "$demo/people/people.tf" .
printf '\nlogos = "%s"\n' "$work/logos" >> terraform.tfvars
run 2 plan -input=false -detailed-exitcode
show '^Plan: 9 to add'
run 0 apply -input=false -auto-approve
show '^Apply complete! Resources: 9 added'
say
say "  The clients took five minutes to set their DNS records, which passed at once in the"
say "  sandbox. Live now, and who works there:"
say
"$cli" output -json live | sed 's/",/"\n/g' | tr -d '{}"' | sed 's/:/  /; s/^/    /'
say
run 0 plan -input=false -detailed-exitcode
show '^No changes\.'

heading "5. A destroy is refused: the host name could never be used again"
run 1 destroy -input=false -auto-approve
expect "Private label is protected from deletion"
awk '/Error:/ { n++ } n == 1 { print "    " $0 }' "$work/out"
say "    (And the same for the other two.)"

heading "6. A label that Terraform does not know is imported by its host name"
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

heading "7. Two hundred labels, and what a plan costs (demo/many/main.tf)"
cd "$work/many"
run 0 init
run 0 apply -input=false -auto-approve
show '^Apply complete! Resources: 200 added'
# A client takes some minutes to set a DNS record; in the sandbox they pass at once.
"$work/calls" -later 10m -forget many.json
run 0 apply -input=false -auto-approve -refresh-only
"$work/calls" -forget many.json
run 0 plan -input=false -detailed-exitcode
show '^No changes\.'
say
say "  Calls made by that plan over 200 labels:"
say
"$work/calls" many.json | tee "$work/out" | sed 's/^/    /'
calls=$(awk '/in all$/ { print $1 }' "$work/out")
[[ "$calls" == 1 ]] || fail "the plan made $calls calls, expected 1."

heading "Done"
say "  Nothing left this machine, and no email was sent. Next: README.md, docs/index.md."
