package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/member"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/matrix"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// lateLabel is a private label that a data source reads again whenever the private label changes, so that its ID is known after
// apply.
func lateLabel(policy string) string {
	return providertest.Label("acme", "sign.late.example", "deletion_policy = \""+policy+"\"") +
		"data \"reseller_private_label\" \"late\" {\n  domain = \"sign.late.example\"\n  depends_on = [reseller_private_label.acme]\n}\n"
}

const createBeforeDestroy = "  lifecycle {\n    create_before_destroy = true\n  }\n"

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

// An email address that is known after apply: the same one changes nothing, another one is an error before the first call,
// and the next plan shows the replacement.
func TestOneAddress_LateEmail(t *testing.T) {
	t.Parallel()
	for name, lifecycle := range matrix.Rows(matrix.Of(t), map[string]string{"destroy first": "", "create first": createBeforeDestroy}, 1, t.Name()) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewLabelEnv(t)
			c := w.Cli()
			bob := strings.NewReplacer(`"\x00"`, "terraform_data.address.output.email", "  first_name", lifecycle+"  first_name").Replace(w.Person("bob", "\x00", "Bob"))
			config := func(run, email string) string {
				return w.Config(fmt.Sprintf("resource \"terraform_data\" \"address\" {\n  input = { run = %q, email = %q }\n}\n", run, email) + bob)
			}
			c.Config(config("1", providertest.BobEmail))
			c.Apply().WantOK(t, "2 added")
			w.Sim.ResetJournal()
			c.Config(config("2", providertest.BobEmail))
			c.Plan().WantText(t, object.SummaryAwaits, "email is known after apply")
			c.Apply().WantOK(t, "0 added", "0 destroyed")
			c.WantEmptyPlan()
			c.Config(config("3", providertest.EveEmail))
			c.Apply().WantError(t, object.SummaryOtherObject, "email is now "+providertest.EveEmail, "Plan again")
			w.WantReads()
			assert.Contains(t, w.People(providertest.AcmeHost), providertest.BobEmail)
			c.Plan().WantText(t, "Plan to replace", member.TopicRemovingMember.Summary, member.TopicAddingMember.Summary)
			c.Apply().WantOK(t, "1 added", "1 destroyed")
			assert.Contains(t, w.People(providertest.AcmeHost), providertest.EveEmail)
			assert.NotContains(t, w.People(providertest.AcmeHost), providertest.BobEmail)
			c.WantEmptyPlan()
		})
	}
}

// A tainted member with create_before_destroy: the create finds the member, and dropping the deposed object keeps it.
func TestOneAddress_Deposed(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := w.Cli()
	bob := w.Config(strings.Replace(w.Person("bob", providertest.BobEmail, "Bob"), "  first_name", createBeforeDestroy+"  first_name", 1) +
		w.Person("eve", providertest.EveEmail, "Eve"))
	c.Config(bob)
	c.Apply().WantOK(t, "2 added")
	mails := len(w.Sim.Outbox())
	w.Sim.ResetJournal()
	c.Ok("taint", providertest.Bob)
	c.Config(strings.Replace(bob, w.Person("eve", providertest.EveEmail, "Eve"), "", 1)) // another destroy in the same apply
	c.Apply("-parallelism=1").WantOK(t, "1 added", "2 destroyed")
	assert.Contains(t, w.People(providertest.AcmeHost), providertest.BobEmail)
	assert.NotContains(t, w.People(providertest.AcmeHost), providertest.EveEmail)
	assert.Len(t, w.Sim.Outbox(), mails, "emails")
	c.WantEmptyPlan()
}

// A portal that PREVENT protects at one address is not destroyed through another one, and each remedy that the error names
// works.
func TestOneAddress_ProtectedElsewhere(t *testing.T) {
	t.Parallel()
	const host = "sign.clinic.example"
	test := func(policy string) string {
		return fmt.Sprintf("resource \"reseller_private_label\" \"test\" {\n  domain = %q\n  deletion_policy = %q\n}\n", host, policy)
	}
	both := func(t *testing.T) (*providertest.TestEnv, *coretest.Workspace, string) {
		t.Helper()
		w := providertest.NewTestEnv(t)
		c := coretest.New(t, w)
		clinic := providertest.Label("clinic", host, "")
		c.Config(w.Config(clinic))
		c.Apply().WantOK(t, "1 added")
		c.Config(w.Config(clinic + test("DEPROVISION") + imported("reseller_private_label.test", host)))
		c.Planned().WantWarning(t, heldTwice, host)
		c.Apply().WantOK(t, "1 imported")
		c.Config(w.Config(clinic))
		for _, options := range orders() {
			c.Planned(options...).WantError(t, keptElsewhere, host, "destroy = false", "terraform state rm", "ABANDON")
		}
		w.Sim.ResetJournal()
		return w, c, clinic
	}
	for name, leave := range map[string]func(*providertest.TestEnv, *coretest.Workspace, string){
		"removed block": func(w *providertest.TestEnv, c *coretest.Workspace, clinic string) {
			c.Config(w.Config(clinic + "removed {\n  from = reseller_private_label.test\n  lifecycle {\n    destroy = false\n  }\n}\n"))
			c.Apply().WantOK(t)
		},
		"state rm": func(_ *providertest.TestEnv, c *coretest.Workspace, _ string) {
			c.Forget("reseller_private_label.test")
		},
		"ABANDON": func(w *providertest.TestEnv, c *coretest.Workspace, clinic string) {
			c.Config(w.Config(clinic + test("ABANDON")))
			c.Apply().WantOK(t, "1 changed")
			c.Config(w.Config(clinic))
			c.Apply().WantOK(t, "1 destroyed")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, c, clinic := both(t)
			leave(w, c, clinic)
			c.Config(w.Config(clinic))
			c.WantEmptyPlan()
			assert.Len(t, c.State(), 1)
			assert.Len(t, w.Sim.Labels(), 1)
			w.WantReads()
		})
	}
}

// Two addresses of one member, both of which get another email address: each replaces what was read, in one plan.
func TestOneAddress_BothChange(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	one, two := w.Person("one", providertest.BobEmail, "Bob"), w.Person("two", providertest.BobEmail, "Bob")
	c.Config(w.Config(one))
	c.Apply().WantOK(t, "1 added")
	c.Config(w.Config(one + two + imported("reseller_member.two", w.Label+"/"+providertest.BobEmail)))
	c.Apply().WantOK(t, "1 imported")
	c.Config(w.Config(w.Person("one", providertest.EveEmail, "Eve") + w.Person("two", "kim@acme.example", "Kim")))
	for _, options := range [][]string{nil, {"-parallelism=1"}} {
		r := c.Plan(options...)
		r.WantText(t, "2 to add, 0 to change, 2 to destroy")
		assert.NotContains(t, r.Out, "Error:")
	}
	c.Apply().WantOK(t)
	c.WantEmptyPlan()
}

// A plan says of a private label that is known after apply only what it knows: an update keeps that of the state, and a
// replacement may be for another one.
func TestOneAddress_LateLabelNames(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := coretest.New(t, w.TestEnv)
	config := func(run, domain, email string, seats int) string {
		return w.Config(fmt.Sprintf(`
resource "terraform_data" "run" {
  input = %q
}
data "reseller_private_label" "late" {
  domain     = %q
  depends_on = [terraform_data.run]
}
resource "reseller_member" "bob" {
  private_label_id = data.reseller_private_label.late.id
  email            = %q
  first_name       = "Bob"
  last_name        = "Byte"
}
resource "reseller_assignment" "acme" {
  private_label_id = data.reseller_private_label.late.id
  package_id       = %q
  addons           = { SEATS = %d }
}
`, run, domain, email, w.Gold, seats))
	}
	c.Config(config("1", providertest.AcmeHost, providertest.BobEmail, 2))
	c.Apply().WantOK(t)
	c.Config(config("2", providertest.AcmeHost, providertest.EveEmail, 3))
	said := fmt.Sprint(c.Planned())
	assert.Contains(t, said, providertest.AcmeHost+": add-on SEATS is detached")
	assert.Contains(t, said, "branded for a private label known after apply")
	assert.NotContains(t, said, object.SummaryAwaits, "of the member, who is replaced")
	assert.NotContains(t, said, "new private label")
}

// Two addresses of one object, of each type: a warning, once.
func TestOneAddress_Twice(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := coretest.New(t, w.TestEnv)
	resource := func(typ, name, arguments string) string {
		return fmt.Sprintf("resource \"reseller_%s\" %q {\n%s}\n", typ, name, arguments)
	}
	label := fmt.Sprintf("  private_label_id = %q\n", w.Label)
	blocks := map[string]struct{ first, second, id, object string }{
		"assignment":          {label + fmt.Sprintf("  package_id = %q\n  addons = {}\n", w.Gold), "", w.Label, "the assignment of " + providertest.AcmeHost},
		"package":             {"  code = \"TWICE\"\n  name = \"Twice\"\n  currency = \"EUR\"\n", "  code = \"TWICE\"\n  name = \"Double\"\n  currency = \"EUR\"\n", "TWICE", "the package TWICE"},
		"addon":               {"  code = \"TWICE\"\n  name = \"Twice\"\n", "", "TWICE", "the add-on TWICE"},
		"branding":            {fmt.Sprintf("  domain = %q\n  color_primary = \"#0a0\"\n", providertest.AcmeHost), fmt.Sprintf("  domain = %q\n  color_primary = \"#00a\"\n", strings.ToUpper(providertest.AcmeHost)), providertest.AcmeHost, "the branding of " + providertest.AcmeHost},
		"domain_verification": {label + "  required = false\n  timeouts = { create = \"0s\" }\n", "", w.Label, "the domain verification of " + providertest.AcmeHost},
	}
	var first, second strings.Builder
	for typ, b := range blocks {
		if b.second == "" {
			b.second = b.first
		}
		first.WriteString(resource(typ, "one", b.first))
		second.WriteString(resource(typ, "two", b.second) + imported("reseller_"+typ+".two", b.id))
	}
	told := func(planned providertest.Diagnostics) {
		t.Helper()
		planned.Want(t, len(blocks), "warning", heldTwice)
		said := fmt.Sprint(planned.Of("warning", heldTwice))
		for typ, b := range blocks {
			assert.Contains(t, said, "Two reseller_"+typ+" resources manage "+b.object)
		}
	}
	c.Config(w.Config(first.String()))
	c.Apply().WantOK(t)
	c.Config(w.Config(first.String() + second.String()))
	for _, options := range [][]string{nil, {"-parallelism=1"}} {
		told(c.Planned(options...))
	}
	c.Apply().WantOK(t, "5 imported")
	told(c.Planned())
}

// Two sets of one private label that want different people: an error where one is in state, a warning where both are new.
func TestOneAddress_DisputedSets(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	again := func(emails ...string) string { return strings.Replace(w.Set(emails...), `"team"`, `"again"`, 1) }
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Config(w.Set(providertest.BobEmail) + again(providertest.BobEmail, providertest.EveEmail)))
	c.Planned().WantWarning(t, heldTwice, "the members of "+providertest.AcmeHost)
	c.Config(w.Config(w.Set(providertest.BobEmail) + again(providertest.BobEmail)))
	c.Apply().WantOK(t, "2 added")
	c.Config(w.Config(w.Set(providertest.BobEmail) + again(providertest.BobEmail, providertest.EveEmail)))
	for _, options := range orders() {
		c.Planned(options...).WantError(t, session.SummaryDisputed, "the members of "+providertest.AcmeHost, "destroy = false", "reseller_member instead")
	}
}

// A deposed object that is wanted again, since its removal failed. The error says how to drop it from state, and that keeps the
// member: only whom the resource has now is removed.
func TestOneAddress_DeposedWantedAgain(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	config := func(email string) string {
		return w.Config(strings.Replace(w.Person("bob", email, "Bob"), "  first_name", createBeforeDestroy+"  first_name", 1))
	}
	c.Config(config(providertest.BobEmail))
	c.Apply().WantOK(t, "1 added")
	c.Config(config(providertest.EveEmail))
	w.Sim.Inject(simulator.Fault{Route: providertest.RouteRemove, Kind: simulator.FaultForbidden})
	c.Apply().WantError(t, member.SummaryRemove)
	mails := len(w.Sim.Outbox())
	w.Sim.ResetJournal()
	c.Config(config(providertest.BobEmail))
	for _, options := range [][]string{nil, {"-parallelism=1"}} {
		c.Planned(options...).WantError(t, session.SummaryRenamed, "For a deposed object, use terraform state rm, then import")
	}
	w.WantReads()
	c.Forget(providertest.Bob)
	c.Config(config(providertest.BobEmail) + imported(providertest.Bob, w.Label+"/"+providertest.EveEmail))
	c.Apply().WantOK(t, "1 imported", "1 added", "1 destroyed")
	assert.Contains(t, w.People(providertest.AcmeHost), providertest.BobEmail)
	assert.NotContains(t, w.People(providertest.AcmeHost), providertest.EveEmail)
	assert.Len(t, w.Sim.Outbox(), mails, "emails")
	c.Config(config(providertest.BobEmail))
	c.WantEmptyPlan()
}

// Two blocks of one object, neither of which is in state: one is to be deleted. Afterwards, one is to be removed from state.
func TestOneAddress_BothNew(t *testing.T) {
	t.Parallel()
	const deleted, inState = "Delete one of the two blocks.", "with a removed block and destroy = false"
	w := providertest.NewLabelEnv(t)
	two := w.Person("one", providertest.BobEmail, "Bob") + w.Person("two", providertest.BobEmail, "Bob")
	c := coretest.New(t, w.TestEnv)
	told := func(config, want, not string) {
		t.Helper()
		c.Config(w.Config(config))
		planned := c.Planned()
		planned.WantWarning(t, heldTwice, want)
		assert.NotContains(t, fmt.Sprint(planned.Of("warning", heldTwice)), not)
	}
	told(two, deleted, inState)
	told(w.Person("one", providertest.BobEmail, "Bob")+w.Set(providertest.BobEmail), deleted, inState)
	c.Config(w.Config(two))
	c.Apply().WantOK(t, "2 added")
	told(two, inState, deleted)
}
