package provider_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/review"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/member"
)

const (
	reviewProvider = "registry.terraform.io/privatelabels/reseller"
	acmeID         = "0123456789abcdef0123456789abcdef"
	goldID         = "11111111111111111111111111111111"
	silverID       = "22222222222222222222222222222222"
	bobID          = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

// reviewChange is a change as `terraform show -json` writes it.
type reviewChange struct {
	address, actions, reason, provider, deposed string
	before, after, unknown                      string // JSON
	importing                                   bool
	beforeSensitive, afterSensitive             string // JSON
}

func (c reviewChange) json() string {
	typ, _, _ := strings.Cut(c.address[strings.LastIndex(c.address, "reseller_"):], ".")
	or := func(text, otherwise string) string {
		if text == "" {
			return otherwise
		}
		return text
	}
	actions, _ := json.Marshal(strings.Fields(c.actions))
	mode := "managed"
	if strings.HasPrefix(c.address, "data.") {
		mode = "data"
	}
	return fmt.Sprintf(`{"address":%q,"mode":%q,"type":%q,"provider_name":%q,"deposed":%q,"action_reason":%q,"change":{%s"actions":%s,"before":%s,"after":%s,"after_unknown":%s,"before_sensitive":%s,"after_sensitive":%s}}`,
		c.address, mode, typ, or(c.provider, reviewProvider), c.deposed, c.reason, map[bool]string{true: `"importing":{"id":"x"},`}[c.importing], actions,
		or(c.before, "null"), or(c.after, "null"), or(c.unknown, "{}"), or(c.beforeSensitive, "false"), or(c.afterSensitive, "false"))
}

// reviewPlan is a plan with changes and further members.
func reviewPlan(more string, changes ...reviewChange) string {
	var list []string
	for _, c := range changes {
		list = append(list, c.json())
	}
	return fmt.Sprintf(`{"format_version":"1.2","terraform_version":"1.14.0","planned_values":{"root_module":{}},"resource_changes":[%s]%s,"configuration":{}}`, strings.Join(list, ","), more)
}

// runReview runs the subcommand on standard input.
func runReview(t *testing.T, in string, args ...string) (status int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = review.Main(t.Context(), args, provider.Reviewers(), time.Time{}, strings.NewReader(in), &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

// listed are the rows of a review: "kind address: what: subject".
func listed(t *testing.T, plan string) []string {
	t.Helper()
	rows := []string{}
	for _, r := range reviewed(t, plan) {
		rows = append(rows, fmt.Sprintf("%s %s: %s: %s", r.Kind, r.Address, r.What, r.Subject))
	}
	return rows
}

// reviewed are the rows of the JSON.
func reviewed(t *testing.T, plan string) []review.Row {
	t.Helper()
	status, out, errs := runReview(t, plan, "-format", "json")
	require.Equal(t, 0, status, "status: %s", errs)
	require.Empty(t, errs, "status %d", status)
	var got struct {
		FormatVersion    string       `json:"format_version"`
		Effects          []review.Row `json:"effects"`
		Allowance, Price []any
	}
	decoder := json.NewDecoder(strings.NewReader(out))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&got); err != nil || got.FormatVersion != "1.1" || got.Effects == nil {
		t.Fatalf("%v, %s", err, out)
	}
	return got.Effects
}

const (
	acmeLabel    = `{"id":"` + acmeID + `","domain":"sign.acme.example","status":"Active","deletion_policy":"PREVENT","owner":{"email":"ada@acme.example","user_id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}}`
	bobMember    = `{"id":"` + bobID + `","private_label_id":"` + acmeID + `","email":"bob@acme.example","first_name":"Bob","last_name":"Byte","role":"member"}`
	newBob       = `{"private_label_id":"` + acmeID + `","email":"bob@acme.example","first_name":"Bob","last_name":"Byte"}`
	goldPackage  = `{"id":"` + goldID + `","code":"GOLD","name":"Gold","currency":"EUR","active":true,"settings":{"monthlyPrice":4900}}`
	goldAcme     = `{"private_label_id":"` + acmeID + `","package_id":"` + goldID + `","addons":null,"id":"` + acmeID + `","assignment_id":"a1","package_code":"GOLD","allocated":{"documents":1,"seats":2,"templates":3,"notarizations":4},"attached_addons":{}}`
	goldAcmeMore = `{"private_label_id":"` + acmeID + `","package_id":"` + goldID + `","addons":{"SEATS":10},"id":"` + acmeID + `","assignment_id":"a1","package_code":"GOLD","allocated":{"documents":1},"attached_addons":{"SEATS":{"addon_id":"s","subscription_addon_id":"x","name":"Five more","quantity":10}}}`
)

// What a review says of an effect.
var (
	emailing  = member.Emailed.Phrase
	signedOut = member.SignedOut.Phrase
)

var unchangedAcme = reviewChange{address: "reseller_private_label.acme", actions: "no-op", before: acmeLabel, after: acmeLabel}

func TestReview_ListsEachAction(t *testing.T) {
	t.Parallel()
	var (
		removed   = "removed reseller_member.bob: " + signedOut + ": bob@acme.example"
		emailed   = "email reseller_member.bob: " + emailing + ": bob@acme.example"
		forgotten = "forgotten reseller_member.bob: resource removed from state only: bob@acme.example"
	)
	ofBob := func(actions, before, after, unknown string) reviewChange {
		return reviewChange{address: "reseller_member.bob", actions: actions, before: before, after: after, unknown: unknown}
	}
	create := ofBob("create", "", newBob, `{"id":true,"role":true}`)
	tainted := ofBob("delete create", bobMember, newBob, `{"id":true}`)
	tainted.reason = "replace_because_tainted"
	deposed := ofBob("delete", bobMember, "", "")
	deposed.deposed = "8a3c"
	for name, tc := range map[string]struct {
		changes []reviewChange
		more    string
		want    []string
	}{
		"nothing":                       {},
		"no-op":                         {changes: []reviewChange{ofBob("no-op", bobMember, bobMember, "")}},
		"read":                          {changes: []reviewChange{{address: "data.reseller_members.all", actions: "read"}}},
		"create":                        {changes: []reviewChange{create}, want: []string{emailed}},
		"update":                        {changes: []reviewChange{ofBob("update", bobMember, strings.Replace(bobMember, `"Bob"`, `"Rob"`, 1), "")}},
		"delete":                        {changes: []reviewChange{ofBob("delete", bobMember, "", "")}, want: []string{removed}},
		"delete of a deposed object":    {changes: []reviewChange{deposed}, want: []string{strings.Replace(removed, "bob:", "bob (deposed object 8a3c):", 1)}},
		"replacement":                   {changes: []reviewChange{ofBob("delete create", bobMember, strings.Replace(newBob, acmeID, goldID, 1), `{"id":true}`)}, want: []string{removed, emailed}},
		"replacement, create first":     {changes: []reviewChange{ofBob("create delete", bobMember, strings.Replace(newBob, acmeID, goldID, 1), `{"id":true}`)}, want: []string{removed, emailed}},
		"tainted":                       {changes: []reviewChange{tainted}, want: []string{emailed}},
		"forget":                        {changes: []reviewChange{ofBob("forget", bobMember, "", "")}, want: []string{forgotten}},
		"forget and create":             {changes: []reviewChange{ofBob("create forget", bobMember, newBob, `{"id":true}`)}, want: []string{emailed, forgotten}},
		"forgotten assignment has host": {changes: []reviewChange{unchangedAcme, {address: "reseller_assignment.a", actions: "forget", before: goldAcme}}, want: []string{"forgotten reseller_assignment.a: resource removed from state only: sign.acme.example"}},
		"known after apply":             {changes: []reviewChange{ofBob("create", "", `{"first_name":"Bob"}`, `{"email":true,"private_label_id":true,"id":true}`)}, want: []string{"email reseller_member.bob: " + emailing + ": " + effect.KnownAfterApply}},
		"actions are invoked": {
			changes: []reviewChange{ofBob("no-op", bobMember, bobMember, "")},
			more: `,"action_invocations":[{"address":"action.reseller_resend_invite.bob","type":"reseller_resend_invite","provider_name":"` + reviewProvider + `","config_values":{"user_id":"` + bobID + `"},"config_unknown":{}},
				{"address":"action.reseller_resend_invite.later","type":"reseller_resend_invite","provider_name":"` + reviewProvider + `","config_values":{},"config_unknown":{"user_id":true}},
				{"address":"action.reseller_resend_invite.secret","type":"reseller_resend_invite","provider_name":"` + reviewProvider + `","config_values":{"user_id":"` + bobID + `"},"config_sensitive":{"user_id":true}},
				{"address":"action.reseller_attach_domain.x","type":"reseller_attach_domain","provider_name":"` + reviewProvider + `"},
				{"address":"action.other_send.x","type":"other_send","provider_name":"` + reviewProvider + `"}]`,
			want: []string{
				"email action.reseller_resend_invite.bob: " + emailing + ": bob@acme.example",
				"email action.reseller_resend_invite.later: " + emailing + ": " + effect.KnownAfterApply,
				"email action.reseller_resend_invite.secret: " + emailing + ": (sensitive value)",
			},
		},
		"actions are triggered": {
			changes: []reviewChange{unchangedAcme, ofBob("no-op", bobMember, bobMember, "")},
			more: `,"action_invocations":[` + triggered("reseller_resend_invite.bob", "reseller_member.bob", "AfterUpdate", "ActionOnFailureTaint") + `,` +
				triggered("reseller_resend_invite.old", "reseller_member.bob", "BeforeCreate", "") + `,` +
				triggered("other_send.x", "reseller_private_label.acme", "AfterCreate", "ActionOnFailureTaint") + `,` +
				triggered("other_send.y", "reseller_private_label.acme", "AfterCreate", "ActionOnFailureHalt") + `,` +
				triggered("other_send.z", "other_thing.x", "AfterCreate", "ActionOnFailureTaint") + `]`,
			want: []string{
				"unprotected reseller_private_label.acme: a failure of action.other_send.x taints it, so that every later apply fails until terraform untaint: sign.acme.example",
				"email action.reseller_resend_invite.bob: " + emailing + " (after_update of reseller_member.bob, on_failure = taint): bob@acme.example",
				"email action.reseller_resend_invite.old: " + emailing + " (before_create of reseller_member.bob): bob@acme.example",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := listed(t, reviewPlan(tc.more, tc.changes...))
			assert.Equal(t, append([]string{}, tc.want...), got)
		})
	}
}

// triggered is an action that a resource triggers. Terraform before 1.16 has no on_failure.
func triggered(action, resource, event, onFailure string) string {
	typ, _, _ := strings.Cut(action, ".")
	if onFailure != "" {
		onFailure = fmt.Sprintf(`,"on_failure":%q`, onFailure)
	}
	return fmt.Sprintf(`{"address":"action.%s","type":%q,"provider_name":%q,"config_values":{"user_id":%q},"lifecycle_action_trigger":{"triggering_resource_address":%q,"action_trigger_event":%q%s}}`,
		action, typ, reviewProvider, bobID, resource, event, onFailure)
}

// The provider is recognized by the types of its resources and actions, on any registry.
func TestReview_AnyRegistry(t *testing.T) {
	t.Parallel()
	const state = `,"prior_state":{"values":{"root_module":{"resources":[{"type":"reseller_private_label","provider_name":%q,"values":` + acmeLabel + `}]}}}` +
		`,"action_invocations":[{"address":"action.reseller_resend_invite.bob","type":"reseller_resend_invite","provider_name":%[1]q,"config_values":{"user_id":"u"}}]`
	want := []string{
		"email action.reseller_resend_invite.bob: " + emailing + ": u",
		"forgotten reseller_assignment.a: resource removed from state only: sign.acme.example",
	}
	for _, provider := range []string{
		reviewProvider, "registry.terraform.io/privatelabels/reseller", "registry.opentofu.org/x/y", "registry.opentofu.org/hashicorp/reseller", "example.com/a/b",
		"terraform.io/builtin/reseller", "localhost:8080/privatelabels/white-label", "privatelabels/reseller", "reseller", " ",
	} {
		forget := reviewChange{address: "reseller_assignment.a", actions: "forget", before: goldAcme, provider: provider}
		got := listed(t, reviewPlan(fmt.Sprintf(state, provider), forget))
		assert.Equal(t, want, got, provider)
		novelty := reviewPlan("", reviewChange{address: "reseller_novelty.x", actions: "create", after: "{}", provider: provider})
		if status, out, errs := runReview(t, novelty, "-fail-on", "destroyed"); status != 1 || out != "" || !strings.Contains(errs, "does not have its type") {
			t.Errorf("%s: a type of a later version: status %d, %q, %q", provider, status, out, errs)
		}
	}
	for _, typ := range []string{"resellers_member", "reseller", "my_reseller_member", "terraform_data"} {
		plan := strings.Replace(reviewPlan("", reviewChange{address: "reseller_member.bob", actions: "delete", before: bobMember}), `"type":"reseller_member"`, fmt.Sprintf(`"type":%q`, typ), 1)
		if status, out, errs := runReview(t, plan); status != 0 || !strings.Contains(out, "No effects") || !strings.Contains(errs, "has no resources of this provider") {
			t.Errorf("type %q: status %d, %q, %q", typ, status, out, errs)
		}
	}
}

func TestReview_ListsAssignments(t *testing.T) {
	t.Parallel()
	later := `{"id":true,"assignment_id":true,"package_code":true,"package_name":true,"currency":true,"assigned_at":true,"allocated":true,"attached_addons":true}`
	wants := func(addons string) string {
		return `{"private_label_id":"` + acmeID + `","package_id":"` + goldID + `","addons":` + addons + `,"allow_excess":{"documents":20}}`
	}
	gold := reviewChange{address: "reseller_package.gold", actions: "no-op", before: goldPackage, after: goldPackage}
	changesOf := func(actions, before, after, unknown string) []reviewChange {
		return []reviewChange{unchangedAcme, gold, {address: "reseller_assignment.acme", actions: actions, before: before, after: after, unknown: unknown}}
	}
	const at = " reseller_assignment.acme: "
	for name, tc := range map[string]struct {
		changes []reviewChange
		want    []string
	}{
		"create": {changesOf("create", "", wants(`{"SEATS":2}`), later), []string{
			"excess" + at + "allowance may be exceeded by up to 20: documents",
			"billed" + at + "package assigned and billed for the entire billing period: GOLD",
			"billed" + at + "add-on attached with quantity 2 and billed for the entire billing period: SEATS",
		}},
		"create, package not in the plan": {[]reviewChange{{address: "reseller_assignment.acme", actions: "create", after: wants("null"), unknown: later}}, []string{
			"excess" + at + "allowance may be exceeded by up to 20: documents",
			"billed" + at + "package assigned and billed for the entire billing period: " + goldID,
		}},
		"quantity": {changesOf("update", goldAcmeMore, strings.Replace(goldAcmeMore, `"SEATS":10`, `"SEATS":25`, 1), `{"allocated":true,"attached_addons":true}`), []string{
			"billed" + at + "quantity 10 becomes 25, both billed for the period: SEATS",
		}},
		"no longer managed": {changesOf("update", goldAcmeMore, strings.Replace(goldAcmeMore, `{"SEATS":10}`, `null`, 1), ""), []string{
			"forgotten" + at + "add-on stays attached with quantity 10 and billed, and is no longer managed: SEATS",
		}},
		"start to manage add-ons": {changesOf("update", goldAcme, strings.Replace(goldAcme, `"addons":null`, `"addons":{"SEATS":3}`, 1), `{"allocated":true,"attached_addons":true}`), []string{
			"billed" + at + "add-on attached with quantity 3 and billed for the entire billing period: SEATS",
		}},
		"package change": {changesOf("update", goldAcmeMore, strings.Replace(strings.Replace(goldAcmeMore, goldID, silverID, 1), `"SEATS":10}`, `"SEATS":3},"allow_package_change":true`, 1), `{"allocated":true,"attached_addons":true,"package_code":true}`), []string{
			"billed" + at + "GOLD becomes " + silverID + ", both billed for the period: " + silverID,
			"billed" + at + "quantity 10 becomes 3, both billed for the period: SEATS",
		}},
		"package change, add-on kept": {changesOf("update", goldAcmeMore, strings.Replace(strings.Replace(goldAcmeMore, goldID, silverID, 1), `"SEATS":10}`, `"SEATS":10},"allow_package_change":true`, 1), `{"allocated":true,"attached_addons":true,"package_code":true}`), []string{
			"billed" + at + "GOLD becomes " + silverID + ", both billed for the period: " + silverID,
			"billed" + at + "add-on detached and attached again with quantity 10, billed up to twice for the period: SEATS",
		}},
		"package change, add-on dropped": {changesOf("update", goldAcmeMore, strings.Replace(strings.Replace(goldAcmeMore, goldID, silverID, 1), `{"SEATS":10}`, `{},"allow_package_change":true`, 1), `{"allocated":true,"attached_addons":true,"package_code":true}`), []string{
			"removed" + at + "add-on detached with quantity 10: SEATS",
			"billed" + at + "detached add-on with quantity 10 stays billed until the end of the billing period: SEATS",
			"billed" + at + "GOLD becomes " + silverID + ", both billed for the period: " + silverID,
		}},
		"destroy under ABANDON": {changesOf("delete", strings.Replace(goldAcmeMore, "{", `{"deletion_policy":"ABANDON",`, 1), "", ""), []string{
			"forgotten" + at + "assignment removed from state only: GOLD",
		}},
		"destroy": {changesOf("delete", goldAcmeMore, "", ""), []string{
			"removed" + at + "add-on detached with quantity 10: SEATS",
			"removed" + at + "package removed: GOLD",
			"billed" + at + "detached add-on with quantity 10 stays billed until the end of the billing period: SEATS",
			"billed" + at + "removed package stays billed until the end of the billing period: GOLD",
		}},
		"destroy, add-ons not in state": {changesOf("delete", goldAcme, "", ""), []string{
			"removed" + at + "package removed: GOLD",
			"removed" + at + "add-on detached with quantity (known after apply), if any is attached: " + effect.KnownAfterApply,
			"billed" + at + "removed package stays billed until the end of the billing period: GOLD",
			"billed" + at + "detached add-on with quantity (known after apply) stays billed until the end of the billing period, if any is attached: " + effect.KnownAfterApply,
		}},
		"consent alone": {changesOf("update", goldAcme, strings.Replace(goldAcme, `"addons":null`, `"addons":null,"allow_excess":{"seats":3}`, 1), ""), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := listed(t, reviewPlan("", tc.changes...))
			assert.Equal(t, append([]string{}, tc.want...), got)
		})
	}
}

// A change of deletion_policy to a value under which a destroy loses more is listed, and where it is known after apply
// under which condition.
func TestReview_ListsLoweredProtection(t *testing.T) {
	t.Parallel()
	const at = "unprotected reseller_private_label.acme: "
	with := func(policy string) string { return strings.Replace(acmeLabel, `"PREVENT"`, policy, 1) }
	for name, tc := range map[string]struct {
		before, after, unknown string
		want                   []string
	}{
		"lowered":         {with(`"SUSPEND"`), with(`"DEPROVISION"`), "", []string{at + "deletion_policy changes from SUSPEND to DEPROVISION, so that a destroy deletes it permanently with its members, and its host name cannot be reused: sign.acme.example"}},
		"perhaps lowered": {acmeLabel, with("null"), `{"deletion_policy":true}`, []string{at + "deletion protection lowered from PREVENT, if deletion_policy is SUSPEND, ABANDON or DEPROVISION: sign.acme.example"}},
		"an import":       {acmeLabel, with(`"SUSPEND"`), "", []string{at + "deletion_policy changes from PREVENT to SUSPEND, so that a destroy suspends it and removes it from state: sign.acme.example"}},
		"raised":          {with(`"DEPROVISION"`), with(`"SUSPEND"`), "", []string{}},
		"an older state":  {with("null"), with(`"DEPROVISION"`), "", []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plan := reviewPlan("", reviewChange{address: "reseller_private_label.acme", actions: "update", before: tc.before, after: tc.after, unknown: tc.unknown, importing: name == "an import"})
			assert.Equal(t, tc.want, listed(t, plan))
			status, _, _ := runReview(t, plan, "-fail-on", "unprotected")
			assert.Equal(t, len(tc.want) > 0, status == 2, "status %d", status)
		})
	}
}

// An effect that a value known after apply decides says so in each format.
func TestReview_SaysConditions(t *testing.T) {
	t.Parallel()
	for phrase, c := range map[string]reviewChange{
		"members signed out by a suspension, if suspended is true": {address: "reseller_private_label.acme", actions: "update", before: acmeLabel, after: acmeLabel, unknown: `{"suspended":true}`},
		"package deactivated, if active is false":                  {address: "reseller_package.gold", actions: "update", before: goldPackage, after: strings.Replace(goldPackage, "true", "null", 1), unknown: `{"active":true}`},
		"GOLD becomes (known after apply), both billed for the period, if package_id is another package": {
			address: "reseller_assignment.a", actions: "update", before: goldAcmeMore,
			after: strings.Replace(goldAcmeMore, `"package_id":"`+goldID+`"`, `"allow_package_change":true`, 1), unknown: `{"package_id":true,"allocated":true}`,
		},
		"add-on detached with quantity 10, if addons changes it": {
			address: "reseller_assignment.a", actions: "update", before: goldAcmeMore, after: strings.Replace(goldAcmeMore, `"addons":{"SEATS":10}`, `"addons":null`, 1), unknown: `{"addons":true,"allocated":true}`,
		},
		"add-on attached with quantity (known after apply) and billed for the entire billing period, if addons lists any": {
			address: "reseller_assignment.a", actions: "update", before: goldAcmeMore, after: strings.Replace(goldAcmeMore, `"addons":{"SEATS":10}`, `"addons":null`, 1), unknown: `{"addons":true,"allocated":true}`,
		},
	} {
		for _, format := range []string{"text", "markdown", "json"} {
			status, out, errs := runReview(t, reviewPlan("", unchangedAcme, c), "-format", format)
			assert.Equal(t, 0, status, "%s: status, %s%s, want %q", format, out, errs, phrase)
			assert.Contains(t, strings.Join(strings.Fields(out), " "), phrase, "%s: status %d,%s", format, status, errs)
			assert.NotContains(t, out, "may be ", "%s: status %d,%s, want %q", format, status, errs, phrase)
		}
	}
}

func TestReview_ListsSetsOfMembers(t *testing.T) {
	t.Parallel()
	const at = " reseller_members.team: "
	set := func(label, ids, ownersAndAdmins string, emails ...string) string {
		people := make([]string, 0, len(emails))
		for _, email := range emails {
			people = append(people, fmt.Sprintf(`%q:{"first_name":"A","last_name":"B"}`, email))
		}
		return fmt.Sprintf(`{"id":%[1]q,"private_label_id":%[1]q,"members":{%[2]s},"user_ids":{%[3]s},"owners_and_admins":[%[4]s]}`, label, strings.Join(people, ","), ids, ownersAndAdmins)
	}
	const bob, eve, ada = "bob@acme.example", "eve@acme.example", "ada@acme.example"
	ids := fmt.Sprintf(`%q:"b",%q:"a"`, bob, ada)
	was := set(acmeID, ids, fmt.Sprintf("%q", ada), bob, ada)
	stays := "forgotten" + at + "members removed from state only: sign.acme.example"
	for name, tc := range map[string]struct {
		actions, before, after, unknown string
		want                            []string
	}{
		"create":              {"create", "", set(acmeID, "", "", bob, eve), `{"user_ids":true,"owners_and_admins":true}`, []string{"email" + at + "" + emailing + ": " + bob, "email" + at + "" + emailing + ": " + eve}},
		"exchange":            {"update", was, set(acmeID, fmt.Sprintf(`%q:"a"`, ada), "", ada, eve), fmt.Sprintf(`{"user_ids":{%q:true},"owners_and_admins":true}`, eve), []string{"removed" + at + "" + signedOut + ": " + bob, "email" + at + "" + emailing + ": " + eve}},
		"without an admin":    {"update", was, set(acmeID, fmt.Sprintf(`%q:"b"`, bob), "", bob), "", []string{"forgotten" + at + "owner or admin no longer managed: " + ada}},
		"unknown map":         {"update", was, fmt.Sprintf(`{"id":%[1]q,"private_label_id":%[1]q}`, acmeID), `{"members":true,"user_ids":true,"owners_and_admins":true}`, []string{}},
		"other private label": {"delete create", was, set(goldID, "", "", bob), `{"user_ids":true,"owners_and_admins":true}`, []string{"email" + at + "" + emailing + ": " + bob, stays}},
		"delete":              {"delete", was, "", "", []string{stays}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			change := reviewChange{address: "reseller_members.team", actions: tc.actions, before: tc.before, after: tc.after, unknown: tc.unknown}
			got := listed(t, reviewPlan("", unchangedAcme, change))
			assert.Equal(t, tc.want, got)
		})
	}
}

// A data source is only in the state that the plan was made from.
func TestReview_NamesFromState(t *testing.T) {
	t.Parallel()
	state := `,"prior_state":{"format_version":"1.0","values":{"outputs":{},"root_module":{"resources":[],"child_modules":[{"address":"module.x","resources":[
		{"address":"module.x.data.reseller_private_label.acme","mode":"data","type":"reseller_private_label","provider_name":"` + reviewProvider + `","values":` + acmeLabel + `,"sensitive_values":%s}]}]}}}`
	destroy := reviewChange{address: "reseller_assignment.acme", actions: "delete", before: goldAcmeMore}
	for sensitive, host := range map[string]string{"{}": "sign.acme.example", `{"domain":true}`: ""} {
		for _, row := range reviewed(t, reviewPlan(fmt.Sprintf(state, sensitive), destroy)) {
			assert.Equal(t, host, string(row.Host), "%s: %+v", sensitive, row)
			assert.Equal(t, acmeID, string(row.PrivateLabelID), "%s: %+v", sensitive, row)
		}
	}
}

// Sensitive values are never shown, but their effects are.
func TestReview_HidesSensitiveValues(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change reviewChange
		want   string
	}{
		"email address": {
			reviewChange{address: "reseller_member.bob", actions: "create", after: strings.ReplaceAll(newBob, "bob@", "BOB@"), unknown: `{"id":true}`, afterSensitive: `{"email":true}`},
			"email reseller_member.bob: " + emailing + ": (sensitive value)",
		},
		"code in another case": {
			reviewChange{address: "reseller_package.gold", actions: "create", after: `{"code":"gold","name":"Gold","currency":"EUR","active":true}`, afterSensitive: `{"code":true}`},
			"permanent reseller_package.gold: package code created: (sensitive value)",
		},
		"quantity": {
			reviewChange{address: "reseller_assignment.a", actions: "delete", before: goldAcmeMore, beforeSensitive: `{"attached_addons":{"SEATS":{"quantity":true}}}`},
			"removed reseller_assignment.a: add-on detached with quantity (sensitive value): SEATS",
		},
		"whole map": {
			reviewChange{address: "reseller_assignment.a", actions: "delete", before: goldAcmeMore, beforeSensitive: `{"attached_addons":true}`},
			"removed reseller_assignment.a: add-on detached with quantity (sensitive value): (sensitive value)",
		},
		"words of a phrase": {
			reviewChange{address: "reseller_member.bob", actions: "delete", before: strings.NewReplacer(`"Bob"`, `"and"`, `"Byte"`, `"out"`).Replace(bobMember), beforeSensitive: `{"first_name":true,"last_name":true}`},
			"removed reseller_member.bob: " + signedOut + ": bob@acme.example",
		},
		"a policy that is lowered": {
			reviewChange{address: "reseller_private_label.acme", actions: "update", before: acmeLabel, after: strings.Replace(acmeLabel, "PREVENT", "SUSPEND", 1), afterSensitive: `{"deletion_policy":true}`},
			"unprotected reseller_private_label.acme: deletion_policy changes from PREVENT to (sensitive value), so that a destroy suspends it and removes it from state: sign.acme.example",
		},
		"a policy decides as before": {
			reviewChange{address: "reseller_private_label.acme", actions: "delete", before: strings.Replace(acmeLabel, "PREVENT", "DEPROVISION", 1), beforeSensitive: `{"deletion_policy":true}`},
			"destroyed reseller_private_label.acme: private label deprovisioned with its members: sign.acme.example",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Contains(t, listed(t, reviewPlan("", tc.change)), tc.want)
		})
	}
}

// An input that is not a plan, or that this version cannot review, is an error that says what to do.
func TestReview_RejectsOtherInput(t *testing.T) {
	t.Parallel()
	planOf := func(c reviewChange) string { return reviewPlan("", c) }
	for name, tc := range map[string]struct{ in, want string }{
		"empty":                  {"", "ends in the middle"},
		"white space":            {" \n", "ends in the middle"},
		"binary plan":            {"PK\x03\x04rest", "in its binary form. Run `terraform show -json PLAN`"},
		"UTF-16":                 {"\xff\xfe{\x00", "UTF-16"},
		"text":                   {"Terraform will perform the following actions", "not the JSON of a plan"},
		"null":                   {"null", "not of a plan"},
		"list":                   {"[]", "not the JSON of a plan"},
		"cut off":                {reviewPlan("")[:60], "ends in the middle"},
		"two values":             {reviewPlan("") + "{}", "more than one JSON value"},
		"another object":         {`{"a":1}`, "not of a plan"},
		"state":                  {`{"format_version":"1.0","terraform_version":"1.14.0","values":{"root_module":{}}}`, "is a state, not a plan"},
		"no state":               {`{"format_version":"1.0"}`, "not of a plan"},
		"state file":             {`{"version":4,"terraform_version":"1.14.0","serial":1,"lineage":"x","outputs":{},"resources":[]}`, "is a state, not a plan"},
		"log":                    {`{"@level":"info","@message":"Terraform 1.14.0"}` + "\n" + `{"@level":"info"}`, "more than one JSON value"},
		"another format":         {strings.Replace(reviewPlan(""), `"1.2"`, `"2.0"`, 1), `format version "2.0"`},
		"errored":                {reviewPlan(`,"errored":true`), "ended with an error"},
		"changes are no list":    {`{"format_version":"1.2","planned_values":{},"resource_changes":{}}`, "not the JSON of a plan"},
		"unknown action":         {planOf(reviewChange{address: "reseller_member.bob", actions: "evict"}), `"evict" is not known to this version`},
		"unknown type":           {planOf(reviewChange{address: "reseller_novelty.x", actions: "create", after: "{}"}), "review with the version that made the plan"},
		"other value":            {planOf(reviewChange{address: "reseller_member.bob", actions: "create", after: `{"email":{"a":1}}`}), "after.email: this is not a string"},
		"huge number":            {planOf(reviewChange{address: "reseller_assignment.a", actions: "create", after: `{"allow_excess":{"seats":1e100000000}}`}), "this is not a number"},
		"create without after":   {planOf(reviewChange{address: "reseller_member.bob", actions: "create"}), "reseller_member.bob of the plan cannot be reviewed: its planned object is null or has no email"},
		"update without after":   {planOf(reviewChange{address: "reseller_member.bob", actions: "update", before: bobMember}), "its planned object is null"},
		"delete without before":  {planOf(reviewChange{address: "reseller_member.bob", actions: "delete"}), "its object before the change is null"},
		"forget without before":  {planOf(reviewChange{address: "reseller_member.bob", actions: "forget"}), "its object before the change is null"},
		"create of nulls":        {planOf(reviewChange{address: "reseller_member.bob", actions: "create", after: `{"email":null,"first_name":null}`}), "its planned object is null or has no email"},
		"update to nulls":        {planOf(reviewChange{address: "reseller_member.bob", actions: "update", before: bobMember, after: `{"email":null}`}), "its planned object is null or has no email"},
		"delete of nulls":        {planOf(reviewChange{address: "reseller_private_label.acme", actions: "delete", before: `{"domain":null}`}), "its object before the change is null or has no domain"},
		"rows of nulls":          {`{"format_version":"1.2","planned_values":{},"resource_changes":[null,null]}`, "The plan cannot be read: it has a change without an address or a type"},
		"drift of nulls":         {`{"format_version":"1.2","planned_values":{},"resource_drift":[null]}`, "a change without an address"},
		"empty rows":             {`{"format_version":"1.2","planned_values":{},"resource_changes":[{}]}`, "a change without an address"},
		"invocations of nulls":   {reviewPlan(`,"action_invocations":[null]`), "an invocation of an action without a type"},
		"deep":                   {`{"format_version":"1.2","planned_values":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + "}", "not the JSON of a plan"},
		"deep modules":           {`{"format_version":"1.2","prior_state":{"values":{"root_module":` + strings.Repeat(`{"child_modules":[`, 20000) + "}}", "not the JSON of a plan"},
		"unknown type of action": {reviewPlan(`,"action_invocations":[{"address":"action.reseller_new.x","type":"reseller_new","provider_name":"` + reviewProvider + `"}]`), "review with the version that made the plan"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, format := range []string{"text", "markdown", "json"} {
				status, out, errs := runReview(t, tc.in, "-format", format)
				if status != 1 || out != "" || !strings.HasPrefix(errs, "terraform-provider-reseller review: ") || !strings.Contains(errs, tc.want) || strings.Count(errs, "\n") != 1 {
					t.Errorf("status %d, %q, %q; want %q", status, out, errs, tc.want)
				}
			}
		})
	}
}

// A partial plan is reviewed, and the output says so.
func TestReview_PartialPlans(t *testing.T) {
	t.Parallel()
	for more, partial := range map[string]bool{
		"": false, `,"complete":true`: false, `,"complete":false`: true, `,"deferred_changes":[{"reason":"unknown"}]`: true, `,"deferred_action_invocations":[{}]`: true,
	} {
		for _, format := range []string{"text", "markdown"} {
			status, out, _ := runReview(t, reviewPlan(more), "-format", format)
			assert.Equal(t, 0, status, "%q: status, %s", more, out)
			assert.Equal(t, partial, strings.Contains(out, "The plan is partial"), "%q: status %d, %s", more, status, out)
		}
	}
}

func TestReview_Arguments(t *testing.T) {
	t.Parallel()
	plan := reviewPlan("", reviewChange{address: "reseller_member.bob", actions: "delete", before: bobMember})
	file := filepath.Join(t.TempDir(), "plan.json")
	require.NoError(t, os.WriteFile(file, []byte("\xef\xbb\xbf"+plan), 0o600))
	for name, tc := range map[string]struct {
		args   []string
		in     string
		status int
		says   string // on either output
	}{
		"standard input":           {nil, plan, 0, "bob@acme.example"},
		"dash":                     {[]string{"-"}, plan, 0, "bob@acme.example"},
		"file with a mark":         {[]string{file}, "", 0, "bob@acme.example"},
		"two dashes":               {[]string{"--format=json", "--", file}, "", 0, `"format_version": "1.1"`},
		"other kinds":              {[]string{"-fail-on", "email,destroyed"}, plan, 0, "bob@acme.example"},
		"kind that occurs":         {[]string{"-fail-on", "email,removed"}, plan, 2, "bob@acme.example"},
		"flag twice":               {[]string{"-fail-on", "removed", "-fail-on=email"}, plan, 2, "bob@acme.example"},
		"more than some":           {[]string{"-fail-on", "removed>0"}, plan, 2, "bob@acme.example"},
		"one of two":               {[]string{"-fail-on", "email>0,removed>0"}, plan, 2, "bob@acme.example"},
		"as many as pass":          {[]string{"-fail-on", "removed>1,email>1"}, plan, 0, "bob@acme.example"},
		"no number":                {[]string{"-fail-on", "removed>many"}, plan, 1, `"many" is not a number of 0 or more; write removed>5`},
		"a negative number":        {[]string{"-fail-on", "removed>-1"}, plan, 1, "is not a number"},
		"unknown kind":             {[]string{"-fail-on", "removed,eaten"}, plan, 1, "unknown kind; kinds are drift, conflict, destroyed"},
		"no kind":                  {[]string{"-fail-on", ""}, plan, 1, "unknown kind"},
		"unknown format":           {[]string{"-format", "xml"}, plan, 1, `invalid value "xml" for flag -format: values are text, markdown and json`},
		"unknown flag":             {[]string{"-nope"}, plan, 1, "-nope; see terraform-provider-reseller review -h"},
		"two files":                {[]string{file, "-format=json"}, plan, 1, `unexpected argument "-format=json"`},
		"no file":                  {[]string{file + ".none"}, plan, 1, "no such file"},
		"directory":                {[]string{filepath.Dir(file)}, plan, 1, "is a directory"},
		"help":                     {[]string{"-h"}, "", 0, "Usage: terraform show -json PLAN | terraform-provider-reseller review"},
		"fail, but the plan is no": {[]string{"-fail-on", "removed"}, "{}", 1, "not of a plan"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, out, errs := runReview(t, tc.in, tc.args...)
			if status != tc.status || !strings.Contains(out+errs, tc.says) || (status == 1) != (errs != "") || (status == 1) != (out == "") {
				t.Errorf("status %d, want %d: %q, %q, want %q", status, tc.status, out, errs, tc.says)
			}
		})
	}
}

// A reviewer names an object by one of its attributes.
func TestReview_Subjects(t *testing.T) {
	t.Parallel()
	for _, r := range provider.Reviewers().Resources {
		assert.Contains(t, r.Shape.String(), `"`+r.Subject+`"`, "%s has no attribute %s", r.Type, r.Subject)
	}
}

func FuzzReview(f *testing.F) {
	f.Add(reviewPlan("", unchangedAcme, reviewChange{address: "reseller_assignment.acme", actions: "update", before: goldAcmeMore, after: goldAcme, unknown: `{"allocated":true}`}))
	f.Add(reviewPlan(`,"complete":false`, reviewChange{address: "reseller_document.d", actions: "create", after: `{"title":"T","signers":[{"email":"a@b.example","annotations":[null]}]}`, unknown: `{"signers":[{"annotations":[true]}]}`}))
	f.Add(reviewPlan("", reviewChange{address: "reseller_package.p", actions: "delete create", before: goldPackage, after: goldPackage, beforeSensitive: `{"code":true}`}))
	known := provider.Reviewers()
	f.Fuzz(func(t *testing.T, plan string) {
		for _, format := range []string{"text", "markdown", "json"} {
			var stdout, stderr bytes.Buffer
			status := review.Main(t.Context(), []string{"-format", format}, known, time.Time{}, strings.NewReader(plan), &stdout, &stderr)
			if status == 0 && stderr.Len() > 0 || status == 1 && stderr.Len() == 0 || status > 1 {
				t.Errorf("status %d: %q, %q", status, stdout.String(), stderr.String())
			}
		}
	})
}
