package provider_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/assignment"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/member"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/goldentest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/matrix"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
)

const (
	changedAddress = session.SummaryRenamed
	keptElsewhere  = session.SummaryKeptElsewhere
	heldTwice      = session.SummaryHeldTwice

	bobMail, eveMail, kimMail = providertest.BobEmail, providertest.EveEmail, "kim@acme.example"
	ofAcme                    = " of " + providertest.AcmeHost

	createBeforeDestroy = "  lifecycle {\n    create_before_destroy = true\n  }\n"
)

// imported is an import block.
func imported(address, id string) string { return providertest.Imports{address: id}.Blocks() }

// released is a removed block that keeps the object.
func released(address string) string {
	return "removed {\n  from = " + address + "\n  lifecycle {\n    destroy = false\n  }\n}\n"
}

// addresses is a private label whose members stand at several addresses.
type addresses struct {
	*providertest.LabelEnv
	*coretest.Workspace
	t *testing.T
}

func newAddresses(t *testing.T) *addresses {
	t.Helper()
	w := providertest.NewLabelEnv(t)
	return &addresses{w, coretest.New(t, w.TestEnv), t}
}

func (a *addresses) declares(blocks string) { a.File("main.tf", a.TestEnv.Config(blocks)) }

// plans blocks in each way that decides which address is planned first, and from which state; the order of a plan
// without dependencies is random.
func (a *addresses) plans(blocks string, check func(told providertest.Diagnostics)) {
	a.t.Helper()
	a.declares(blocks)
	for _, options := range [][]string{nil, {"-refresh=false"}, {"-parallelism=1"}, {"-parallelism=1", "-refresh=false"}} {
		for range 3 {
			check(a.Planned(options...))
		}
	}
}

// wantPeople asserts the members beside the owner.
func (a *addresses) wantPeople(emails ...string) {
	a.t.Helper()
	assert.ElementsMatch(a.t, append(emails, "ada@acme.example"), a.People(providertest.AcmeHost), "members")
}

func mailOf(name string) string { return name + "@acme.example" }

// blocks are those of a line of testdata/addresses.txt.
func (a *addresses) blocks(words string) (all string) {
	for word := range strings.FieldsSeq(strings.ReplaceAll(words, "LABEL", a.Label)) {
		name, value, _ := strings.Cut(word, "=")
		emails := strings.Split(strings.ReplaceAll(value, ",", "@acme.example,")+"@acme.example", ",")
		switch name {
		case "-":
		case "set":
			all += a.Set(emails...)
		case "again":
			all += strings.Replace(a.Set(emails...), `"team"`, `"again"`, 1)
		case "clinic":
			all += providertest.Label("clinic", "sign.clinic.example", "")
		case "test":
			all += fmt.Sprintf("resource \"reseller_private_label\" \"test\" {\n  domain = \"sign.clinic.example\"\n  deletion_policy = %q\n}\n", value)
		case "release":
			all += released(value)
		case "import":
			address, id, _ := strings.Cut(value, ":")
			all += imported(address, id)
		default:
			all += a.Person(name, mailOf(cmp.Or(value, name)), "Bob")
		}
	}
	return all
}

// addressErrors are the summaries of testdata/addresses.txt.
var addressErrors = map[string]string{
	"CHANGED": changedAddress, "KEPT": keptElsewhere, "DISPUTED": session.SummaryDisputed, "OTHER": member.SummaryOtherMembers,
}

// do does what a line of testdata/addresses.txt says.
func (a *addresses) do(cells []string) {
	a.t.Helper()
	verb, words, _ := strings.Cut(cells[0], " ")
	names, said := strings.Fields(words), cells[1:]
	switch verb {
	case "join":
		a.Join(mailOf(words))
	case "console":
		require.NoError(a.t, a.Sim.ChangeEmailInConsole(providertest.AcmeHost, mailOf(names[0]), mailOf(names[1])))
	case "forget":
		a.Forget(words)
	case "copy":
		was := a.Workspace
		a.Workspace = coretest.New(a.t, a.TestEnv)
		a.CopyState(was)
	case "quiet":
		a.Sim.ResetJournal()
	case "reads":
		a.WantReads()
	case "people":
		for i, name := range names {
			names[i] = mailOf(name)
		}
		a.wantPeople(names...)
	case "seats", "state", "labels":
		assert.Equal(a.t, words, fmt.Sprint(map[string]int{"seats": a.Seats(), "state": len(a.State()), "labels": len(a.Sim.Labels())}[verb]), verb)
	case "apply", "run", "empty":
		a.declares(a.blocks(words))
		if verb != "empty" {
			a.Apply().WantOK(a.t, said...)
		}
		if verb != "run" {
			a.WantEmptyPlan()
		}
	default:
		a.plans(a.blocks(words), func(told providertest.Diagnostics) { a.judge(verb, said, told) })
	}
}

// judge checks what a plan says.
func (a *addresses) judge(verb string, said []string, told providertest.Diagnostics) {
	a.t.Helper()
	about := map[string]providertest.Diagnostics{}
	for name, summary := range addressErrors {
		about[name] = told.Of("error", summary)
	}
	twice := told.Of("warning", heldTwice)
	switch verb {
	case "accept", "calm":
		assert.Empty(a.t, append(about["CHANGED"], about["KEPT"]...))
		assert.True(a.t, verb == "accept" || len(twice) == 0, twice)
	case "warn":
		for _, part := range said {
			not, isNot := strings.CutPrefix(part, "!")
			assert.NotEqual(a.t, isNot, strings.Contains(fmt.Sprint(twice), not), part)
		}
	case "reject":
		var found providertest.Diagnostics
		for name := range strings.SplitSeq(said[0], " or ") {
			require.Contains(a.t, addressErrors, name)
			found = append(found, about[name]...)
		}
		require.NotEmpty(a.t, found, told)
		assert.True(a.t, said[0] == "CHANGED" || len(about["CHANGED"]) == 0, told)
		for _, part := range said[1:] {
			assert.Contains(a.t, fmt.Sprint(found), part)
		}
	default:
		require.Fail(a.t, "no line does this", verb)
	}
}

func TestOneAddress(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/addresses.txt")
	require.NoError(t, err)
	_, parts := goldentest.Parts(string(text))
	for _, part := range parts {
		t.Run(part.Name, func(t *testing.T) {
			t.Parallel()
			a := newAddresses(t)
			for _, cells := range texttable.Rows(part.Text) {
				a.do(cells)
				if t.Failed() {
					t.Fatalf("testdata/addresses.txt: %s", strings.Join(cells, " | "))
				}
			}
		})
	}
}

// Two addresses of one object, of each type: a warning, once.
func TestOneAddress_Twice(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, nil)
	c := coretest.New(t, w.TestEnv)
	label := fmt.Sprintf("private_label_id = %q\n", w.Label)
	first, second, objects := "", "", []string{}
	for _, b := range []struct{ typ, arguments, otherwise, id, object string }{
		{"assignment", label + fmt.Sprintf("package_id = %q\naddons = {}", w.Gold), "", w.Label, "the assignment" + ofAcme},
		{"package", "code = \"TWICE\"\nname = \"Twice\"\ncurrency = \"EUR\"", "Double", "TWICE", "the package TWICE"},
		{"addon", "code = \"TWICE\"\nname = \"Twice\"", "", "TWICE", "the add-on TWICE"},
		{"branding", "domain = \"sign.acme.example\"\ncolor_primary = \"#0a0\"", "", providertest.AcmeHost, "the branding" + ofAcme},
		{"domain_verification", label + "required = false\ntimeouts = { create = \"0s\" }", "", w.Label, "the domain verification" + ofAcme},
	} {
		block := func(name, arguments string) string {
			return fmt.Sprintf("resource \"reseller_%s\" %q {\n%s\n}\n", b.typ, name, arguments)
		}
		first += block("one", b.arguments)
		second += block("two", strings.NewReplacer("Twice", "Twice"+b.otherwise, "sign.acme", "SIGN.acme").Replace(b.arguments)) + imported("reseller_"+b.typ+".two", b.id)
		objects = append(objects, "Two reseller_"+b.typ+" resources manage "+b.object)
	}
	told := func(planned providertest.Diagnostics) {
		t.Helper()
		planned.Want(t, len(objects), "warning", heldTwice)
		for _, object := range objects {
			assert.Contains(t, fmt.Sprint(planned.Of("warning", heldTwice)), object)
		}
	}
	c.Config(w.Config(first))
	c.Apply().WantOK(t)
	c.Config(w.Config(first + second))
	told(c.Planned())
	told(c.Planned("-parallelism=1"))
	c.Apply().WantOK(t, "5 imported")
	told(c.Planned())
}

// lateLabel is a private label that a data source reads again whenever the private label changes, so that its ID is known after
// apply.
func lateLabel(policy string) string {
	return providertest.Label("acme", "sign.late.example", "deletion_policy = \""+policy+"\"") +
		"data \"reseller_private_label\" \"late\" {\n  domain = \"sign.late.example\"\n  depends_on = [reseller_private_label.acme]\n}\n"
}

// Members whose private label is known after apply stay, also with create_before_destroy, which would destroy the deposed
// object after the create has found the member.
func TestOneAddress_LateLabel(t *testing.T) {
	t.Parallel()
	block := func(typ, arguments string) string {
		return "resource \"reseller_" + typ + "\" \"late\" {\n" + arguments + "}\n"
	}
	const label = "  private_label_id = data.reseller_private_label.late.id\n"
	people := "  for_each = toset([\"bob@acme.example\", \"eve@acme.example\", \"kim@acme.example\"])\n  email = each.key\n  first_name = \"Some\"\n  last_name = \"Body\"\n"
	all := map[string]string{
		"members":               block("member", label+people),
		"members, create first": block("member", label+people+createBeforeDestroy),
		"members, create first, inherited": block("member", label+people) +
			"resource \"terraform_data\" \"after\" {\n  triggers_replace = [for m in reseller_member.late : m.id]\n" + createBeforeDestroy + "}\n",
		"a set, a verification and a branding": block("members", label+"  members = {\n    \"bob@acme.example\" = { first_name = \"Bob\", last_name = \"Byte\" }\n  }\n"+createBeforeDestroy) +
			block("domain_verification", label+"  required = false\n  timeouts = { create = \"0s\" }\n"+createBeforeDestroy) +
			block("branding", "  domain = data.reseller_private_label.late.domain\n  color_primary = \"#0a0\"\n"+createBeforeDestroy),
	}
	for name, dependents := range matrix.Rows(matrix.Of(t), all, 2, t.Name()) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnv(t)
			c := w.Cli()
			c.Config(w.Config(lateLabel("PREVENT") + dependents))
			c.Apply().WantOK(t)
			before, mails := w.Sim.Labels()[0].People, len(w.Sim.Outbox())
			w.Sim.ResetJournal()
			c.Config(w.Config(lateLabel("SUSPEND") + dependents))
			planned := c.Plan()
			planned.WantText(t, object.SummaryAwaits, "private_label_id is known after apply")
			assert.NotContains(t, planned.Out, "Plan to replace")
			assert.NotContains(t, planned.Out, member.TopicRemovingMember.Summary)
			c.Apply().WantOK(t, "0 added", "0 destroyed")
			assert.Equal(t, before, w.Sim.Labels()[0].People)
			assert.Len(t, w.Sim.Outbox(), mails, "emails")
			w.WantReads()
			c.WantEmptyPlan()
		})
	}
}

// createFirst is Bob's block with create_before_destroy and another address.
func createFirst(w *providertest.LabelEnv, email string) string {
	return strings.Replace(w.Person("bob", email, "Bob"), "  first_name", createBeforeDestroy+"  first_name", 1)
}

// An email address that is known after apply: the same one changes nothing, another one is an error before the first call,
// and the next plan shows the replacement.
func TestOneAddress_LateEmail(t *testing.T) {
	t.Parallel()
	for name, isFirst := range matrix.Rows(matrix.Of(t), map[string]bool{"destroy first": false, "create first": true}, 1, t.Name()) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewLabelEnv(t)
			c := w.Cli()
			block := w.Person("bob", "LATE", "Bob")
			if isFirst {
				block = createFirst(w, "LATE")
			}
			declare := func(run, email string) {
				c.Config(w.Config(fmt.Sprintf("resource \"terraform_data\" \"address\" {\n  input = { run = %q, email = %q }\n}\n", run, email) +
					strings.Replace(block, `"LATE"`, "terraform_data.address.output.email", 1)))
			}
			declare("1", bobMail)
			c.Apply().WantOK(t, "2 added")
			w.Sim.ResetJournal()
			declare("2", bobMail)
			c.Plan().WantText(t, object.SummaryAwaits, "email is known after apply")
			c.Apply().WantOK(t, "0 added", "0 destroyed")
			c.WantEmptyPlan()
			declare("3", eveMail)
			c.Apply().WantError(t, object.SummaryOtherObject, "email is now "+eveMail, "Plan again")
			w.WantReads()
			assert.Contains(t, w.People(providertest.AcmeHost), bobMail)
			c.Plan().WantText(t, "Plan to replace", member.TopicRemovingMember.Summary, member.TopicAddingMember.Summary)
			c.Apply().WantOK(t, "1 added", "1 destroyed")
			assert.Equal(t, []string{"ada@acme.example", eveMail}, w.People(providertest.AcmeHost))
			c.WantEmptyPlan()
		})
	}
}

// A tainted member with create_before_destroy: the create finds the member, and dropping the deposed object keeps it.
func TestOneAddress_Deposed(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := w.Cli()
	c.Config(w.Config(createFirst(w, bobMail) + w.Person("eve", eveMail, "Eve")))
	c.Apply().WantOK(t, "2 added")
	mails := len(w.Sim.Outbox())
	c.Ok("taint", providertest.Bob)
	c.Config(w.Config(createFirst(w, bobMail))) // another destroy in the same apply
	c.Apply("-parallelism=1").WantOK(t, "1 added", "2 destroyed")
	assert.Equal(t, []string{"ada@acme.example", bobMail}, w.People(providertest.AcmeHost))
	assert.Len(t, w.Sim.Outbox(), mails, "emails")
	c.WantEmptyPlan()
}

// A deposed object that is wanted again, since its removal failed. The error says how to drop it from state, and that keeps the
// member: only whom the resource has now is removed.
func TestOneAddress_DeposedWantedAgain(t *testing.T) {
	t.Parallel()
	a := newAddresses(t)
	a.declares(createFirst(a.LabelEnv, bobMail))
	a.Apply().WantOK(t, "1 added")
	a.declares(createFirst(a.LabelEnv, eveMail))
	a.Sim.Inject(simulator.Fault{Route: providertest.RouteRemove, Kind: simulator.FaultForbidden})
	a.Apply().WantError(t, member.SummaryRemove)
	mails := len(a.Sim.Outbox())
	a.Sim.ResetJournal()
	a.declares(createFirst(a.LabelEnv, bobMail))
	for _, options := range [][]string{nil, {"-parallelism=1"}} {
		a.Planned(options...).WantError(t, changedAddress, "For a deposed object, use terraform state rm, then import")
	}
	a.WantReads()
	a.Forget(providertest.Bob)
	a.declares(createFirst(a.LabelEnv, bobMail) + imported(providertest.Bob, a.Label+"/"+eveMail))
	a.Apply().WantOK(t, "1 imported", "1 added", "1 destroyed")
	a.wantPeople(bobMail)
	assert.Len(t, a.Sim.Outbox(), mails, "emails")
	a.declares(createFirst(a.LabelEnv, bobMail))
	a.WantEmptyPlan()
}

// A plan says of a private label that is known after apply only what it knows: an update keeps that of the state, and a
// replacement may be for another one.
func TestOneAddress_LateLabelNames(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, nil)
	c := coretest.New(t, w.TestEnv)
	declare := func(run, email string, seats int) {
		blocks := (&providertest.LabelEnv{TestEnv: w.TestEnv, Label: w.Label}).Person("bob", email, "Bob") + w.Body(w.Gold, w.Addons(seats))
		c.Config(w.Config(fmt.Sprintf(`
resource "terraform_data" "run" {
  input = %q
}
data "reseller_private_label" "late" {
  domain     = %q
  depends_on = [terraform_data.run]
}
`, run, providertest.AcmeHost) + strings.ReplaceAll(blocks, fmt.Sprintf("%q", w.Label), "data.reseller_private_label.late.id")))
	}
	declare("1", bobMail, 2)
	c.Apply().WantOK(t)
	declare("2", eveMail, 3)
	said := fmt.Sprint(c.Planned())
	assert.Contains(t, said, providertest.AcmeHost+": add-on SEATS is detached")
	assert.Contains(t, said, "branded for a private label known after apply")
	assert.NotContains(t, said, object.SummaryAwaits, "of the member, who is replaced")
	assert.NotContains(t, said, "new private label")
}

// The key is known only after apply, so that no plan sees the pair. The apply does not remove what it has just stored.
func TestOneAddress_KnownAfterApply(t *testing.T) {
	t.Parallel()
	for _, typ := range []string{"member", "assignment"} {
		t.Run(typ, func(t *testing.T) {
			t.Parallel()
			for range 8 { // the order of an apply is random
				w := providertest.NewAssignmentEnv(t, nil)
				block := func(name, key string) string {
					body := w.Body(w.Gold, "")
					if typ == "member" {
						body = (&providertest.LabelEnv{TestEnv: w.TestEnv, Label: w.Label}).Person("bob", bobMail, "Bob")
					}
					return w.Config(strings.ReplaceAll(providertest.As(body, name), fmt.Sprintf("%q", w.Label), key))
				}
				c := coretest.Applied(t, w.TestEnv, block("m", fmt.Sprintf("%q", w.Label)))
				c.Config(block("a", "terraform_data.key.output") + fmt.Sprintf("resource \"terraform_data\" \"key\" {\n  input = %q\n}\n", w.Label))
				r := c.Apply("-parallelism=1")
				c.Refresh()
				if r.Code != 0 {
					r.WantError(t, session.SummaryStoredElsewhere, "terraform state rm")
					assert.Len(t, c.State(), 2)
				}
				assert.Contains(t, c.State(), "reseller_"+typ+".a", "the new address has nothing: %s", r.Out)
				if typ == "assignment" {
					w.WantHas("GOLD")
				}
			}
		})
	}
}

// Runs of a test file, in one process since Terraform 1.15: an error is right only within one run.
func TestOneAddress_TestFiles(t *testing.T) {
	t.Parallel()
	providertest.NeedsCLI(t, "1.7.0", "import blocks with for_each")
	variables := strings.NewReplacer(
		"BOB AS C", `keys = { c = "bob@acme.example" }`, "BOB", `keys = { b = "bob@acme.example" }`, "NOBODY", "keys = {}",
		"EVE AS F", `keys = { f = "eve@acme.example" }`, "EVE", `keys = { e = "eve@acme.example" }`+"\nimports = { e = \"eve@acme.example\" }",
		", IMPORTED", "\nimports = { c = \"bob@acme.example\" }", ", BOTH", "\nimports = { f = \"eve@acme.example\" }",
	)
	// runs of variables, of a module, or of a plan of one of both; and whether they fail
	for _, row := range texttable.Rows(`
		a plan that creates the same       | BOB > plan other > NOBODY | no
		a plan that creates, then the end  | BOB > plan other | no
		a plan that destroys               | BOB > plan NOBODY > other > BOB | no
		an import, then its destroy        | EVE > NOBODY | no
		an import, then the end            | EVE | no
		a plan that imports                | plan EVE > eve > plan EVE > BOB > NOBODY | no
		a plan that imports, then the end  | eve > plan EVE | no
		an import that another one has     | eve > EVE > NOBODY | no
		import of one, destroy of another  | BOB > plan EVE > EVE | no
		plans of all kinds                 | plan BOB > BOB > plan NOBODY > plan other > plan BOB > NOBODY > BOB | no
		an import of what is being removed | eve > plan EVE > BOB > eve | no
		another key                        | BOB > BOB AS C | destroyed first
		another key that is imported       | BOB > plan other > BOB AS C, IMPORTED | destroyed first
		another key after a plan           | BOB > plan NOBODY > plan other > BOB AS C | destroyed first
		another key that is only planned   | BOB > plan BOB AS C | destroyed first
		another key of what was imported   | EVE > EVE AS F, BOTH | always
	`) { // the import of the last one applies nothing; those that are destroyed first do not fail since Terraform 1.15
		t.Run(row[0], func(t *testing.T) {
			t.Parallel()
			w := providertest.NewLabelEnv(t)
			w.Join(eveMail)
			c := w.Cli()
			person := strings.Replace(w.Person("all", "EMAIL", "Bob"), "  email", "  for_each = var.keys\n  email", 1)
			c.Config("variable \"keys\" {\n  default = {}\n}\nvariable \"imports\" {\n  default = {}\n}\n" + strings.Replace(person, `"EMAIL"`, "each.value", 1) +
				"import {\n  for_each = var.imports\n  to = reseller_member.all[each.key]\n  id = \"" + w.Label + "/${each.value}\"\n}\n")
			for module, email := range map[string]string{"other": bobMail, "eve": eveMail} {
				require.NoError(t, os.Mkdir(filepath.Join(c.Dir, module), 0o700))
				c.File(module+"/main.tf", "terraform {\n  required_providers {\n    reseller = { source = \"privatelabels/reseller\" }\n  }\n}\n"+w.Person("one", email, "Bob"))
			}
			file, n := w.Config(""), 0
			for run := range strings.SplitSeq(row[1], " > ") {
				what, isPlan := strings.CutPrefix(variables.Replace(run), "plan ")
				body := map[bool]string{true: "command = plan\n"}[isPlan]
				if strings.Contains(what, "=") {
					body += "variables {\n" + what + "\n}\n"
				} else {
					body += "module {\n source = \"./" + what + "\"\n}\n"
				}
				file += fmt.Sprintf("run \"r%d\" {\n%s}\n", n, body)
				n++
			}
			c.File("runs.tftest.hcl", file)
			c.Ok("init", "-no-color", "-input=false")
			r := c.Run("test", "-no-color")
			passed := fmt.Sprintf("%d passed, 0 failed", n)
			switch {
			case row[2] == "no":
				r.WantOK(t, passed)
			case row[2] == "destroyed first" && !providertest.OlderCLI(t, "1.15.0") && r.Code == 0:
				r.WantOK(t, passed, member.TopicRemovingMember.Summary)
			default:
				r.WantError(t)
				assert.Regexp(t, strings.Join([]string{changedAddress, keptElsewhere, session.SummaryStoredElsewhere, object.SummaryVanished}, "|"), r.Out)
				assert.NotContains(t, w.People(providertest.AcmeHost), bobMail, "the cleanup failed:\n%s", r.Out)
				assert.NotContains(t, r.Out, "left the following resources in state", "the cleanup failed")
			}
		})
	}
}

// bobOf is the configuration of Bob.
func bobOf(l *providertest.LabelEnv) providertest.Values {
	return providertest.Values{"private_label_id": l.Label, "email": bobMail, "first_name": "Bob", "last_name": "Byte"}
}

func wantNoErrors(t *testing.T, told providertest.Diagnostics) {
	t.Helper()
	assert.False(t, providertest.AnyErrors(told), "got %+v", told)
}

// One process may serve several states, as `terraform test` does with modules: what one run creates is complete for another
// run, although nothing was read in between, and what a run removed, the next one makes again.
func TestWalks_ObjectOfAnotherState(t *testing.T) {
	t.Parallel()
	c := providertest.NewAssignmentEnv(t, nil)
	l := &providertest.LabelEnv{TestEnv: c.TestEnv, Label: c.Label}
	p := c.Protocol()
	for typ, config := range map[string]providertest.Values{"reseller_member": bobOf(l), "reseller_assignment": {"private_label_id": c.Label, "package_id": c.Gold}} {
		for n := range 3 {
			w := coretest.NewWalker(t, p, typ)
			_, told := w.Plan(config)
			if typ == "reseller_member" && n > 0 {
				told.WantWarning(t, member.TopicAdoptingMember.Summary, bobMail+" is already a member"+ofAcme)
			}
			wantNoErrors(t, w.Apply(config))
			assert.False(t, w.State().IsNull())
		}
	}
	c.WantHas("GOLD")
	assert.Equal(t, 1, l.Mails(bobMail), "emails")
	last := coretest.NewWalker(t, p, "reseller_assignment")
	for range 2 {
		wantNoErrors(t, last.Apply(providertest.Values{"private_label_id": c.Label, "package_id": c.Gold}))
		wantNoErrors(t, last.Apply(nil))
		assert.True(t, last.State().IsNull())
	}
}

// A plan that creates and destroys one member is an error, on the side that is planned second. What a process plans after an
// apply is another plan.
func TestWalks_RenameEndsWithAnApply(t *testing.T) {
	t.Parallel()
	l := providertest.NewLabelEnv(t)
	stored := coretest.NewWalker(t, l.Protocol(), "reseller_member")
	require.Empty(t, stored.Apply(bobOf(l)))
	for _, createsFirst := range []bool{true, false} {
		p := l.Protocol() // another process
		old := coretest.NewWalker(t, p, "reseller_member")
		old.Take(stored)
		both := func() (told [2]providertest.Diagnostics) {
			for i, creates := range []bool{createsFirst, !createsFirst} {
				if creates {
					_, told[i] = coretest.NewWalker(t, p, "reseller_member").Plan(bobOf(l))
				} else {
					_, told[i] = old.Plan(nil)
				}
			}
			return told
		}
		told := both()
		wantNoErrors(t, told[0])
		told[1].WantError(t, changedAddress, bobMail)
		wantNoErrors(t, coretest.NewWalker(t, p, "reseller_member").Apply(bobOf(l).With(providertest.Values{"email": eveMail})))
		told = both()
		wantNoErrors(t, append(told[0], told[1]...))
	}
}

// What an earlier walk of the process planned to create does not affect a value that is known after apply.
func TestWalks_UnknownIsNoError(t *testing.T) {
	t.Parallel()
	c := providertest.NewAssignmentEnv(t, nil)
	p := c.Protocol()
	for typ, config := range map[string]providertest.Values{
		"reseller_private_label": {"domain": "sign.other.example", "app_name": "Acme", "owner": providertest.Values{"email": "ada@acme.example", "first_name": "Ada", "last_name": "Lovelace"}},
		"reseller_package":       {"code": "OTHER", "name": "Other", "currency": "EUR"},
	} {
		_, told := coretest.NewWalker(t, p, typ).Plan(config)
		wantNoErrors(t, told)
	}
	w := coretest.NewWalker(t, p, "reseller_assignment")
	config := providertest.Values{"private_label_id": c.Label, "package_id": c.Gold}
	for range 2 {
		wantNoErrors(t, w.Apply(config))
		for name, summary := range map[string]string{"private_label_id": assignment.SummaryLabelLater, "package_id": assignment.SummaryPackageLater} {
			_, told := w.Plan(config.With(providertest.Values{name: tftypes.UnknownValue}))
			wantNoErrors(t, told)
			told.WantWarning(t, summary)
		}
		assert.Empty(t, w.Read())
	}
}

// The next walk sees what a user changes between two walks, although the process has read it before.
func TestWalks_OutOfBand(t *testing.T) {
	t.Parallel()
	l := providertest.NewLabelEnv(t)
	p, bob := l.Protocol(), bobOf(l)
	w := coretest.NewWalker(t, p, "reseller_member")
	require.Empty(t, w.Apply(bob))
	for range 2 {
		for act, want := range map[string]int{"MakeAdmin": 1, "DemoteAdmin": 0} {
			if act == "MakeAdmin" {
				require.NoError(t, l.Sim.MakeAdmin(providertest.AcmeHost, bobMail))
			} else if l.Sim.DemoteAdmin(providertest.AcmeHost, bobMail) != nil {
				continue // the first of the two
			}
			require.Empty(t, w.Read())
			_, told := w.Plan(nil)
			told.Want(t, want, "error", member.SummaryPermanentRole)
		}
	}
	_ = l.Sim.DemoteAdmin(providertest.AcmeHost, bobMail)
	require.NoError(t, l.Sim.RemovePersonInConsole(providertest.AcmeHost, bobMail))
	w.Read().WantWarning(t, member.SummaryRemoved)
	assert.True(t, w.State().IsNull(), "state %s", w.State())
	// A create sees the present members, not those of an earlier plan.
	l.Join(bobMail)
	emails := l.Mails(bobMail)
	wantNoErrors(t, coretest.NewWalker(t, p, "reseller_member").Apply(bob.With(providertest.Values{"email": eveMail}))) // an apply ends the plans before it
	wantNoErrors(t, coretest.NewWalker(t, p, "reseller_member").Apply(bob))
	assert.Equal(t, emails, l.Mails(bobMail), "emails")
}
