package review_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/listing"
	"github.com/privatelabels/terraform-provider-reseller/internal/command/review"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/goldentest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Two addresses of one object, with each pair of actions. An object that stays or comes at two addresses is a conflict, and
// so is one that goes at one of them; one that leaves the state of an address may stay at another.
func TestReview_ConflictsOfPairs(t *testing.T) {
	t.Parallel()
	const comes, stays, goes, leaves = "comes", "stays", "goes", "leaves"
	actions := map[string]struct{ change, does string }{
		"create":  {`create ADDRESS after=OBJECT+{"id":null} after_unknown={"id":true}`, comes},
		"late":    {`create ADDRESS after=OBJECT+{"id":null,"private_label_id":null} after_unknown={"id":true,"private_label_id":true}`, comes},
		"import":  {`no-op ADDRESS importing={"id":"x"} before=OBJECT after=OBJECT`, comes},
		"keep":    {"no-op ADDRESS before=OBJECT after=OBJECT", stays},
		"update":  {"update ADDRESS before=OBJECT after=OBJECT", stays},
		"destroy": {"delete ADDRESS before=OBJECT", goes},
		"abandon": {`delete ADDRESS before=OBJECT+{"deletion_policy":"ABANDON"}`, leaves},
		"forget":  {"forget ADDRESS before=OBJECT", ""},
	}
	for typ, object := range map[string]string{
		"private_label": `{"id":"l","domain":"sign.acme.example","deletion_policy":"SUSPEND"}`,
		"package":       `{"id":"p","code":"GOLD","name":"n","currency":"EUR","active":true,"deletion_policy":"DEACTIVATE"}`,
		"assignment":    `{"private_label_id":"l","package_id":"p","package_code":"P","attached_addons":{},"deletion_policy":"REMOVE"}`,
		"member":        `{"private_label_id":"l","email":"bob@x.example","first_name":"F","last_name":"L","role":"member","deletion_policy":"REMOVE"}`,
	} {
		for one, a := range actions {
			for two, b := range actions {
				for reseller, isSame := range map[string]bool{"one.example": true, "two.example": false} {
					hasLabel := strings.Contains(object, "private_label_id")
					if (one == "late" || two == "late") && !hasLabel {
						continue
					}
					change := func(act, address, reseller string) string {
						return "change " + strings.NewReplacer("ADDRESS", "reseller_"+typ+"."+address, "OBJECT", object+fmt.Sprintf(`+{"reseller":%q}`, reseller)).Replace(act) + "\n"
					}
					plan := planOf(t, change(a.change, "a", "one.example")+change(b.change, "b", reseller))
					has := func(does string) bool { return does == comes || does == stays }
					isDestroyed := a.does == goes && has(b.does) || b.does == goes && has(a.does) ||
						a.does == leaves && b.does == comes || b.does == leaves && a.does == comes
					want := ""
					switch isLate := one == "late" || two == "late"; {
					case !isSame:
					case !isLate && (isDestroyed || has(a.does) && has(b.does)):
						want = "one object is"
					case isLate && (isDestroyed || typ == "member" && !slices.Contains([]string{one, two}, "import") && a.does == comes && b.does == comes):
						want = "possible, "
					}
					var got []string
					for _, row := range rows(t, plan) {
						if row.Kind == effect.Conflict {
							got = append(got, row.What)
						}
					}
					about := fmt.Sprintf("%s: %s and %s, one reseller: %t", typ, one, two, isSame)
					if want == "" {
						assert.Empty(t, got, about)
						continue
					}
					assert.Len(t, got, 1, about)
					assert.Contains(t, strings.Join(got, ""), want, about)
				}
			}
		}
	}
}

func rows(t *testing.T, plan string) []listing.Row {
	t.Helper()
	found, err := review.Read(t.Context(), strings.NewReader(plan), provider.Reviewers(), review.Options{})
	require.NoError(t, err)
	return found.Rows
}

// What is deep is no plan, and uses no stack.
func TestReview_Deep(t *testing.T) {
	t.Parallel()
	for _, plan := range []string{
		`{"format_version":"1.2","planned_values":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + "}",
		`{"format_version":"1.2","prior_state":{"values":{"root_module":` + strings.Repeat(`{"child_modules":[`, 20000) + "}}",
	} {
		status, out, errs := run(plan)
		assert.Equal(t, 1, status)
		assert.Empty(t, out)
		assert.Contains(t, errs, "not the JSON of a plan")
	}
}

// A reviewer names an object by one of its attributes.
func TestReview_Subjects(t *testing.T) {
	t.Parallel()
	for _, r := range provider.Reviewers().Resources {
		assert.Contains(t, r.Shape.String(), `"`+r.Subject+`"`, "%s has no attribute %s", r.Type, r.Subject)
	}
}

var foldedTable = regexp.MustCompile(`<details><summary>(.*?): (\d+) effects?: `)

// markdown is the report on n private labels, in each of which a member is removed and another one added.
func markdown(t *testing.T, n int) string {
	t.Helper()
	var lines strings.Builder
	lines.WriteString("change create reseller_package.gold after={\"code\":\"GOLD\",\"name\":\"Gold\",\"currency\":\"EUR\"} after_unknown={\"id\":true}\n")
	for i := range n {
		fmt.Fprintf(&lines, `change no-op reseller_private_label.c[%[1]d] before={"id":"l%[1]d","domain":"sign.client-%03[1]d.example"} after={"id":"l%[1]d","domain":"sign.client-%03[1]d.example"}
change delete reseller_member.a[%[1]d] before={"id":"m","private_label_id":"l%[1]d","email":"m%[1]d@x.example"}
change create reseller_member.b[%[1]d] after={"private_label_id":"l%[1]d","email":"n%[1]d@x.example"} after_unknown={"id":true}
`, i)
	}
	status, out, errs := run(planOf(t, lines.String()), "-format", "markdown")
	require.Equal(t, 0, status, errs)
	return out
}

// Up to 40 rows are one table. More are folded by private label, and a comment stays short however many there are.
func TestReview_Folds(t *testing.T) {
	t.Parallel()
	flat := markdown(t, 19)
	assert.NotContains(t, flat, "<details>")
	assert.Equal(t, 1+39, strings.Count(flat, "\n| "), flat)
	folded := markdown(t, 20)
	tables := foldedTable.FindAllStringSubmatch(folded, -1)
	require.Len(t, tables, 21, folded)
	assert.Equal(t, []string{"<code>sign.client-000.example</code>", "1"}, tables[0][1:])
	assert.Equal(t, "Other resources", tables[20][1])
	assert.Contains(t, folded, "41 effects: 20 removed, 1 permanent, 20 email.\n\n| Kind | Number |\n|---|---|\n| removed | 20 |\n| permanent | 1 |\n| email | 20 |\n\n| Kind | Portal | Resource |")
	large := markdown(t, 500)
	named, _, _ := strings.Cut(large, "<details>")
	for i := range 500 {
		assert.Contains(t, named, fmt.Sprintf("m%d@x.example", i), "each removal is named")
	}
	shown := strings.Count(large, "| email | `reseller_member.")
	assert.GreaterOrEqual(t, shown, 50)
	assert.Less(t, len([]rune(large)), 60_000)
	assert.Contains(t, large, fmt.Sprintf("\n%d more effects are not shown: 1 permanent, %d email.", 501-shown, 500-shown))
	assert.Equal(t, strings.Count(large, "</details>"), strings.Count(large, "<details>"))
}

// What is created with its private label is in that one's table: the same instance of a resource or module, by any index.
func TestReview_FoldsPlanned(t *testing.T) {
	t.Parallel()
	var lines strings.Builder
	for i := range 21 {
		fmt.Fprintf(&lines, `change create module.all.reseller_private_label.c["%[1]d"] index="%[1]d" after={"domain":"c%02[1]d.example","app_name":"C","owner":{"email":"o%[1]d@x.example"}} after_unknown={"id":true}
change create module.all.reseller_member.m["%[1]d"] index="%[1]d" after={"email":"m%[1]d@x.example"} after_unknown={"id":true,"private_label_id":true}
`, i)
	}
	lines.WriteString(`config {"module_calls":{"all":{"module":{"resources":[{"mode":"managed","type":"reseller_member","name":"m","expressions":{"private_label_id":{"references":["reseller_private_label.c","each.key"]}}}]}}}}`)
	plan := planOf(t, lines.String())
	_, out, _ := run(plan, "-format", "markdown")
	tables := foldedTable.FindAllStringSubmatch(out, -1)
	require.Len(t, tables, 21, out)
	assert.Equal(t, []string{"<code>c20.example</code>", "3"}, tables[20][1:], out)
	status, _, errs := run(strings.ReplaceAll(plan, `"index":"0"`, `"index":{"a":[1]}`))
	assert.Equal(t, 0, status, errs)
}

// The console, the platform and DNS change what a refresh-only plan of the CLI shows; testdata/reviews/drift.txt has every
// word.
func TestReview_Drift(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, nil)
	w.Console(w.Gold, nil)
	other, err := w.Sim.AddConsoleLabel("sign.other.example", "eve@other.example")
	require.NoError(t, err)
	c := w.Cli()
	c.Config(w.Assignment(w.Gold, "") + fmt.Sprintf(`
resource "reseller_private_label" "other" {
  domain = "sign.other.example"
}
data "reseller_private_label" "dns" {
  domain = %[1]q
}
resource "reseller_private_label" "acme" {
  domain = %[1]q
}
`, providertest.AcmeHost) + providertest.Imports{providertest.Acme: w.Label, providertest.Assigned: w.Label, "reseller_private_label.other": other}.Blocks())
	c.Apply().WantOK(t)
	drift := func() (status int, out string) {
		c.Ok("plan", "-no-color", "-refresh-only", "-out=drift.plan")
		status, out, _ = run(c.Raw("show", "-json", "drift.plan"), "-drift", "-fail-on", "drift>1", "-format", "json")
		return status, rowsOf(t, "drift", out)
	}
	status, out := drift()
	assert.Equal(t, 0, status)
	assert.Empty(t, out)
	require.NoError(t, w.Sim.SuspendByPlatform("sign.other.example", "unpaid"))
	require.NoError(t, w.Sim.BreakDNS(providertest.AcmeHost))
	w.NextWindow() // the API checks DNS at most once a minute
	w.Console(w.Silver, nil)
	status, out = drift()
	assert.Equal(t, 2, status)
	for _, row := range []string{
		"drift data.reseller_private_label.dns: DNS no longer verified: " + providertest.AcmeHost,
		"drift reseller_assignment.acme: package changed in the console from GOLD to SILVER: SILVER",
		"drift reseller_private_label.other: suspended by the platform: sign.other.example",
	} {
		assert.Contains(t, out, row)
	}
	assert.Equal(t, 3, strings.Count(out, "\n"), out)
}

// The private label of each row is the one to which the references of a configuration of the CLI lead. The email address of
// each person has it.
func TestReview_PortalsOfAPlan(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := w.Cli()
	member := func(name, forEach, email, labelID string) string {
		if forEach != "" {
			forEach = "for_each = " + forEach
		}
		return fmt.Sprintf("resource \"reseller_member\" %q {\n  %s\n  email = %q\n  first_name = \"F\"\n  last_name = \"L\"\n  private_label_id = %s\n}\n", name, forEach, email, labelID)
	}
	label := func(name, forEach, host string) string {
		return fmt.Sprintf("resource \"reseller_private_label\" %q {\n  %s\n  domain = %q\n  app_name = \"App\"\n  owner = { email = \"owner@%s\", first_name = \"O\", last_name = \"W\" }\n}\n", name, forEach, host, host)
	}
	const required = "terraform {\n  required_providers {\n    reseller = { source = \"privatelabels/reseller\" }\n  }\n}\nvariable \"host\" {}\n"
	for name, text := range map[string]string{
		"portal": label("this", "", "${var.host}") + member("inside", "", "inside@${var.host}", "reseller_private_label.this.id") +
			"output \"id\" {\n  value = reseller_private_label.this.id\n}\noutput \"label\" {\n  value = reseller_private_label.this\n}\n",
		"team": "variable \"label\" {}\n" + member("team", `toset(["one", "two"])`, "${each.key}-in-team@${var.host}", "var.label"),
	} {
		require.NoError(t, os.Mkdir(filepath.Join(c.Dir, name), 0o700))
		c.File(name+"/main.tf", required+text)
	}
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
	_, out, errs := run(c.Raw("show", "-json", "new.plan"), "-format", "json")
	require.Empty(t, errs)
	var got struct{ Effects []listing.Row }
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	emails := 0
	for _, row := range got.Effects {
		if row.Email != "" {
			emails++
			_, host, _ := strings.Cut(string(row.Email), "@")
			assert.Equal(t, host, string(row.Host), row.Address)
		}
		if row.Kind == "billed" {
			assert.Equal(t, "sign.one.example has GOLD", fmt.Sprint(row.Host, " has ", row.After), row.Address)
		}
	}
	assert.Equal(t, 30, emails, out)
}

// For any input: an error is one line, and no status is unknown.
func FuzzReview(f *testing.F) {
	for _, file := range []string{"assignments", "drift", "allowance", "members"} {
		text := read(f, "testdata/reviews/"+file+".txt")
		values := valuesOf(read(f, "testdata/reviews/objects.txt") + text)
		_, parts := goldentest.Parts(text)
		for _, part := range parts {
			f.Add(planOf(f, values.in(goldentest.Given(part.Text))))
		}
	}
	f.Fuzz(func(t *testing.T, plan string) {
		for _, format := range []string{"text", "markdown", "json"} {
			status, out, errs := run(plan, "-format", format)
			if status == 0 && errs != "" || status == 1 && errs == "" || status > 1 {
				t.Errorf("status %d: %q, %q", status, out, errs)
			}
		}
	})
}
