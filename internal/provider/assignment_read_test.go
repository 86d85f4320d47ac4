package provider_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const routePackageRead = "GET /console/:slug/reseller/private-labels/:tenantId/package"

// assignmentsConfig declares private labels with a package, the first ones also with an add-on, and so many members each.
func assignmentsConfig(labels, withAddons, members int) string {
	return fmt.Sprintf(`
resource "reseller_package" "p" {
  code     = "GOLD"
  name     = "Gold"
  currency = "EUR"
  settings = { included = { documents = 10, seats = 20 } }
}
resource "reseller_addon" "a" {
  code     = "SEATS"
  name     = "Seats"
  currency = "EUR"
}
resource "reseller_private_label" "l" {
  count    = %[1]d
  domain   = "sign${count.index}.acme.example"
  app_name = "Acme"
  owner    = { email = "ada@acme.example", first_name = "Ada", last_name = "L" }
}
resource "reseller_assignment" "s" {
  count            = %[1]d
  private_label_id = reseller_private_label.l[count.index].id
  package_id       = reseller_package.p.id
  addons           = count.index < %[2]d ? { (reseller_addon.a.code) = count.index + 1 } : {}
}
resource "reseller_member" "m" {
  count            = %[1]d * %[3]d
  private_label_id = reseller_private_label.l[floor(count.index / %[3]d)].id
  email            = "m${count.index}@acme.example"
  first_name       = "Mem"
  last_name        = "Ber"
}`, labels, withAddons, members)
}

// newAssigned is a world whose private labels are assigned and verified.
func newAssigned(t *testing.T, read simulator.AssignmentRead, labels, withAddons, members int) (*world, *cli) {
	t.Helper()
	w := newWorldOf(t, simulator.Assumptions{Billing: simulator.BillingAssumptions{AssignmentRead: read}})
	if err := w.sim.SetAllowance(map[string]float64{"documents": 1e6, "seats": 1e6}); err != nil {
		t.Fatal(err)
	}
	c := w.cli()
	c.config(w.config(assignmentsConfig(labels, withAddons, members)))
	c.apply().wantOK(t)
	for n := range labels {
		if err := w.sim.CorrectDNS(fmt.Sprintf("sign%d.acme.example", n)); err != nil {
			t.Fatal(err)
		}
	}
	w.nextWindow()
	applied := c.assignments()
	c.ok("refresh", "-no-color")
	if refreshed := c.assignments(); refreshed != applied {
		t.Errorf("a refresh changed the state:\n%s\nwas:\n%s", refreshed, applied)
	}
	w.nextWindow()
	return w, c
}

// nextWindow opens every limit and begins the journal again.
func (w *world) nextWindow() {
	w.sim.Clock().Advance(5 * 60e9)
	w.sim.ResetJournal()
}

// assignments is what the state has of them.
func (c *cli) assignments() string {
	c.t.Helper()
	var file struct {
		Resources []struct {
			Type      string
			Instances []struct{ Attributes json.RawMessage }
		}
	}
	if err := json.Unmarshal([]byte(c.read("terraform.tfstate")), &file); err != nil {
		c.t.Fatal(err)
	}
	var all []string
	for _, r := range file.Resources {
		for _, i := range r.Instances {
			if r.Type == "reseller_assignment" {
				all = append(all, string(i.Attributes))
			}
		}
	}
	return strings.Join(all, "\n")
}

// anotherLabel answers the package reads of all private labels with that of one.
type anotherLabel struct {
	next  http.RoundTripper
	label func() string
}

func (a anotherLabel) RoundTrip(req *http.Request) (*http.Response, error) {
	if of, ok := strings.CutSuffix(req.URL.Path, "/package"); ok && req.Method == http.MethodGet {
		req = req.Clone(req.Context())
		req.URL.Path = of[:strings.LastIndex(of, "/")+1] + a.label() + "/package"
	}
	return a.next.RoundTrip(req)
}

// The state is the same whichever call showed the assignment, and no call is made for ever.
func TestAssignmentRead_StateIsEqual(t *testing.T) {
	t.Parallel()
	const labels, withAddons = 8, 6
	for name, tc := range map[string]struct {
		read    simulator.AssignmentRead
		fault   *simulator.Fault
		another bool
		most    int // package reads; 0 for any
	}{
		"below assignment": {},
		"bare":             {read: simulator.AssignmentRead{Place: simulator.AssignmentBare}},
		"below package":    {read: simulator.AssignmentRead{Place: simulator.AssignmentBelowPackage}},
		"add-ons left out": {read: simulator.AssignmentRead{Addons: simulator.AddonsLeftOut}, most: 1},
		"add-ons empty":    {read: simulator.AssignmentRead{Addons: simulator.AddonsEmpty}, most: labels},
		"HTTP 404":         {read: simulator.AssignmentRead{None: true}, most: 1},
		"HTTP 500":         {fault: &simulator.Fault{Kind: simulator.FaultServerError}, most: 5},
		"no response":      {fault: &simulator.Fault{Kind: simulator.FaultReset}, most: 5},
		"a page":           {fault: &simulator.Fault{Kind: simulator.FaultPage}, most: 5},
		"forbidden":        {fault: &simulator.Fault{Kind: simulator.FaultForbidden}, most: labels},
		"another label's":  {another: true, most: labels},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, c := newAssigned(t, tc.read, labels, withAddons, 0)
			if tc.another {
				id := w.sim.Labels()[0].ID
				w.transport = anotherLabel{w.sim.Transport(), func() string { return id }}
			}
			if tc.fault != nil {
				tc.fault.Route, tc.fault.Times = routePackageRead, -1
				w.sim.Inject(*tc.fault)
			}
			before := c.assignments()
			c.wantEmptyPlan()
			packages, details := w.calls(routePackageRead), w.calls(routeDetail)
			for _, call := range w.sim.Journal() {
				if tc.read.None && strings.HasSuffix(call.Path, "/package") {
					packages++
				}
			}
			switch {
			case tc.most == 0 && (packages == 0 || packages+details < labels || details > labels):
				t.Errorf("%d package reads and %d details of %d private labels", packages, details, labels)
			case tc.most > 0 && (packages > tc.most || details > labels):
				t.Errorf("%d package reads, want %d at most; %d details", packages, tc.most, details)
			}
			w.nextWindow()
			c.ok("refresh", "-no-color")
			if after := c.assignments(); after != before {
				t.Errorf("the state changed:\n%s\nwas:\n%s", after, before)
			}
		})
	}
}

// Drift shows the same by either call.
func TestAssignmentRead_Drift(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]simulator.AssignmentRead{"package": {}, "detail": {None: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, c := newAssigned(t, read, 2, 2, 0)
			state := c.state()
			gold, _ := state["reseller_package.p"].Attributes["id"].(string)
			seats, _ := state["reseller_addon.a"].Attributes["id"].(string)
			if err := w.sim.DetachInConsole("sign0.acme.example", seats); err != nil {
				t.Fatal(err)
			}
			if err := w.sim.AssignInConsole("sign1.acme.example", gold, map[string]float64{seats: 7}); err != nil {
				t.Fatal(err)
			}
			c.plan().wantText(t, "0 to add, 2 to change, 0 to destroy")
		})
	}
}

// One list, and of each private label one read of its assignment and one members list.
func TestAssignmentRead_PlanCalls(t *testing.T) {
	t.Parallel()
	const labels, members = 12, 3
	w, c := newAssigned(t, simulator.AssignmentRead{}, labels, labels, members)
	c.wantEmptyPlan()
	reads := w.calls(routePackageRead) + w.calls(routeDetail)
	buckets := map[bool]int{}
	for _, call := range w.sim.Journal() {
		buckets[strings.Contains(call.Route, "/billing/") || strings.HasSuffix(call.Route, "/package")]++
		if call.Status != http.StatusOK {
			t.Errorf("%s answered %d", call.Route, call.Status)
		}
	}
	searches := w.calls(routePackageSearch) + w.calls(routeAddonSearch)
	if reads != labels || w.calls(routeList) != 1 || w.calls(routeMembers) != labels || searches != 2 || len(w.sim.Journal()) != 2*labels+3 {
		t.Errorf("%d reads of assignments, %d calls in all", reads, len(w.sim.Journal()))
	}
	if buckets[true] <= 2 {
		t.Errorf("%d billing calls: no assignment was read there", buckets[true])
	}
}

// A private label that is not verified yet needs its detail anyway, which shows the assignment, too.
func TestAssignmentRead_UsesTheDetailOfTheLabel(t *testing.T) {
	t.Parallel()
	const labels = 4
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(assignmentsConfig(labels, labels, 0)))
	c.apply().wantOK(t)
	w.nextWindow()
	c.wantEmptyPlan()
	if err := w.wantCalls(map[string]int{routeList: 1, routeDetail: labels, routePackageSearch: 1, routeAddonSearch: 1}); err != nil {
		t.Error(err)
	}
}

// An import agrees with what the apply left in state.
func TestAssignmentRead_Import(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]simulator.AssignmentRead{
		"package": {}, "bare": {Place: simulator.AssignmentBare}, "detail": {None: true}, "add-ons empty": {Addons: simulator.AddonsEmpty},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, c := newAssigned(t, read, 2, 2, 0)
			before := c.assignments()
			for n := range 2 {
				address := fmt.Sprintf("reseller_assignment.s[%d]", n)
				c.ok("state", "rm", address)
				c.ok("import", "-no-color", "-input=false", address, fmt.Sprintf("sign%d.acme.example", n))
			}
			if after := c.assignments(); after != before {
				t.Errorf("the state is\n%s\nwas\n%s", after, before)
			}
		})
	}
}
