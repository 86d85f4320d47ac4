package provider_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
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

// newLabel is the private label of newClient.
var newLabel, _, _ = strings.Cut(newClient, "resource \"reseller_package\"")

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
	for late, isShown := range map[string]bool{"now": true, "6s": true, "2m": false} {
		t.Run(late, func(t *testing.T) {
			t.Parallel()
			w := lateEnv(t, simulator.Forms{"late": late, "late-reads": "members"})
			c := coretest.New(t, w)
			c.Config(w.Config(newLabel))
			c.Apply().WantOK(t)
			w.Sim.Clock().Advance(time.Hour)
			for _, members := range [][]string{{"bob", "dan"}, {"bob", "dan", "eve"}} {
				c.Config(w.Config(newLabel + set(members...)))
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
	c.Config(w.Config(newLabel))
	r := c.Apply()
	r.WantOK(t, "1 added", "the API does not show it yet")
	assertNoDenial(t, r, "the apply")
	r = c.Plan()
	assert.Contains(t, r.Out, "Object is not shown by the API yet")
	assert.Empty(t, r.Changes)
	assertNoDenial(t, r, "the next plan")
	assert.Len(t, c.State(), 1)

	c.Config(w.Config(strings.Replace(newLabel, "app_name", "suspended = true\n  app_name", 1)))
	r = c.Apply()
	r.WantError(t, "Object is not shown by the API yet", "nothing was changed")
	assertNoDenial(t, r, "a change before it is shown")
	assert.Equal(t, 0, w.Calls(providertest.RouteSuspend))
	c.Config(w.Config(newLabel))

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
	c.Config(w.Config(newLabel + "resource \"reseller_branding\" \"acme\" {\n  domain = reseller_private_label.acme.domain\n  color_primary = \"#0a4\"\n}\n"))
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
	c.Config(w.Config(newLabel))
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

// lateWrites are applies that write, by one call if they do not say otherwise: the configuration before and after them, and the
// route whose response may be lost. Those without a route are reconciled in another way.
const lateWrites = `
	private label          | NONE                | LABEL               | NONE
	package                | NONE                | GOLD                | NONE
	assignment             | LABEL GOLD SEATS    | LABEL GOLD SEATS HELD0 | NONE
	add-on                 | LABEL GOLD SEATS HELD0 | LABEL GOLD SEATS HELD2 | POST package/addons
	quantity of an add-on  | LABEL GOLD SEATS HELD2 | LABEL GOLD SEATS HELD3 | POST package/addons | several calls
	removal of an add-on   | LABEL GOLD SEATS HELD2 | LABEL GOLD SEATS HELD0 | DELETE package/addons/:attachedId
	removal of a package   | LABEL GOLD SEATS HELD0 | LABEL GOLD SEATS | NONE
	member                 | LABEL               | LABEL MEMBER        | POST users
	member of a set        | LABEL               | LABEL SET           | POST users
	removal of a member    | LABEL MEMBER        | LABEL               | DELETE users/:userId
	update of a package    | GOLD                | GOLDEN              | POST billing/packages/update
	code deactivated       | SEATS               | NONE                | POST billing/addons/update
	end of a private label | LABEL               | NONE                | DELETE
	end of all of it       | LABEL GOLD SEATS HELD2 | NONE             | DELETE | several calls
	suspension             | LABEL MEMBER        | SUSPENDED MEMBER    | POST suspend
	end of a suspension    | SUSPENDED           | UNSUSPENDED         | POST unsuspend
	document to be signed  | NONE                | DOCUMENT            | NONE
`

// lateConfig is a configuration of lateWrites.
func lateConfig(words string) (config string) {
	suspended := func(to string) string {
		return strings.Replace(newLabel, "app_name ", "suspended = "+to+"\n  app_name ", 1)
	}
	for word := range strings.FieldsSeq(words) {
		config += map[string]string{
			"LABEL": newLabel, "SUSPENDED": suspended("true"), "UNSUSPENDED": suspended("false"), "MEMBER": newMember, "SET": newSet, "DOCUMENT": providertest.FullDocument,
			"GOLD": fmt.Sprintf(latePackage, "Gold"), "GOLDEN": fmt.Sprintf(latePackage, "Golden"), "SEATS": providertest.Item("addon", "seats", "SEATS", ""),
			"HELD0": fmt.Sprintf(lateAssignment, "{}"), "HELD2": fmt.Sprintf(lateAssignment, "{ (reseller_addon.seats.code) = 2 }"),
			"HELD3": fmt.Sprintf(lateAssignment, "{ (reseller_addon.seats.code) = 3 }"),
		}[word]
	}
	return config
}

const lateAssignment = `
resource "reseller_assignment" "acme" {
  private_label_id = reseller_private_label.acme.id
  package_id       = reseller_package.gold.id
  addons           = %s
}
`

// The response to a write is lost, and the reads after it do not show it yet: that is no proof that it had no effect. A later
// run finds what is done.
func TestLate_LostResponse(t *testing.T) {
	t.Parallel()
	for _, row := range texttable.Rows(lateWrites) {
		if row[3] == "NONE" {
			continue
		}
		t.Run(row[0], func(t *testing.T) {
			t.Parallel()
			w := lateEnv(t, simulator.Forms{"late": "2m"})
			c := coretest.New(t, w)
			c.Config(w.Config(lateConfig(row[1])))
			c.Apply().WantOK(t)
			w.Sim.Clock().Advance(3 * time.Minute)
			method, below, _ := strings.Cut(row[3], " ")
			route := strings.TrimSuffix(method+" /console/:slug/reseller/private-labels/:tenantId/"+below, "/")
			if strings.HasPrefix(below, "billing/") {
				route = method + " /console/:slug/reseller/" + below
			}
			w.Sim.Inject(simulator.Fault{Route: route, Kind: simulator.FaultServerError, After: true, Times: -1})
			c.Config(w.Config(lateConfig(row[2])))
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

// max_wait bounds the time that reads wait.
func TestLate_MaxWait(t *testing.T) {
	t.Parallel()
	w := lateEnv(t, simulator.Forms{"late": "20s"})
	c := coretest.New(t, w)
	c.Config(w.ConfigWith(`max_wait = "3s"`, newLabel))
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

// lateBy makes the reads of a simulator with the form 2m show a write after lag: it moves the clock after each write.
type lateBy struct {
	sim *simulator.Simulator
	lag time.Duration

	mu    sync.Mutex
	moved time.Duration // by the clock, after writes
	reads []time.Time   // since the last write
}

func (l *lateBy) RoundTrip(req *http.Request) (*http.Response, error) {
	path := req.URL.Path
	isRead := req.Method == http.MethodGet || strings.HasSuffix(path, "/search") || strings.HasSuffix(path, "/get")
	l.mu.Lock()
	defer l.mu.Unlock()
	if isRead {
		l.reads = append(l.reads, l.sim.Clock().Now().Add(-l.moved))
	}
	resp, err := l.sim.Transport().RoundTrip(req)
	if !isRead && !strings.HasSuffix(path, "/auth/token") {
		const longest = 2 * time.Minute
		l.sim.Clock().Advance(longest - l.lag)
		l.moved += longest - l.lag
		l.reads = nil
	}
	return resp, err
}

const latePackage = `
resource "reseller_package" "gold" {
  code     = "GOLD"
  name     = %q
  currency = "EUR"
}
`

var notShown = regexp.MustCompile(`(no read\s+afterwards\s+shows\s+it|does\s+not\s+show\s+(it|the\s+assignment|the\s+member|all\s+of\s+it)\s+yet|dropped,\s+or\s+not\s+shown\s+yet|written,\s+but\s+not\s+read)`)

// What a late API costs: each write is read for 30 seconds at most, after pauses that grow. What no read has shown by then is
// said to be not shown yet. The reads, the time that they wait, and what is said at the end are logged.
func TestLate_Costs(t *testing.T) {
	t.Parallel()
	lags := []time.Duration{0, 2 * time.Second, 6 * time.Second, 20 * time.Second, 40 * time.Second}
	for _, row := range texttable.Rows(lateWrites) {
		if len(row) > 4 {
			continue // each of the calls waits
		}
		for _, lag := range lags {
			t.Logf("%s, shown after %s: %s", row[0], lag, costOf(t, row[0], [2]string{lateConfig(row[1]), lateConfig(row[2])}, lag))
		}
	}
}

// costOf applies a write whose effect reads show after lag.
func costOf(t *testing.T, name string, configs [2]string, lag time.Duration) string {
	t.Helper()
	about := fmt.Sprintf("%s, shown after %s", name, lag)
	w := providertest.NewTestEnvAssuming(t, simulator.Forms{"late": "2m"})
	signing := &providertest.SigningEnv{LabelEnv: &providertest.LabelEnv{TestEnv: w}}
	w.Sim.Clock().Advance(time.Hour)
	c := coretest.New(t, w)
	c.File("terms.pdf", "%PDF-1.7\n")
	write := func(body string) { c.Config(signing.Config(body)) }
	write(configs[0])
	c.Apply().WantOK(t)
	w.Sim.Clock().Advance(time.Hour)
	late := &lateBy{sim: w.Sim, lag: lag}
	w.Transport = late
	write(configs[1])
	planned := c.Plan()
	assert.NotEqual(t, 1, planned.Code, "%s: %s", about, planned.Out)
	before := w.Sim.Clock().Now()
	r := c.ApplySaved()
	assertNoDenial(t, r, about)
	waited := w.Sim.Clock().Now().Sub(before) - late.moved
	assert.LessOrEqual(t, waited, 30*time.Second, about)
	assert.GreaterOrEqual(t, late.moved, time.Minute, "%s: it is written", about)
	var pauses []time.Duration
	for i := 1; i < len(late.reads); i++ {
		if pause := late.reads[i].Sub(late.reads[i-1]); pause > 0 {
			pauses = append(pauses, pause)
		}
	}
	for i := 1; i < len(pauses); i++ {
		isLast := i == len(pauses)-1 && waited == 30*time.Second
		assert.True(t, pauses[i] > pauses[i-1] || isLast, "%s: the pauses grow: %s", about, pauses)
	}
	said := "shown"
	if notShown.MatchString(r.Out) {
		said = "not shown yet"
	}
	switch {
	case lag > 20*time.Second:
		proven := slices.Contains([]string{"document to be signed", "package", "suspension", "end of a suspension"}, name) // by its response
		assert.Equal(t, proven, said == "shown", "%s: %s", about, r.Out)
	default:
		assert.Equal(t, "shown", said, "%s: %s", about, r.Out)
		assert.Zero(t, r.Code, "%s: %s", about, r.Out)
	}
	return fmt.Sprintf("%d, %s, %s", len(late.reads), waited, said)
}

// What reads a private label that the same apply has provisioned, and that no read shows, says so and denies nothing.
func TestLate_DataOfANewLabel(t *testing.T) {
	t.Parallel()
	for _, data := range []string{"private_label", "members", "templates", "points_ledger"} {
		w := lateEnv(t, simulator.Forms{"late": "2m"})
		c := coretest.New(t, w)
		argument := "private_label_id"
		if data == "private_label" {
			argument = "id"
		}
		c.Config(w.Config(providertest.Label("acme", "sign.acme.example", "") +
			fmt.Sprintf("data \"reseller_%s\" \"it\" {\n  %s = reseller_private_label.acme.id\n}\n", data, argument)))
		r := c.Apply()
		assertNoDenial(t, r, data)
		assert.Contains(t, r.Out, "the API does not show it yet", data)
		assert.NotContains(t, r.Out, "mistyped", data)
		assert.NotContains(t, r.Out, "heck the ID", data)
	}
}
