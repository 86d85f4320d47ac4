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
: > "$TF_CLI_CONFIG_FILE" # the CLI warns about a file that does not exist

bold='' plain=''
if [[ -t 1 ]]; then bold=$'\033[1m' plain=$'\033[0m'; fi
heading() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
say() { printf '%s\n' "$*"; }
fail() {
  printf '\nThe demo stopped: %s\n' "$*" >&2
  if [[ -s "$work/out" ]]; then printf '\n%s\n' "$(< "$work/out")" >&2; fi
  exit 1
}

# run WANT PATTERN ARGS...: runs the CLI, keeps its output in $work/out, and
# checks its exit code. It prints the command, and after it the first text of
# the output that matches the pattern, which must exist.
run() {
  local want=$1 pattern=$2 got=0 line said
  shift 2
  line="$name $*"
  for flag in input=false detailed-exitcode auto-approve; do line=${line/ -$flag/}; done
  "$cli" "$@" -no-color > "$work/out" 2>&1 || got=$?
  [[ "$got" == "$want" ]] || fail "$name $1 ended with exit code $got, expected $want."
  said=$(grep -oE -m 1 -- "$pattern" "$work/out") || fail "the output has no line that matches: $pattern"
  printf '  $ %-36s # %s\n' "$line" "$said"
}

# tool ARGS...: the provider's binary as a command, whose output is kept and
# shown.
tool() {
  local want=$1 got=0
  shift
  printf '  $ terraform-provider-reseller %s\n' "$*"
  "$provider" "$@" > "$work/out" 2>&1 || got=$?
  [[ "$got" == "$want" ]] || fail "$1 ended with exit code $got, expected $want."
}

# show PATTERN: the lines of the last output that match, which must exist.
show() { grep -E -- "$1" "$work/out" | sed 's/^ */    /' | narrow || fail "the output has no line that matches: $1"; }

# narrow cuts what would take more than one line of a terminal.
narrow() { sed -E 's/^(.{108}).+/\1…/'; }

# review PLAN: the effects of a saved plan that cannot be undone or reach people,
# without their resource addresses.
review() {
  printf '  $ %s show -json %s | terraform-provider-reseller review\n' "$name" "$1"
  "$cli" show -json "$1" > "$work/plan.json" || fail "$name show -json $1 ended with an error."
  "$provider" review "$work/plan.json" > "$work/out" 2>&1 || fail "review ended with an error."
  awk -F '  +' 'NF >= 4 { printf "    %-12s %-28s %s\n", $1, $4, $3 } NF == 1 && /./ { print "    " $0 }' "$work/out" | narrow
}

# expect TEXT: the last output must contain it.
expect() { grep -qF -- "$1" "$work/out" || fail "the output lacks: $1"; }

init() { "$cli" init -input=false -no-color > "$work/out" 2>&1 || fail "$name init ended with an error."; }

plan_is_empty() { run 0 '^No changes\.' plan -input=false -detailed-exitcode; }

say "${bold}Building the provider, to run it with $("$cli" version | sed -n 1p)$plain"
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
SECONDS=0

demo="$PWD/demo"
cp -R demo/three "$work/three"
cp -R demo/many "$work/many"
cd "$work/three"

heading "1. Three private labels, and a review of their plan (demo/three/main.tf)"
init
run 2 '^Plan: 3 to add.*' plan -input=false -detailed-exitcode -out=three.plan
show '^Warning: Provisioning is permanent|and 2 more similar warnings'
review three.plan
expect "6 effects: 3 permanent, 3 email."
run 0 '^Apply complete! .* 3 added.*' apply -input=false three.plan
printf '  $ %s output dns_records\n' "$name"
"$cli" output -json dns_records | tr ',' '\n' | tr -d '{}"' | sed 's/:/  /; s/^/    /'

heading "2. A second plan shows no changes"
plan_is_empty

heading "3. Packages, and an assignment that exceeds the allowance (demo/catalog/catalog.tf)"
cp "$demo/catalog/catalog.tf" .
run 1 '^Error: Assignment exceeds the allowance' apply -input=false -auto-approve
show 'documents: requested 20000, remaining 10000, excess 10000'
echo 'allow_excess = { documents = 15000 }' > terraform.tfvars
say "  $ echo 'allow_excess = { documents = 15000 }' > terraform.tfvars"
run 0 '^Apply complete! .* 1 added.*' apply -input=false -auto-approve
plan_is_empty

heading "4. Members, branding and DNS verification (demo/people/people.tf)"
mkdir "$work/logos"
"$work/logos-of" "$work/logos"
cp "$demo/people/people.tf" .
printf '\nlogos = "%s"\n' "$work/logos" >> terraform.tfvars
run 0 '^Apply complete! .* 9 added.*' apply -input=false -auto-approve
"$cli" output -json live | sed 's/",/"\n/g' | tr -d '{}"' | sed 's/:/  /; s/^/    /'
plan_is_empty

heading "5. A destroy is rejected, because the host names could never be used again"
run 1 '^Error: Resource is protected from deletion' destroy -input=false -auto-approve

heading "6. A private label that is not in state is imported by its host name"
run 0 '^Successfully removed.*' state rm 'reseller_private_label.client["bolt"]'
cat > import.tf <<'EOF'
import {
  to = reseller_private_label.client["bolt"]
  id = "sign.bolt.example"
}
EOF
run 0 '^Apply complete! .* 1 imported, 0 added.*' apply -input=false -auto-approve
plan_is_empty

heading "7. The API calls of a plan over 100 private labels (demo/many/main.tf)"
cd "$work/many"
init
run 0 '^Apply complete! .* 100 added.*' apply -input=false -auto-approve
# A client takes some minutes to create a DNS record. In the simulator, they take no time.
"$work/calls" -later 10m -forget many.json
run 0 '^Apply complete!' apply -input=false -auto-approve -refresh-only
"$work/calls" -forget many.json
plan_is_empty
"$work/calls" many.json > "$work/out"
show 'GET'
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
tool 0 export -out portals
show 'to import'
cd portals
"$cli" fmt -check > "$work/out" 2>&1 || fail "the export is not formatted."
init
run 2 '^Plan: [0-9]+ to import, 0 to add, 0 to change, 0 to destroy' plan -input=false -detailed-exitcode -out=portals.plan
run 0 '^Apply complete! Resources: [0-9]+ imported, 0 added, 0 changed, 0 destroyed' apply -input=false portals.plan
plan_is_empty

heading "9. Which endpoints answer as documented, and what the documentation leaves open"
tool 0 check
show 'can be used'

heading "10. The same reseller as a file for each client: a plan of moves alone"
tool 0 export -style clients -state terraform.tfstate -moved -out ../clients
show 'to move'
cp terraform.tfstate ../clients
cd ../clients
sed -n '2,8s/^/    /p' clients/sign.client-0003.example.yaml
init
run 0 '^Plan: 0 to add, 0 to change, 0 to destroy' plan -input=false -out=moved.plan
run 0 '^Apply complete! .* 0 added, 0 changed, 0 destroyed' apply -input=false moved.plan
plan_is_empty

heading "11. What was attached in the console, and no state has"
for act in "assign sign.client-0007.example PLAN-03" "attach sign.client-0007.example EXTRA-02 5"; do
  # shellcheck disable=SC2086 # words
  "$provider" simulate do -url "$RESELLER_BASE_URL" $act > "$work/out" 2>&1 || fail "simulate do ended with an error."
  say "  $ terraform-provider-reseller simulate do $act"
done
tool 2 coverage -state terraform.tfstate
show 'unmanaged  |1 unmanaged'

heading "12. A new client, a member who leaves and a protection that is lowered, reviewed"
cat > clients/sign.delta.example.yaml <<'EOF'
host: sign.delta.example
app_name: Delta Sign
owner: { email: dana@delta.example, first_name: Dana, last_name: Dell }
package: PLAN-02
EOF
echo 'leaving: deprovision' >> clients/sign.client-0003.example.yaml
sed -i.old '/person-3@/,$d' clients/sign.client-0004.example.yaml && rm clients/*.old
run 0 '^Plan: 3 to add.*' plan -input=false -out=clients.plan
review clients.plan

heading "Done"
say "  in $SECONDS seconds after the build. No call left this machine, and no email was sent."
say "  Continue with README.md and docs/index.md."
