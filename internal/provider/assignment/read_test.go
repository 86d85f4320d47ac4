package assignment_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/assignment"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
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

// newAssigned is a test environment whose private labels are assigned and verified.
func newAssigned(t *testing.T, read simulator.Forms, throughCLI bool, labels, withAddons, members int) (*providertest.TestEnv, providertest.Workspace) {
	t.Helper()
	w := providertest.NewTestEnvAssuming(t, read)
	require.NoError(t, w.Sim.SetAllowance(map[string]float64{"documents": 1e6, "seats": 1e6}))
	c := coretest.For(t, w, throughCLI)
	c.Config(w.Config(assignmentsConfig(labels, withAddons, members)))
	c.Apply().WantOK(t)
	for n := range labels {
		require.NoError(t, w.Sim.CorrectDNS(fmt.Sprintf("sign%d.acme.example", n)))
	}
	w.NextWindow()
	applied := providertest.AssignmentsIn(c.State())
	c.Refresh()
	assert.Equal(t, applied, providertest.AssignmentsIn(c.State()), "a refresh changed the state")
	w.NextWindow()
	return w, c
}

// anotherLabel responds to the package reads of all private labels with that of one.
type anotherLabel struct {
	next  http.RoundTripper
	label func() string
}

func (a anotherLabel) RoundTrip(req *http.Request) (*http.Response, error) {
	if labelPath, ok := strings.CutSuffix(req.URL.Path, "/package"); ok && req.Method == http.MethodGet {
		req = req.Clone(req.Context())
		req.URL.Path = labelPath[:strings.LastIndex(labelPath, "/")+1] + a.label() + "/package"
	}
	return a.next.RoundTrip(req)
}

// The state is the same with either API call, and no unnecessary call is made.
func TestAssignmentRead_StateIsEqual(t *testing.T) {
	t.Parallel()
	const labels, withAddons = 6, 4
	for name, tc := range map[string]struct {
		read    simulator.Forms
		fault   *simulator.Fault
		another bool
		most    int // package reads; 0 for any
	}{
		"below assignment": {},
		"bare":             {read: simulator.Forms{"assignment-read": "bare"}},
		"below package":    {read: simulator.Forms{"assignment-read": "package"}},
		"add-ons omitted":  {read: simulator.Forms{"assignment-addons": "omitted"}, most: 1},
		"add-ons empty":    {read: simulator.Forms{"assignment-addons": "empty"}, most: labels},
		"HTTP 404":         {read: simulator.Forms{"assignment-read": "missing"}, most: 1},
		"HTTP 500":         {fault: &simulator.Fault{Kind: simulator.FaultServerError}, most: 5},
		"no response":      {fault: &simulator.Fault{Kind: simulator.FaultReset}, most: 5},
		"a page":           {fault: &simulator.Fault{Kind: simulator.FaultPage}, most: 5},
		"forbidden":        {fault: &simulator.Fault{Kind: simulator.FaultForbidden}, most: labels},
		"another label's":  {another: true, most: labels},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, c := newAssigned(t, tc.read, name == "below assignment", labels, withAddons, 0)
			if tc.another {
				id := w.Sim.Labels()[0].ID
				w.Transport = anotherLabel{w.Sim.Transport(), func() string { return id }}
			}
			if tc.fault != nil {
				tc.fault.Route, tc.fault.Times = routePackageRead, -1
				w.Sim.Inject(*tc.fault)
			}
			before := providertest.AssignmentsIn(c.State())
			c.WantEmptyPlan()
			packages, details := w.Calls(routePackageRead), w.Calls(providertest.RouteDetail)
			for _, call := range w.Sim.Journal() {
				if tc.read["assignment-read"] == "missing" && strings.HasSuffix(call.Path, "/package") {
					packages++
				}
			}
			switch {
			case tc.most == 0 && (packages == 0 || packages+details < labels || details > labels):
				t.Errorf("%d package reads and %d details of %d private labels", packages, details, labels)
			case tc.most > 0 && (packages > tc.most || details > labels):
				t.Errorf("%d package reads, want %d at most; %d details", packages, tc.most, details)
			}
			w.NextWindow()
			c.Refresh()
			assert.Equal(t, before, providertest.AssignmentsIn(c.State()), "the state changed")
		})
	}
}

// Drift appears with either API call.
func TestAssignmentRead_Drift(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]simulator.Forms{"package": {}, "detail": {"assignment-read": "missing"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, c := newAssigned(t, read, false, 2, 2, 0)
			state := c.State()
			gold, _ := state["reseller_package.p"].Attributes["id"].(string)
			seats, _ := state["reseller_addon.a"].Attributes["id"].(string)
			require.NoError(t, w.Sim.DetachInConsole("sign0.acme.example", seats))
			require.NoError(t, w.Sim.AssignInConsole("sign1.acme.example", gold, map[string]float64{seats: 7}))
			c.Plan().WantText(t, "0 to add, 2 to change, 0 to destroy")
		})
	}
}

// One list, and for each private label one read of its assignment and one list of its members.
func TestAssignmentRead_PlanCalls(t *testing.T) {
	t.Parallel()
	const labels, members = 12, 3
	w, c := newAssigned(t, simulator.Forms{}, true, labels, labels, members)
	c.WantEmptyPlan()
	reads := w.Calls(routePackageRead) + w.Calls(providertest.RouteDetail)
	buckets := map[bool]int{}
	for _, call := range w.Sim.Journal() {
		buckets[strings.Contains(call.Route, "/billing/") || strings.HasSuffix(call.Route, "/package")]++
		assert.Equal(t, http.StatusOK, call.Status, "%s answered", call.Route)
	}
	searches := w.Calls(providertest.RoutePackageSearch) + w.Calls(providertest.RouteAddonSearch)
	if reads != labels || w.Calls(providertest.RouteList) != 1 || w.Calls(providertest.RouteMembers) != labels || searches != 2 || len(w.Sim.Journal()) != 2*labels+3 {
		t.Errorf("%d reads of assignments, %d calls in all", reads, len(w.Sim.Journal()))
	}
	assert.Greater(t, buckets[true], 2, "billing calls: no assignment was read there")
}

// A private label that is not verified needs its detail anyway, which also shows the assignment.
func TestAssignmentRead_UsesTheDetailOfTheLabel(t *testing.T) {
	t.Parallel()
	const labels = 4
	w := providertest.NewTestEnv(t)
	c := coretest.Applied(t, w, w.Config(assignmentsConfig(labels, labels, 0)))
	w.NextWindow()
	c.WantEmptyPlan()
	if err := w.WantCalls(map[string]int{providertest.RouteList: 1, providertest.RouteDetail: labels, providertest.RoutePackageSearch: 1, providertest.RouteAddonSearch: 1}); err != nil {
		t.Error(err)
	}
}

// An import agrees with what the apply left in state.
func TestAssignmentRead_Import(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]simulator.Forms{
		"package": {}, "bare": {"assignment-read": "bare"}, "detail": {"assignment-read": "missing"}, "add-ons empty": {"assignment-addons": "empty"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, c := newAssigned(t, read, name == "package", 2, 2, 0)
			before := providertest.AssignmentsIn(c.State())
			for n := range 2 {
				address := fmt.Sprintf("reseller_assignment.s[%d]", n)
				c.Forget(address)
				c.Import(address, fmt.Sprintf("sign%d.acme.example", n)).WantOK(t)
			}
			assert.Equal(t, before, providertest.AssignmentsIn(c.State()), "the state is")
		})
	}
}

// One process plans again what its apply has removed: the list that it read before still shows the package.
func TestAssignmentRead_RemovedByThisProcess(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	gold := coretest.NewWalker(t, w.Protocol(), "reseller_assignment")
	config := providertest.Values{"private_label_id": w.Label, "package_id": w.Gold, "addons": providertest.Values{"SEATS": 2}}
	for range 2 {
		_, told := gold.Plan(config)
		told.Want(t, 1, "warning", assignment.TopicBilling.Summary, providertest.AcmeHost)
		assert.Empty(t, gold.Apply(config))
		assert.Empty(t, gold.Apply(nil))
		w.WantHas("")
	}
}
