package provider_test

import (
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
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/matrix"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
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

// newAddresses has applied blocks.
func newAddresses(t *testing.T, blocks string) *addresses {
	t.Helper()
	w := providertest.NewLabelEnv(t)
	a := &addresses{w, coretest.New(t, w.TestEnv), t}
	if blocks != "" {
		a.applies(blocks)
	}
	w.Sim.ResetJournal()
	return a
}

func (a *addresses) declares(blocks string) { a.File("main.tf", a.TestEnv.Config(blocks)) }

// applies blocks, after which a plan is empty.
func (a *addresses) applies(blocks string, said ...string) {
	a.t.Helper()
	a.declares(blocks)
	a.Apply().WantOK(a.t, said...)
	a.WantEmptyPlan()
}

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

func (a *addresses) rejects(blocks, summary string, values ...string) {
	a.t.Helper()
	a.plans(blocks, func(told providertest.Diagnostics) { told.WantError(a.t, summary, values...) })
}

func (a *addresses) warns(blocks string, values ...string) {
	a.t.Helper()
	a.plans(blocks, func(told providertest.Diagnostics) { told.WantWarning(a.t, heldTwice, values...) })
}

// accepts plans blocks without an error about addresses.
func (a *addresses) accepts(blocks string) {
	a.t.Helper()
	a.plans(blocks, func(told providertest.Diagnostics) {
		assert.Empty(a.t, append(told.Of("error", changedAddress), told.Of("error", keptElsewhere)...))
	})
}

// wantPeople asserts the members beside the owner.
func (a *addresses) wantPeople(emails ...string) {
	a.t.Helper()
	assert.ElementsMatch(a.t, append(emails, "ada@acme.example"), a.People(providertest.AcmeHost), "members")
}

func (a *addresses) bobNamed(name string) string { return a.Person(name, bobMail, "Bob") }

// Imports and destroys of other objects, an import of what another state has, and a destroy of what was imported.
func TestOneAddress_ImportOfAnother(t *testing.T) {
	t.Parallel()
	a := newAddresses(t, "")
	a.Join(eveMail)
	a.applies(a.bobNamed("bob"))
	eve := a.Person("eve", eveMail, "Bob") + imported("reseller_member.eve", a.Label+"/"+eveMail)
	a.accepts(eve)
	a.Apply().WantOK(t, "1 imported, 0 added, 0 changed, 1 destroyed")
	other := &addresses{a.LabelEnv, coretest.New(t, a.TestEnv), t} // another state has it, and lets go of it
	other.CopyState(a.Workspace)
	other.applies(released("reseller_member.eve"))
	other.applies(eve, "1 imported")
	other.accepts("")
	other.Apply().WantOK(t, "1 destroyed")
}

// A member whose address was changed in the console is found by the ID, independent of the type that has the new address.
func TestOneAddress_ChangedEmail(t *testing.T) {
	t.Parallel()
	const now = "robert@acme.example"
	for name, declared := range map[string]func(a *addresses) string{
		"another name":       func(a *addresses) string { return a.Person("a", now, "Bob") },
		"another name after": func(a *addresses) string { return a.Person("z", now, "Bob") },
		"a set":              func(a *addresses) string { return a.Set(now) },
		"imported": func(a *addresses) string {
			return a.Person("a", now, "Bob") + imported("reseller_member.a", a.Label+"/"+now)
		},
		"imported set":                       func(a *addresses) string { return a.Set(now) + imported(providertest.Team, a.Label) },
		"another member has the old address": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAddresses(t, "")
			a.applies(a.bobNamed("bob"))
			require.NoError(t, a.Sim.ChangeEmailInConsole(providertest.AcmeHost, bobMail, now))
			if declared == nil {
				a.Join(bobMail)
				a.accepts(a.bobNamed("a"))
				a.applies(a.bobNamed("a"), "1 added, 0 changed, 1 destroyed")
				a.wantPeople(bobMail)
				return
			}
			a.Sim.ResetJournal()
			a.rejects(declared(a), changedAddress, providertest.AcmeHost, "moved block")
			a.WantReads()
		})
	}
}

// One of two blocks of one member is removed: the plan is an error that says how to keep the member. Both may change, or go.
func TestOneAddress_OneOfTwoBlocks(t *testing.T) {
	t.Parallel()
	a := newAddresses(t, "")
	first, two := a.bobNamed("one"), a.Person("two", "BOB@acme.example", "Bob")
	a.applies(first+two, "2 added")
	for _, kept := range []string{first, two} {
		a.rejects(kept, keptElsewhere, "@acme.example"+ofAcme, "destroy = false", "terraform state rm", "ABANDON")
	}
	a.accepts(first + released("reseller_member.two"))
	a.Apply().WantOK(t)
	assert.Equal(t, 2, a.Seats())
	a.applies(first + two)
	a.accepts("")
	a.declares(a.Person("one", eveMail, "Eve") + a.Person("two", kimMail, "Kim"))
	wantNoErrors(t, a.Planned())
	wantNoErrors(t, a.Planned("-parallelism=1"))
	a.Apply().WantOK(t, "2 added", "2 destroyed")
	a.wantPeople(eveMail, kimMail)
}

// A set and a single member of one private label that have one member.
func TestOneAddress_SetAndMember(t *testing.T) {
	t.Parallel()
	a := newAddresses(t, "")
	set, bob := a.Set(bobMail, eveMail), a.bobNamed("bob")
	for range 2 { // before the apply, and after it
		a.warns(set+bob, bobMail+ofAcme, "reseller_members", "reseller_member")
		a.Apply().WantOK(t)
	}
	a.warns(a.Set(bobMail)+bob, bobMail+ofAcme)
	a.rejects(a.Set(eveMail)+bob, keptElsewhere, bobMail+ofAcme) // the set would sign out whom the other block keeps
	a.rejects(set, keptElsewhere, bobMail+ofAcme)
	a.plans(a.Set(eveMail)+a.Person("carol", "carol@acme.example", "Carol"), func(told providertest.Diagnostics) {
		assert.Empty(t, append(told.Of("warning", heldTwice), told.Of("error", keptElsewhere)...))
	})
	a.accepts(bob) // the destroy of a set removes nobody
}

// A member who leaves a set for a block of its own. The error says who drops and who takes, and both remedies work.
func TestOneAddress_OutOfTheSet(t *testing.T) {
	t.Parallel()
	for does, ids := range map[string]providertest.Imports{"creates": {}, "imports": {providertest.Bob: providertest.AcmeHost + "/" + bobMail}} {
		a := newAddresses(t, "")
		a.applies(a.Set(bobMail, eveMail))
		a.Sim.ResetJournal()
		bob := a.bobNamed("bob") + ids.Blocks()
		a.rejects(a.Set(eveMail)+bob, changedAddress, "drops "+bobMail+ofAcme+" from the map of reseller_members", does+" the member as reseller_member.",
			"Leave the member in the map", "delete the reseller_members block")
		a.declares(a.Set(bobMail, eveMail))
		a.WantEmptyPlan()
		a.applies(bob+a.Person("eve", eveMail, "Eve"), "1 destroyed")
		a.WantReads()
		a.wantPeople(bobMail, eveMail)
	}
}

// A member who leaves a block of its own for a set, in state or new.
func TestOneAddress_IntoTheSet(t *testing.T) {
	t.Parallel()
	for _, ids := range []providertest.Imports{{}, {providertest.Team: providertest.AcmeHost}} {
		a := newAddresses(t, "")
		a.applies(a.bobNamed("bob"))
		a.Sim.ResetJournal()
		set := a.Set(bobMail) + ids.Blocks()
		a.rejects(set, changedAddress, "destroys "+bobMail+ofAcme+" as reseller_member", "the member with the map of reseller_members", "destroy = false")
		a.applies(set + released(providertest.Bob))
		a.WantReads()
		a.wantPeople(bobMail)
		assert.Len(t, a.State(), 1)
	}
}

// Two sets of one private label: one that drops whom the other one, which is new, has; and two that want different people, which
// is an error where one is in state, and a warning where both are new.
func TestOneAddress_TwoSets(t *testing.T) {
	t.Parallel()
	a := newAddresses(t, "")
	again := func(emails ...string) string { return strings.Replace(a.Set(emails...), `"team"`, `"again"`, 1) }
	a.warns(a.Set(bobMail)+again(bobMail, eveMail), "the members"+ofAcme)
	a.applies(a.Set(bobMail) + again(bobMail))
	a.rejects(a.Set(bobMail)+again(bobMail, eveMail), session.SummaryDisputed, "the members"+ofAcme, "destroy = false", "reseller_member instead")
	a = newAddresses(t, "")
	a.applies(a.Set(bobMail, eveMail))
	a.plans(a.Set(eveMail)+again(bobMail), func(told providertest.Diagnostics) {
		assert.Empty(t, told.Of("error", changedAddress))
		assert.NotEmpty(t, append(told.Of("error", session.SummaryDisputed), told.Of("error", member.SummaryOtherMembers)...)) // by the order of the plan
	})
}

// Two blocks of one object, neither of which is in state: one is to be deleted. Afterwards, one is to be removed from state.
func TestOneAddress_BothNew(t *testing.T) {
	t.Parallel()
	const deleted, inState = "Delete one of the two blocks.", "with a removed block and destroy = false"
	a := newAddresses(t, "")
	two := a.bobNamed("one") + a.bobNamed("two")
	told := func(blocks, want, not string) {
		t.Helper()
		a.plans(blocks, func(told providertest.Diagnostics) {
			told.WantWarning(t, heldTwice, want)
			assert.NotContains(t, fmt.Sprint(told.Of("warning", heldTwice)), not)
		})
	}
	told(two, deleted, inState)
	told(a.bobNamed("one")+a.Set(bobMail), deleted, inState)
	a.applies(two, "2 added")
	told(two, inState, deleted)
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

// A portal that PREVENT protects at one address is not destroyed through another one, and each remedy that the error names
// works.
func TestOneAddress_ProtectedElsewhere(t *testing.T) {
	t.Parallel()
	const host, address = "sign.clinic.example", "reseller_private_label.test"
	test := func(policy string) string {
		return fmt.Sprintf("resource \"reseller_private_label\" \"test\" {\n  domain = %q\n  deletion_policy = %q\n}\n", host, policy)
	}
	clinic := providertest.Label("clinic", host, "")
	for name, leave := range map[string]func(*addresses){
		"removed block": func(a *addresses) { a.applies(clinic + released(address)) },
		"state rm":      func(a *addresses) { a.Forget(address) },
		"ABANDON": func(a *addresses) {
			a.declares(clinic + test("ABANDON"))
			a.Apply().WantOK(a.t, "1 changed")
			a.declares(clinic)
			a.Apply().WantOK(a.t, "1 destroyed")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAddresses(t, clinic)
			a.warns(clinic+test("DEPROVISION")+imported(address, host), host)
			a.Apply().WantOK(t, "1 imported")
			a.rejects(clinic, keptElsewhere, host, "destroy = false", "terraform state rm", "ABANDON")
			leave(a)
			a.declares(clinic)
			a.WantEmptyPlan()
			assert.Len(t, a.State(), 1)
			assert.Len(t, a.Sim.Labels(), 2)
			a.WantReads()
		})
	}
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
	a := newAddresses(t, "")
	a.applies(createFirst(a.LabelEnv, bobMail), "1 added")
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
	const (
		bob    = "keys = { b = \"bob@acme.example\" }"
		eve    = "keys = { e = \"eve@acme.example\" }\nimports = { e = \"eve@acme.example\" }"
		noKeys = "keys = {}"
		bobAsC = "keys = { c = \"bob@acme.example\" }"

		destroyedFirst, always = "destroyed first, as announced, since Terraform 1.15", "always"
	)
	for name, tc := range map[string]struct {
		runs  string // of variables, of a module, or of a plan of one of both
		fails string
	}{
		"a plan that creates the same":       {bob + ";plan:other;" + noKeys, ""},
		"a plan that creates, then the end":  {bob + ";plan:other", ""},
		"a plan that destroys":               {bob + ";plan:" + noKeys + ";other;" + bob, ""},
		"an import, then its destroy":        {eve + ";" + noKeys, ""},
		"an import, then the end":            {eve, ""},
		"a plan that imports":                {"plan:" + eve + ";eve;plan:" + eve + ";" + bob + ";" + noKeys, ""},
		"a plan that imports, then the end":  {"eve;plan:" + eve, ""},
		"an import that another one has":     {"eve;" + eve + ";" + noKeys, ""},
		"import of one, destroy of another":  {bob + ";plan:" + eve + ";" + eve, ""},
		"plans of all kinds":                 {"plan:" + bob + ";" + bob + ";plan:" + noKeys + ";plan:other;plan:" + bob + ";" + noKeys + ";" + bob, ""},
		"an import of what is being removed": {"eve;plan:" + eve + ";" + bob + ";eve", ""},
		"another key":                        {bob + ";" + bobAsC, destroyedFirst},
		"another key that is imported":       {bob + ";plan:other;" + bobAsC + "\nimports = { c = \"bob@acme.example\" }", destroyedFirst},
		"another key after a plan":           {bob + ";plan:" + noKeys + ";plan:other;" + bobAsC, destroyedFirst},
		"another key that is only planned":   {bob + ";plan:" + bobAsC, destroyedFirst},
		"another key of what was imported":   {eve + ";keys = { f = \"eve@acme.example\" }\nimports = { f = \"eve@acme.example\" }", always}, // an import applies nothing
	} {
		t.Run(name, func(t *testing.T) {
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
			for run := range strings.SplitSeq(tc.runs, ";") {
				what, isPlan := strings.CutPrefix(run, "plan:")
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
			case tc.fails == "":
				r.WantOK(t, passed)
			case tc.fails == destroyedFirst && !providertest.OlderCLI(t, "1.15.0") && r.Code == 0:
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
