package provider_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/review"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

var foldedTable = regexp.MustCompile(`<details><summary>(.*?): (\d+) effects?: `)

// Up to 40 rows are one table. More are folded by private label, whether its ID is known or not, and a comment stays
// short however many there are.
func TestReview_Folds(t *testing.T) {
	t.Parallel()
	many := func(labels int) string {
		changes := []reviewChange{{address: "reseller_package.gold", actions: "create", after: `{"code":"GOLD","name":"Gold","currency":"EUR"}`, unknown: `{"id":true}`}}
		for i := range labels {
			host := fmt.Sprintf("sign.client-%03d.example", i)
			id := fmt.Sprintf("%032x", i+1)
			label := fmt.Sprintf(`{"id":%q,"domain":%q,"status":"Active","deletion_policy":"PREVENT"}`, id, host)
			member := fmt.Sprintf(`{"id":%q,"private_label_id":%q,"email":"m%d@x.example","first_name":"M","last_name":"X","role":"member"}`, bobID, id, i)
			changes = append(changes,
				reviewChange{address: fmt.Sprintf("reseller_private_label.c[%d]", i), actions: "no-op", before: label, after: label},
				reviewChange{address: fmt.Sprintf("reseller_member.a[%d]", i), actions: "delete", before: member},
				reviewChange{address: fmt.Sprintf("reseller_member.b[%d]", i), actions: "create", after: strings.NewReplacer(bobID, "", fmt.Sprintf("m%d@", i), fmt.Sprintf("n%d@", i)).Replace(member), unknown: `{"id":true}`},
			)
		}
		return reviewPlan("", changes...)
	}
	markdown := func(plan string) string {
		status, out, errs := runReview(t, plan, "-format", "markdown")
		require.Equal(t, 0, status, "status: %s", errs)
		require.Empty(t, errs, "status %d", status)
		return out
	}
	if flat := markdown(many(19)); strings.Contains(flat, "<details>") || strings.Count(flat, "\n| ") != 1+39 {
		t.Errorf("39 rows:\n%s", flat)
	}
	folded := markdown(many(20))
	tables := foldedTable.FindAllStringSubmatch(folded, -1)
	if len(tables) != 21 || tables[0][1] != "<code>sign.client-000.example</code>" || tables[0][2] != "1" || tables[20][1] != "Other resources" {
		t.Errorf("%d tables:\n%s", len(tables), folded)
	}
	if !strings.Contains(folded, "41 effects: 20 removed, 1 permanent, 20 email.\n\n| Kind | Number |\n|---|---|\n| removed | 20 |\n| permanent | 1 |\n| email | 20 |\n\n| Kind | Portal | Resource |") {
		t.Errorf("no summary:\n%s", folded)
	}
	large := markdown(many(500))
	shownNamed, _, _ := strings.Cut(large, "<details>")
	for i := range 500 {
		assert.Contains(t, shownNamed, fmt.Sprintf("m%d@x.example", i), "the removal of m%d@x.example is not named", i)
	}
	shown := strings.Count(large, "| email | `reseller_member.")
	if len([]rune(large)) >= 60_000 || shown < 50 || !strings.Contains(large, fmt.Sprintf("\n%d more effects are not shown: 1 permanent, %d email.", 501-shown, 500-shown)) {
		t.Errorf("%d characters, %d rows: …%s", len(large), shown, large[max(0, len(large)-300):])
	}
	opened, closed := strings.Count(large, "<details>"), strings.Count(large, "</details>")
	assert.Equal(t, closed, opened, "tables are opened, closed")
}

// What is created with its private label is in that one's table: the same instance of a resource or module.
func TestReview_FoldsPlanned(t *testing.T) {
	t.Parallel()
	var changes []string
	for i := range 21 {
		for _, r := range []struct{ address, typ, after, unknown string }{
			{"reseller_private_label.c", "reseller_private_label", fmt.Sprintf(`{"domain":"c%02d.example","app_name":"C","owner":{"email":"o%[1]d@x.example","first_name":"O","last_name":"X"}}`, i), `{"id":true}`},
			{"reseller_member.m", "reseller_member", fmt.Sprintf(`{"email":"m%d@x.example","first_name":"M","last_name":"X"}`, i), `{"id":true,"private_label_id":true}`},
		} {
			changes = append(changes, fmt.Sprintf(`{"address":"module.all.%s[\"%d\"]","module_address":"module.all","index":"%d","type":%q,"change":{"actions":["create"],"before":null,"after":%s,"after_unknown":%s}}`,
				r.address, i, i, r.typ, r.after, r.unknown))
		}
	}
	const config = `{"root_module":{"module_calls":{"all":{"module":{"resources":[{"mode":"managed","type":"reseller_member","name":"m","expressions":{"private_label_id":{"references":["reseller_private_label.c","each.key"]}}}]}}}}}`
	plan := fmt.Sprintf(`{"format_version":"1.2","planned_values":{},"resource_changes":[%s],"configuration":%s}`, strings.Join(changes, ","), config)
	_, out, _ := runReview(t, plan, "-format", "markdown")
	tables := foldedTable.FindAllStringSubmatch(out, -1)
	require.Len(t, tables, 21, out)
	assert.Equal(t, "<code>c20.example</code>", tables[20][1], "%q\n%s", tables, out)
	assert.Equal(t, "3", tables[20][2], "%q\n%s", tables, out)
	odd := strings.ReplaceAll(plan, `"index":"0"`, `"index":{"a":[1]}`)
	status, _, errs := runReview(t, odd)
	assert.Equal(t, 0, status, "an impossible index, %s", errs)
}

// A member belongs to the private label that the configuration refers to, in any module and under any key.
func TestReview_FollowsReferences(t *testing.T) {
	t.Parallel()
	refers := func(references string) string { return `{"references":[` + references + `]}` }
	member := func(references string) string {
		return `{"mode":"managed","type":"reseller_member","name":"m","for_each_expression":` + refers(`"module.p"`) + `,"expressions":{"private_label_id":` + refers(references) + `}}`
	}
	create := func(address, after, unknown string) string {
		at := strings.LastIndex(address, "reseller_")
		typ, rest, _ := strings.Cut(address[at:], ".")
		name, _, _ := strings.Cut(rest, "[")
		return fmt.Sprintf(`{"address":%q,"module_address":%q,"mode":"managed","type":%q,"name":%q,"change":{"actions":["create"],"after":%s,"after_unknown":%s}}`,
			address, strings.TrimSuffix(address[:at], "."), typ, name, after, unknown)
	}
	label := func(address, host string) string {
		return create(address, fmt.Sprintf(`{"domain":%q}`, host), `{"id":true}`)
	}
	hostOf := func(address string) string {
		return create(address, `{"email":"bob@x.example"}`, `{"id":true,"private_label_id":true}`)
	}
	two := []string{label("reseller_private_label.a", "a.example"), label("reseller_private_label.b", "b.example")}
	keyed := []string{label(`reseller_private_label.c["a"]`, "a.example"), label(`reseller_private_label.c["b"]`, "b.example")}
	modules := []string{label(`module.p["a"].reseller_private_label.this`, "a.example"), label(`module.p["b"].reseller_private_label.this`, "b.example")}
	root := func(references string) string { return `"resources":[` + member(references) + `]` }
	inModule := func(root, outputs string) string {
		return root + `,"module_calls":{"p":{"for_each_expression":{},"module":{"outputs":{` + strings.NewReplacer(`"id":{`, `"id":{"expression":{`, `"other":{`, `"other":{"expression":{`, `]}`, `]}}`).Replace(outputs) + `}}}}`
	}
	for name, tc := range map[string]struct {
		changes []string
		subject string
		config  string
	}{
		"by name":              {two, "reseller_member.m", root(`"reseller_private_label.a.id","reseller_private_label.a"`)},
		"by the same key":      {keyed, `reseller_member.m["a"]`, root(`"reseller_private_label.c","each.key"`)},
		"by a constant key":    {keyed, `reseller_member.m["b"]`, root(`"reseller_private_label.c[\"a\"].id","reseller_private_label.c[\"a\"]","reseller_private_label.c"`)},
		"by a part of the key": {keyed, `reseller_member.m["a/bob@x.example"]`, root(`"reseller_private_label.c","each.value.client"`)},
		"by a variable": {
			keyed, `module.x.module.team["a"].reseller_member.m["bob"]`,
			`"module_calls":{"x":{"expressions":{"ids":{"references":["reseller_private_label.c"]}},"module":{"module_calls":{"team":{"expressions":{"label":{"references":["var.ids","each.key"]}},"module":{"resources":[` + member(`"var.label"`) + `]}}}}}}`,
		},
		"by what for_each repeats": {modules, `reseller_member.m["a"]`, inModule(root(`"each.value.id","each.value"`), `"id":`+refers(`"reseller_private_label.this.id","reseller_private_label.this"`))},
		"by an output":             {modules, `reseller_member.m`, inModule(root(`"module.p[\"a\"].id","module.p[\"a\"]","module.p"`), `"id":`+refers(`"reseller_private_label.this.id","reseller_private_label.this"`))},
		"by an output and the key": {modules, `reseller_member.m["a/bob"]`, inModule(root(`"module.p","each.key"`), `"id":`+refers(`"reseller_private_label.this.id"`)+`,"other":`+refers(`"var.other"`))},
		"by the key of a local":    {modules, `reseller_member.m["a"]`, root(`"local.ids","each.key"`)},
		"by another resource": {
			two, "reseller_member.m",
			`"resources":[` + member(`"reseller_assignment.x.private_label_id","reseller_assignment.x"`) + `,{"mode":"managed","type":"reseller_assignment","name":"x","expressions":{"private_label_id":` + refers(`"reseller_private_label.a.id"`) + `}}]`,
		},
		"by a local value in its module": {modules, `module.p["a"].reseller_member.m["bob@x.example"]`, `"module_calls":{"p":{"module":{"resources":[` + member(`"local.id"`) + `]}}}`},
	} {
		plan := fmt.Sprintf(`{"format_version":"1.2","planned_values":{},"resource_changes":[%s],"configuration":{"root_module":{%s}}}`, strings.Join(append(tc.changes, hostOf(tc.subject)), ","), tc.config)
		found, err := review.Read(t.Context(), strings.NewReader(plan), provider.Reviewers(), review.Options{})
		require.NoError(t, err, name)
		for _, row := range found.Rows {
			if row.Address == tc.subject && row.Host != "a.example" {
				t.Errorf("%s: the member is of %q", name, row.Host)
			}
		}
	}
}

// What the console, the platform, and DNS change is in a refresh-only plan; the review says it in words.
func TestReview_Drift(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	must := func(err error) {
		t.Helper()
		require.NoError(t, err)
	}
	var ids []string
	for _, code := range []string{"GOLD", "SILVER"} {
		id, err := w.Sim.AddPackage(code, map[string]float64{"seats": 10, "documents": 10}, true)
		must(err)
		ids = append(ids, id)
	}
	must(w.Sim.AssignInConsole(providertest.AcmeHost, ids[0], nil))
	must(w.Sim.CorrectDNS(providertest.AcmeHost))
	other, err := w.Sim.AddConsoleLabel("sign.other.example", "eve@other.example")
	must(err)
	gone, err := w.Sim.AddConsoleLabel("sign.gone.example", "eve@gone.example")
	must(err)
	c := w.Cli()
	c.Config(w.Config(fmt.Sprintf(`
resource "reseller_private_label" "acme" {
  domain = %q
}
resource "reseller_private_label" "other" {
  domain = "sign.other.example"
}
resource "reseller_private_label" "gone" {
  domain = "sign.gone.example"
}
data "reseller_private_label" "dns" {
  for_each = toset(["sign.other.example", %[1]q])
  domain   = each.key
}
resource "reseller_assignment" "acme" {
  private_label_id = %q
  package_id       = %q
}
resource "reseller_members" "acme" {
  private_label_id = %[2]q
  members          = { "bob@acme.example" = { first_name = "Bob", last_name = "Byte" } }
}
resource "reseller_package" "silver" {
  code     = "SILVER"
  name     = "SILVER"
  currency = "EUR"
}
import {
  to = reseller_private_label.acme
  id = %[2]q
}
import {
  to = reseller_assignment.acme
  id = %[2]q
}
import {
  to = reseller_private_label.other
  id = %[4]q
}
import {
  to = reseller_private_label.gone
  id = %[5]q
}
import {
  to = reseller_package.silver
  id = "SILVER"
}
`, providertest.AcmeHost, w.Label, ids[0], other, gone)))
	c.Apply().WantOK(t)
	rows := func(flags ...string) (int, []string) {
		c.Ok(append([]string{"plan", "-no-color", "-out=drift.plan"}, flags...)...)
		plan := c.Raw("show", "-json", "drift.plan")
		status, out, errs := runReview(t, plan, "-drift", "-fail-on", "drift>2", "-format", "json")
		var listed struct{ Effects []review.Row }
		require.NoError(t, json.Unmarshal([]byte(out), &listed), errs)
		var texts []string
		for _, r := range listed.Effects {
			texts = append(texts, fmt.Sprintf("%s %s: %s: %s", r.Kind, r.Address, r.What, r.Subject))
		}
		return status, texts
	}
	if status, quiet := rows("-refresh-only"); status != 0 || len(quiet) > 0 {
		t.Errorf("without a change: %d, %q", status, quiet)
	}
	must(w.Sim.SuspendByPlatform("sign.other.example", "unpaid"))
	must(w.Sim.BreakDNS(providertest.AcmeHost))
	w.Sim.Clock().Advance(2 * time.Minute) // the API checks DNS at most once a minute
	must(w.Sim.MoveAway("sign.gone.example"))
	must(w.Sim.RemovePersonInConsole(providertest.AcmeHost, "bob@acme.example"))
	_, err = w.Sim.AddPersonInConsole(providertest.AcmeHost, "carol@acme.example", "Carol", "Code")
	must(err)
	must(w.Sim.AssignInConsole(providertest.AcmeHost, ids[1], nil))
	w.UpdateItem("package", ids[1], `"active": false`)
	status, got := rows("-refresh-only")
	want := []string{
		"drift data.reseller_private_label.dns[\"" + providertest.AcmeHost + "\"]: DNS no longer verified: " + providertest.AcmeHost,
		"drift reseller_assignment.acme: package changed in the console from GOLD to SILVER: SILVER",
		"drift reseller_members.acme: a member joined: carol@acme.example",
		"drift reseller_members.acme: a member left: bob@acme.example",
		"drift reseller_package.silver: deactivated in the console: SILVER",
		"drift reseller_private_label.gone: " + labelGone + ": sign.gone.example",
		"drift reseller_private_label.other: suspended by the platform: sign.other.example",
	}
	slices.Sort(got)
	assert.Equal(t, 2, status, "drift\n%s", strings.Join(got, "\n"))
	assert.Equal(t, want, got, "drift")
}

const labelGone = "no longer in the list of the reseller's private labels: deprovisioned, or moved by the platform"

// Drift is by harm: a private label that is gone is one row, first, with what went with it beneath.
func TestReview_DriftByHarm(t *testing.T) {
	t.Parallel()
	other := strings.NewReplacer(acmeID, goldID, "sign.acme", "sign.other").Replace
	drifted := func(address, before, after string) string {
		actions := "update"
		if after == "" {
			actions = "delete"
		}
		return reviewChange{address: address, actions: actions, before: before, after: after}.json()
	}
	drift := strings.Join([]string{
		drifted("reseller_assignment.acme", goldAcme, ""),
		drifted("reseller_assignment.other", other(goldAcme), ""),
		drifted("reseller_member.bob", bobMember, ""),
		drifted("reseller_package.gold", goldPackage, strings.Replace(goldPackage, "4900", "5900", 1)),
		drifted("reseller_private_label.acme", acmeLabel, ""),
		drifted("reseller_private_label.other", other(acmeLabel), strings.Replace(other(acmeLabel), `"Active"`, `"Suspended","suspended_by":"Platform"`, 1)),
	}, ",")
	plan := reviewPlan(`,"resource_drift":[`+drift+`]`, unchangedAcme)
	status, out, _ := runReview(t, plan, "-drift", "-fail-on", "drift>4", "-format", "json")
	assert.Equal(t, 0, status)
	var found struct{ Effects []review.Row }
	require.NoError(t, json.Unmarshal([]byte(out), &found))
	var addresses []string
	for _, r := range found.Effects {
		addresses = append(addresses, r.Address)
	}
	assert.Equal(t, []string{"reseller_private_label.acme", "reseller_private_label.other", "reseller_assignment.other", "reseller_package.gold"}, addresses)
	assert.Equal(t, labelGone, found.Effects[0].What)
	assert.Equal(t, []any{"reseller_assignment.acme (GOLD)", "reseller_member.bob (bob@acme.example)"}, found.Effects[0].Before)
	_, out, _ = runReview(t, plan, "-drift")
	assert.Contains(t, out, "       reseller_private_label.acme\n       - reseller_assignment.acme (GOLD)\n       - reseller_member.bob (bob@acme.example)\n")
	_, out, _ = runReview(t, plan, "-drift", "-format", "markdown")
	assert.Contains(t, out, "<br>`reseller_assignment.acme (GOLD)`<br>`reseller_member.bob (bob@acme.example)` | `sign.acme.example` |\n")
}

func TestReview_DriftWords(t *testing.T) {
	t.Parallel()
	label := func(more string) string {
		return `{"id":"` + acmeID + `","domain":"sign.acme.example","deletion_policy":"PREVENT",` + more + `}`
	}
	attached := func(addons string) string {
		return `{"private_label_id":"` + acmeID + `","package_id":"` + goldID + `","package_code":"GOLD","attached_addons":` + addons + `}`
	}
	seats := func(n int) string {
		return fmt.Sprintf(`"SEATS":{"addon_id":"s","subscription_addon_id":"x","name":"Seats","quantity":%d}`, n)
	}
	set := func(members, above string) string {
		return `{"private_label_id":"` + acmeID + `","members":` + members + `,"user_ids":{},"owners_and_admins":` + above + `}`
	}
	const bob = `"bob@acme.example":{"first_name":"B","last_name":"B"}`
	for name, tc := range map[string]struct {
		typ, before, after string
		want               []string
	}{
		"DNS lost":          {"private_label", label(`"status":"Active","domain_verified":true,"domain_attached":true`), label(`"status":"Active","domain_verified":false,"domain_attached":false`), []string{"host name no longer attached: sign.acme.example: true -> false", "DNS no longer verified: sign.acme.example: true -> false"}},
		"DNS live":          {"private_label", label(`"domain_verified":false`), label(`"domain_verified":true`), []string{"DNS verified: sign.acme.example: false -> true"}},
		"console suspends":  {"private_label", label(`"status":"Active"`), label(`"status":"Suspended","suspended_by":"Reseller"`), []string{"suspended in the console: sign.acme.example: Active -> Suspended"}},
		"platform suspends": {"private_label", label(`"status":"Suspended","suspended_by":"Reseller"`), label(`"status":"Suspended","suspended_by":"Platform"`), []string{"suspended by the platform: sign.acme.example: Suspended -> Suspended"}},
		"unsuspended":       {"private_label", label(`"status":"Suspended"`), label(`"status":"Active"`), []string{"no longer suspended: sign.acme.example: Suspended -> Active"}},
		"owner":             {"private_label", label(`"owner":{"user_id":"a","email":"ada@acme.example"}`), label(`"owner":{"user_id":"b","email":"bob@acme.example"}`), []string{"another owner: bob@acme.example: ada@acme.example -> bob@acme.example"}},
		"label gone":        {"private_label", label(`"status":"Active"`), "", []string{labelGone + ": sign.acme.example: <nil> -> <nil>"}},
		"add-on attached":   {"assignment", attached(`{}`), attached(`{` + seats(2) + `}`), []string{"add-on attached in the console: SEATS: <nil> -> 2"}},
		"add-on removed":    {"assignment", attached(`{` + seats(2) + `}`), attached(`{}`), []string{"add-on removed in the console: SEATS: 2 -> <nil>"}},
		"add-on quantity":   {"assignment", attached(`{` + seats(2) + `}`), attached(`{` + seats(5) + `}`), []string{"quantity of an add-on changed in the console from 2 to 5: SEATS: 2 -> 5"}},
		"package removed":   {"assignment", attached(`{}`), "", []string{"package removed in the console: GOLD: GOLD -> <nil>"}},
		"admin":             {"member", bobMember, strings.Replace(bobMember, `"role":"member"`, `"role":"admin"`, 1), []string{"role changed from member to admin: bob@acme.example: member -> admin"}},
		"member gone":       {"member", bobMember, "", []string{"no longer a member: bob@acme.example: <nil> -> <nil>"}},
		"set: admin":        {"members", set(`{`+bob+`}`, `[]`), set(`{}`, `["bob@acme.example"]`), []string{"a member became owner or admin: bob@acme.example: <nil> -> <nil>"}},
		"set: admin left":   {"members", set(`{}`, `["ada@acme.example"]`), set(`{}`, `[]`), []string{"an owner or admin left: ada@acme.example: <nil> -> <nil>"}},
		"other attributes":  {"package", goldPackage, strings.NewReplacer(`"Gold"`, `"Golden"`, `4900`, `5900`).Replace(goldPackage), []string{"changed outside of Terraform: name and settings: GOLD: map[name:Gold settings:map[monthlyPrice:4900]] -> map[name:Golden settings:map[monthlyPrice:5900]]"}},
		"item gone":         {"addon", goldPackage, "", []string{"no longer in the catalog: GOLD: <nil> -> <nil>"}},
		"unknown change":    {"branding", `{"domain":"sign.acme.example","id":"x"}`, "", []string{"no longer found: sign.acme.example: <nil> -> <nil>"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			actions := "update"
			if tc.after == "" {
				actions = "delete"
			}
			drifted := reviewChange{address: "reseller_" + tc.typ + ".x", actions: actions, before: tc.before, after: tc.after}
			plan := reviewPlan(`,"resource_drift":[`+drifted.json()+`]`, unchangedAcme)
			assert.Empty(t, listed(t, plan), "without -drift")
			status, out, _ := runReview(t, plan, "-drift", "-format", "json", "-fail-on", "email,drift")
			var found struct{ Effects []review.Row }
			require.NoError(t, json.Unmarshal([]byte(out), &found))
			var got []string
			for _, r := range found.Effects {
				got = append(got, fmt.Sprintf("%s: %s: %v -> %v", r.What, r.Subject, r.Before, r.After))
			}
			assert.Equal(t, 2, status, "status, %q, want %q", got, tc.want)
			assert.Equal(t, tc.want, got, "status %d", status)
		})
	}
	quiet := reviewPlan(`,"resource_drift":[`+reviewChange{address: "reseller_member.moved", actions: "no-op", before: bobMember, after: bobMember}.json()+`]`, unchangedAcme)
	status, out, _ := runReview(t, quiet, "-drift")
	assert.Equal(t, 0, status, "a moved address, %q", out)
	assert.Equal(t, "Drift report: what has changed outside of Terraform\n\nNo drift, and no effects that cannot be undone or that reach people.\n", out, "a moved address: %d", status)
}

// The private label of each row is the one to which the references of the configuration lead. The email address of each
// person has it.
func TestReview_PortalsOfAPlan(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := w.Cli()
	const person = `
  email            = %q
  first_name       = "F"
  last_name        = "L"
  private_label_id = %s
}
`
	member := func(name, forEach, email, labelID string) string {
		head := fmt.Sprintf("resource \"reseller_member\" %q {\n", name)
		if forEach != "" {
			head += "  for_each = " + forEach + "\n"
		}
		return head + fmt.Sprintf(person, email, labelID)
	}
	label := func(name, forEach, host string) string {
		return fmt.Sprintf(`
resource "reseller_private_label" %q {
  %s
  domain   = %q
  app_name = "App"
  owner    = { email = "owner@${%q}", first_name = "O", last_name = "W" }
}
`, name, forEach, host, host)
	}
	const required = "terraform {\n  required_providers {\n    reseller = { source = \"privatelabels/reseller\" }\n  }\n}\n"
	for _, module := range []string{"portal", "team"} {
		require.NoError(t, os.Mkdir(filepath.Join(c.Dir, module), 0o700))
	}
	c.File("portal/main.tf", required+"variable \"host\" {}\n"+label("this", "", "${var.host}")+member("inside", "", "inside@${var.host}", "reseller_private_label.this.id")+`
output "id" {
  value = reseller_private_label.this.id
}
output "label" {
  value = reseller_private_label.this
}
`)
	c.File("team/main.tf", required+"variable \"label\" {}\nvariable \"host\" {}\n"+member("team", `toset(["one", "two"])`, "${each.key}-in-team@${var.host}", "var.label"))
	keys, hostOf := `toset(["a", "b"])`, "sign.${each.key}.example"
	c.Config(w.Config(label("one", "", "sign.one.example") + label("each", "for_each = "+keys, hostOf) + `
locals {
  ids   = { for key, label in reseller_private_label.each : key => label.id }
  seats = { "a/bob" = "a", "b/bob" = "b" }
}
module "portal" {
  source   = "./portal"
  for_each = toset(["x", "y"])
  host     = "sign.${each.key}.example"
}
module "team" {
  source   = "./team"
  for_each = module.portal
  label    = module.portal[each.key].id
  host     = each.value.label.domain
}
module "alone" {
  source = "./team"
  label  = reseller_private_label.each["b"].id
  host   = "sign.b.example"
}
data "reseller_private_label" "late" {
  domain     = "` + providertest.AcmeHost + `"
  depends_on = [reseller_private_label.one]
}
resource "reseller_package" "gold" {
  code     = "GOLD"
  name     = "Gold"
  currency = "EUR"
}
resource "reseller_assignment" "one" {
  private_label_id = reseller_private_label.one.id
  package_id       = reseller_package.gold.id
}
resource "reseller_members" "counted" {
  count            = 1
  private_label_id = one(reseller_private_label.one[*].id)
  members          = { "set@sign.one.example" = { first_name = "F", last_name = "L" } }
}
` +
		member("direct", "", "direct@sign.one.example", "reseller_private_label.one.id") +
		member("repeated", "reseller_private_label.each", "repeated@${each.value.domain}", "each.value.id") +
		member("by_key", keys, "by-key@"+hostOf, "reseller_private_label.each[each.key].id") +
		member("constant", "", "constant@sign.a.example", `reseller_private_label.each["a"].id`) +
		member("output", "", "output@sign.x.example", `module.portal["x"].id`) +
		member("object", "", "object@sign.y.example", `module.portal["y"].label.id`) +
		member("outputs", `toset(["x", "y"])`, "outputs@"+hostOf, "module.portal[each.key].id") +
		member("local", keys, "local@"+hostOf, "local.ids[each.key]") +
		member("flat", "local.seats", "flat@sign.${each.value}.example", "reseller_private_label.each[each.value].id") +
		member("after", "", "after@sign.one.example", "reseller_assignment.one.private_label_id") +
		member("late", "", "late@"+providertest.AcmeHost, "data.reseller_private_label.late.id")))
	c.Ok("init", "-no-color")
	c.Ok("plan", "-no-color", "-out=new.plan")
	rows := reviewed(t, c.Raw("show", "-json", "new.plan"))
	emails := 0
	for _, row := range rows {
		if row.Email != "" {
			emails++
			_, host, _ := strings.Cut(string(row.Email), "@")
			assert.Equal(t, host, string(row.Host), row.Address)
		}
		if row.Kind == "billed" {
			assert.Equal(t, []string{"sign.one.example", "GOLD", "GOLD"}, []string{string(row.Host), string(row.Code), fmt.Sprint(row.After)}, row.Address)
		}
	}
	assert.Equal(t, 30, emails, "%d rows", len(rows))
}
