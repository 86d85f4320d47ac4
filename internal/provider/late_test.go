package provider_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// denials are what no text says of what a later read shows.
var denials = []string{
	"Remove the resource from the configuration", "outside of Terraform", "was not removed", "adds and emails", "the catalog has no package",
	"removed from state", "no longer exists",
}

func assertNoDenial(t *testing.T, r providertest.Result, about string) {
	t.Helper()
	for _, denial := range denials {
		assert.NotContains(t, r.Out, denial, about)
	}
}

// newClient is a private label with a package that the same apply creates, an add-on, a member and colors.
const newClient = `
resource "reseller_private_label" "acme" {
  domain          = "sign.acme.example"
  app_name        = "Acme"
  owner           = { email = "ada@acme.example", first_name = "Ada", last_name = "Lovelace" }
  deletion_policy = "DEPROVISION"
}
resource "reseller_package" "gold" {
  code     = "GOLD"
  name     = %q
  currency = "EUR"
}
resource "reseller_addon" "seats" {
  code = "SEATS"
  name = "Seats"
}
resource "reseller_assignment" "acme" {
  private_label_id = reseller_private_label.acme.id
  package_id       = reseller_package.gold.id
  addons           = { (reseller_addon.seats.code) = %d }
}
`

const newMember = `
resource "reseller_member" "bob" {
  private_label_id = reseller_private_label.acme.id
  email            = "bob@acme.example"
  first_name       = "Bob"
  last_name        = "Byte"
}
`

func lateEnv(t *testing.T, forms simulator.Forms) *providertest.TestEnv {
	t.Helper()
	w := providertest.NewTestEnvAssuming(t, forms)
	w.Sim.Clock().Advance(time.Hour) // every read shows what there is
	return w
}

// What an apply creates is in state, whichever reads are late, and the run after it finds nothing to do. Within 30 seconds
// the apply waits for it; the seconds that this costs are logged.
func TestLate_Creates(t *testing.T) {
	t.Parallel()
	for _, late := range []string{"now", "6s", "20s"} {
		for _, reads := range []string{"all", "list", "detail", "members", "package", "search", "item"} {
			t.Run(late+" "+reads, func(t *testing.T) {
				t.Parallel()
				w := lateEnv(t, simulator.Forms{"late": late, "late-reads": reads})
				c := coretest.New(t, w)
				c.Config(w.Config(fmt.Sprintf(newClient, "Gold", 2) + newMember))
				c.Plan()
				before := w.Sim.Clock().Now()
				r := c.ApplySaved()
				r.WantOK(t, "5 added")
				assertNoDenial(t, r, "the apply")
				cost := w.Sim.Clock().Now().Sub(before)
				t.Logf("the apply took %s", cost)
				assert.LessOrEqual(t, cost, 5*30*time.Second, "30 seconds for each of the five objects")
				w.Sim.Clock().Advance(time.Minute)
				assertNoDenial(t, c.Plan(), "the next plan")
				assert.Len(t, w.Sim.Outbox(), 2, "one email each")
			})
		}
	}
}

// A set waits for whom it adds, like a member: the next plan does not add them again.
func TestLate_Set(t *testing.T) {
	t.Parallel()
	set := func(names ...string) string {
		var members strings.Builder
		for _, name := range names {
			fmt.Fprintf(&members, "    \"%s@acme.example\" = { first_name = \"Some\", last_name = \"Body\" }\n", name)
		}
		return "resource \"reseller_members\" \"set\" {\n  private_label_id = reseller_private_label.acme.id\n  members = {\n" + members.String() + "  }\n}\n"
	}
	label, _, _ := strings.Cut(fmt.Sprintf(newClient, "Gold", 2), `resource "reseller_package"`)
	for late, isShown := range map[string]bool{"now": true, "6s": true, "2m": false} {
		t.Run(late, func(t *testing.T) {
			t.Parallel()
			w := lateEnv(t, simulator.Forms{"late": late, "late-reads": "members"})
			c := coretest.New(t, w)
			c.Config(w.Config(label))
			c.Apply().WantOK(t)
			w.Sim.Clock().Advance(time.Hour)
			for _, members := range [][]string{{"bob", "dan"}, {"bob", "dan", "eve"}} {
				c.Config(w.Config(label + set(members...)))
				r := c.Apply()
				assertNoDenial(t, r, "the apply")
				if !isShown {
					assert.Contains(t, r.Out, "the API accepted each call and does not show")
					w.Sim.Clock().Advance(time.Hour)
				}
				assert.Empty(t, c.Plan().Changes, "the next plan of %v", members)
			}
			assert.Len(t, w.Sim.Outbox(), 4, "one email each")
		})
	}
}

// A plan that follows at once, in another process, keeps a private label that neither the list nor its detail shows.
func TestLate_NextPlan(t *testing.T) {
	t.Parallel()
	w := lateEnv(t, simulator.Forms{"late": "2m"})
	c := coretest.New(t, w)
	label, _, _ := strings.Cut(fmt.Sprintf(newClient, "Gold", 2), `resource "reseller_package"`)
	c.Config(w.Config(label))
	r := c.Apply()
	r.WantOK(t, "1 added", "the API does not show it yet")
	assertNoDenial(t, r, "the apply")
	r = c.Plan()
	assert.Contains(t, r.Out, "Object is not shown by the API yet")
	assert.Empty(t, r.Changes)
	assertNoDenial(t, r, "the next plan")
	assert.Len(t, c.State(), 1)

	c.Config(w.Config(strings.Replace(label, "app_name", "suspended = true\n  app_name", 1)))
	r = c.Apply()
	r.WantError(t, "Object is not shown by the API yet", "nothing was changed")
	assertNoDenial(t, r, "a change before it is shown")
	assert.Equal(t, 0, w.Calls(providertest.RouteSuspend))
	c.Config(w.Config(label))

	w.Sim.Clock().Advance(3 * time.Minute)
	r = c.Plan()
	assert.NotContains(t, r.Out, "not shown")
	assertNoDenial(t, r, "a later plan")

	// FORBIDDEN is the answer for one that is gone, at any age.
	require.NoError(t, w.Sim.DeprovisionInConsole("sign.acme.example"))
	w.Sim.Clock().Advance(3 * time.Minute)
	assert.Contains(t, c.Plan().Out, "Private label not found, removed from state")
}

// What else a new private label has is not shown yet either: its branding stays in state.
func TestLate_Branding(t *testing.T) {
	t.Parallel()
	w := lateEnv(t, simulator.Forms{"late": "2m", "gone-label": "invalid-target"})
	c := coretest.New(t, w)
	label, _, _ := strings.Cut(fmt.Sprintf(newClient, "Gold", 2), `resource "reseller_package"`)
	c.Config(w.Config(label + "resource \"reseller_branding\" \"acme\" {\n  domain = reseller_private_label.acme.domain\n  color_primary = \"#0a4\"\n}\n"))
	c.Apply().WantOK(t, "2 added")
	r := c.Plan()
	assertNoDenial(t, r, "the next plan")
	assert.NotContains(t, r.Out, "deprovisioned")
	assert.Empty(t, r.Changes)
	assert.Len(t, c.State(), 2)
}

// INVALID_TARGET may be the answer for a private label of the last ten minutes that is not shown yet.
func TestLate_InvalidTarget(t *testing.T) {
	t.Parallel()
	w := lateEnv(t, simulator.Forms{"gone-label": "invalid-target"})
	c := coretest.New(t, w)
	label, _, _ := strings.Cut(fmt.Sprintf(newClient, "Gold", 2), `resource "reseller_package"`)
	c.Config(w.Config(label))
	c.Apply().WantOK(t, "1 added")
	require.NoError(t, w.Sim.DeprovisionInConsole("sign.acme.example"))
	w.Sim.Clock().Advance(9 * time.Minute)
	assert.Contains(t, c.Plan().Out, "Object is not shown by the API yet")
	w.Sim.Clock().Advance(2 * time.Minute)
	assert.Contains(t, c.Plan().Out, "Private label not found, removed from state")
}

// An apply whose calls the API accepted, and that no read shows for 30 seconds: what is new is in state with a warning, a
// change and a removal are errors that deny nothing, and a later run finds them done.
func TestLate_NotShown(t *testing.T) {
	t.Parallel()
	w := lateEnv(t, simulator.Forms{"late": "2m"})
	c := coretest.New(t, w)
	c.Config(w.Config(fmt.Sprintf(newClient, "Gold", 2) + newMember))
	r := c.Apply()
	r.WantOK(t, "5 added", "does not show the assignment yet")
	assertNoDenial(t, r, "the create")
	assert.Len(t, c.State(), 5)

	w.Sim.Clock().Advance(3 * time.Minute)
	c.Config(w.Config(fmt.Sprintf(newClient, "Golden", 3)))
	r = c.Apply()
	assert.Equal(t, 1, r.Code, r.Out)
	assertNoDenial(t, r, "the change")
	assert.Contains(t, r.Out, "still show the old value of name (dropped, or not shown yet)")
	assert.Contains(t, r.Out, "the API accepted the call to remove the member")
	assert.Contains(t, r.Out, "but no read afterwards shows it yet")

	w.Sim.Clock().Advance(3 * time.Minute)
	for _, said := range []string{
		"the API accepted the call to remove the add-on SEATS, but no read afterwards shows it yet",
		"the API accepted each call and does not show all of it yet. Not shown: ",
	} { // the name is in effect; a quantity changes by two calls, each of which waits
		r = c.Apply()
		assert.Equal(t, 1, r.Code, r.Out)
		assert.Contains(t, r.Out, said)
		w.Sim.Clock().Advance(3 * time.Minute)
	}
	c.WantEmptyPlan()
	assert.Equal(t, "Golden", w.Sim.Packages()[0].Name)
	assert.Equal(t, 1, w.Sim.Labels()[0].Members)
	assert.Equal(t, 3.0, w.Sim.Labels()[0].Addons[0].Quantity)
	assert.Len(t, w.Sim.Outbox(), 2, "one email each")
}

// The response to a write is lost, and the reads after it do not show it yet: that is no proof that it had no effect. A later
// run finds what is done.
func TestLate_LostResponse(t *testing.T) {
	t.Parallel()
	client := fmt.Sprintf(newClient, "Gold", 2)
	changed := func(from, to string) string { return strings.Replace(client+newMember, from, to, 1) }
	const owner = "app_name        = \"Acme\""
	for name, tc := range map[string]struct{ before, after, route string }{
		"member added":     {client, client + newMember, providertest.RouteAdd},
		"member removed":   {client + newMember, client, providertest.RouteRemove},
		"set member added": {client, client + newSet, providertest.RouteAdd},
		"suspended":        {client + newMember, changed(owner, owner+"\n  suspended = true"), providertest.RouteSuspend},
		"unsuspended":      {changed(owner, owner+"\n  suspended = true"), changed(owner, owner+"\n  suspended = false"), providertest.RouteUnsuspend},
		"name changed":     {client + newMember, changed("\"Gold\"", "\"Golden\""), providertest.RoutePackageUpdate},
		"quantity changed": {client + newMember, changed("= 2 }", "= 3 }"), providertest.RouteAttachAddon},
		"add-on detached":  {client + newMember, changed("{ (reseller_addon.seats.code) = 2 }", "{}"), providertest.RouteRemoveAddon},
		"code deactivated": {client + newMember + newItem, client + newMember, providertest.RouteAddonUpdate},
		"deprovisioned":    {client, "", providertest.RouteDeprovision},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := lateEnv(t, simulator.Forms{"late": "2m"})
			c := coretest.New(t, w)
			c.Config(w.Config(tc.before))
			c.Apply().WantOK(t)
			w.Sim.Clock().Advance(3 * time.Minute)
			w.Sim.Inject(simulator.Fault{Route: tc.route, Kind: simulator.FaultServerError, After: true, Times: -1})
			c.Config(w.Config(tc.after))
			r := c.Apply()
			r.WantError(t, "API call outcome unknown")
			assert.NotRegexp(t, "(?i)nothing was changed|No seat was used|stays live|was not (changed|removed|deactivated)|still suspended|adds and emails", r.Out)
			w.Sim.ClearFaults()
			for range 4 { // one write a run at most
				w.Sim.Clock().Advance(3 * time.Minute)
				c.Apply()
			}
			w.Sim.Clock().Advance(3 * time.Minute)
			c.WantEmptyPlan()
		})
	}
}

const newSet = `
resource "reseller_members" "team" {
  private_label_id = reseller_private_label.acme.id
  members          = { "bob@acme.example" = { first_name = "Bob", last_name = "Byte" } }
}
`

const newItem = `
resource "reseller_addon" "extra" {
  code = "EXTRA"
  name = "Extra"
}
`

// max_wait bounds the time that reads wait.
func TestLate_MaxWait(t *testing.T) {
	t.Parallel()
	w := lateEnv(t, simulator.Forms{"late": "20s"})
	c := coretest.New(t, w)
	label, _, _ := strings.Cut(fmt.Sprintf(newClient, "Gold", 2), `resource "reseller_package"`)
	c.Config(w.ConfigWith(`max_wait = "3s"`, label))
	c.Plan()
	before := w.Sim.Clock().Now()
	c.ApplySaved().WantOK(t, "1 added", "the API does not show it yet")
	assert.LessOrEqual(t, w.Sim.Clock().Now().Sub(before), 6*time.Second)
}

// A search that hides deactivated items is not the only witness: their own read keeps them in state.
func TestLate_HiddenItems(t *testing.T) {
	t.Parallel()
	for _, forms := range []simulator.Forms{{"search-inactive": "hidden"}, {"search-inactive": "hidden", "get": "query"}, {"search-inactive": "hidden", "item-id": "nested-alone"}} {
		w := lateEnv(t, forms)
		c := coretest.New(t, w)
		c.Config(w.Config(providertest.Item("package", "gold", "GOLD", "active = false")))
		c.Apply().WantOK(t, "1 added")
		c.WantEmptyPlan()
		c.Config(w.Config(providertest.Item("package", "gold", "GOLD", "active = true")))
		c.Apply().WantOK(t, "1 changed")
		assert.True(t, w.Sim.Packages()[0].Active)
		c.Config(w.Config(""))
		c.Apply().WantOK(t, "1 destroyed")
		assert.False(t, w.Sim.Packages()[0].Active)
		assert.Len(t, w.Sim.Packages(), 1)

		id := w.Sim.Packages()[0].ID // a data source and an import by ID find it
		c.Config(w.Config(fmt.Sprintf(`
data "reseller_package" "gold" {
  id = %[1]q
}
import {
  to = reseller_package.gold
  id = %[1]q
}
%[2]s`, id, providertest.Item("package", "gold", "GOLD", "active = false"))))
		c.Apply().WantOK(t, "1 imported")
	}
}

// What a plan says of a package names its code, also where a search hides it.
func TestLate_HiddenPackageOfAnAssignment(t *testing.T) {
	t.Parallel()
	w := lateEnv(t, simulator.Forms{"search-inactive": "hidden"})
	c := coretest.New(t, w)
	c.Config(w.Config(fmt.Sprintf(newClient, "Gold", 2)))
	c.Apply().WantOK(t, "4 added")
	require.NoError(t, w.Sim.SetPackageActive(w.Sim.Packages()[0].ID, false))
	w.Sim.Clock().Advance(time.Hour)
	c.Config(w.Config(fmt.Sprintf(newClient, "Gold", 3)))
	r := c.Plan()
	assert.NotContains(t, r.Out, w.Sim.Packages()[0].ID)
	assertNoDenial(t, r, "the plan")
}
