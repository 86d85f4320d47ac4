package provider_test

import (
	"image/color"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// proof is a way in which the read that shows a write goes wrong.
type proof struct {
	fault *simulator.Fault // of the read
	lost  bool             // the response to the write is lost, too
	stop  bool             // the run is canceled while the write is under way
}

func proofs() map[string]proof {
	fails := &simulator.Fault{Kind: simulator.FaultServerError, Times: -1}
	limited := &simulator.Fault{Kind: simulator.FaultRateLimit, Times: -1, RetryAfter: 50 * time.Minute}
	stale := &simulator.Fault{Kind: simulator.FaultStale, Times: 1}
	return map[string]proof{
		"fails":                   {fault: fails},
		"fails after a loss":      {fault: fails, lost: true},
		"rate limit":              {fault: limited},
		"rate limit after a loss": {fault: limited, lost: true},
		"stale":                   {fault: stale},
		"stale after a loss":      {fault: stale, lost: true},
		"Ctrl-C":                  {stop: true},
		"Ctrl-C after a loss":     {lost: true, stop: true},
		"Ctrl-C, fails":           {fault: fails, stop: true},
	}
}

// inject sets the faults for a write and the read of it.
func (p proof) inject(sim *simulator.Simulator, c *coretest.Workspace, write, read string) {
	if p.fault != nil {
		fault := *p.fault
		fault.Route, fault.Since = read, write
		sim.Inject(fault)
	}
	if p.lost || p.stop {
		fault := simulator.Fault{Route: write, After: true}
		if p.lost {
			fault.Kind = simulator.FaultServerError
		}
		if p.stop {
			fault.Hook = c.Interrupt
		}
		sim.Inject(fault)
	}
}

// denial is a sentence that says what did not happen.
var denial = regexp.MustCompile(`Nothing was changed|Nothing was created|No seat was used|The state was not changed|stays in state|It stays live| was not (?:removed|detached|deactivated|changed|added|assigned|attached|suspended|deprovisioned|provisioned|created)`)

// wantTruth asserts on an apply whose write took effect: it succeeds, or says what may be in effect, and denies nothing.
func (p proof) wantTruth(t *testing.T, r providertest.Result, inEffect bool) {
	t.Helper()
	if p.fault != nil && p.fault.Kind == simulator.FaultStale && !p.stop {
		r.WantOK(t)
	}
	// What a report lists is in effect, and a later step may be denied.
	listed := regexp.MustCompile(`Written: |Restored: |Before that, this apply `).MatchString(r.Out)
	out := strings.ReplaceAll(r.Out, "and that the private label was not deprovisioned", "")
	if said := denial.FindString(out); inEffect && said != "" && !listed {
		t.Errorf("the write is in effect, and the apply says %q:\n%s", said, r.Out)
	}
}

// TestTruth_Catalog: the read that proves a write fails, is limited or is older than the write, for every writing call of
// the catalog and of an assignment.
func TestTruth_Catalog(t *testing.T) {
	t.Parallel()
	reads := map[string]string{"create": providertest.RoutePackageSearch, "update": providertest.RoutePackageSearch, "deactivate": providertest.RoutePackageSearch}
	for callName, call := range writingCalls() {
		read := reads[callName]
		if read == "" {
			read = providertest.RouteDetail
		}
		for name, p := range proofs() {
			t.Run(callName+"/"+name, func(t *testing.T) {
				t.Parallel()
				w := providertest.NewAssignmentEnv(t, simulator.Forms{})
				c := coretest.New(t, w.TestEnv)
				c.Config(w.Config(call.Before(w)))
				c.Apply().WantOK(t)
				p.inject(w.Sim, c, call.Route, read)
				c.Config(w.Config(call.After(w)))
				before := w.Has()
				r := c.Apply("-parallelism=1")
				p.wantTruth(t, r, w.Has() != before || strings.HasPrefix(callName, "create"))
				w.WantUntainted(c)
				w.Sim.ClearFaults()
				w.NextWindow()
				w.Converges(c, call)
			})
		}
	}
}

// TestTruth_PackageChange: a private label never stays without its package because a read failed or was old, or because
// the run was canceled, and the error says what was restored.
func TestTruth_PackageChange(t *testing.T) {
	t.Parallel()
	for callName, tc := range map[string]struct{ route, pkg, addons string }{
		"package: detach":  {providertest.RouteRemoveAddon, "silver", "addons = { SEATS = 2 }"},
		"package: remove":  {providertest.RouteRemovePackage, "silver", "addons = { SEATS = 2 }"},
		"package: assign":  {providertest.RouteAssign, "silver", "addons = { SEATS = 2 }"},
		"package: attach":  {providertest.RouteAttachAddon, "silver", "addons = { SEATS = 2 }"},
		"quantity: detach": {providertest.RouteRemoveAddon, "gold", "addons = { SEATS = 3 }"},
		"quantity: attach": {providertest.RouteAttachAddon, "gold", "addons = { SEATS = 3 }"},
	} {
		for name, p := range proofs() {
			t.Run(callName+"/"+name, func(t *testing.T) {
				t.Parallel()
				w := providertest.NewAssignmentEnv(t, simulator.Forms{})
				c := coretest.New(t, w.TestEnv)
				c.Config(w.Assignment(w.Gold, "addons = { SEATS = 2 }"))
				c.Apply().WantOK(t)
				p.inject(w.Sim, c, tc.route, providertest.RouteDetail)
				id, want := w.Gold, "GOLD SEATS=3"
				if tc.pkg == "silver" {
					id, want = w.Silver, "SILVER SEATS=2"
				}
				c.Config(w.Assignment(id, tc.addons+"\nallow_package_change = true"))
				r := c.Apply()
				has := w.Has()
				p.wantTruth(t, r, has != "GOLD SEATS=2")
				if !strings.Contains(has, "SEATS=") && !strings.Contains(r.Out, "add-on SEATS (quantity 2)") || has == "" {
					t.Errorf("the private label has %q:\n%s", has, r.Out)
				}
				w.WantUntainted(c)
				w.Sim.ClearFaults()
				w.NextWindow()
				c.Apply().WantOK(t)
				c.WantEmptyPlan()
				w.WantHas(want)
			})
		}
	}
}

// TestTruth_People is TestTruth_Catalog for members and branding.
func TestTruth_People(t *testing.T) {
	t.Parallel()
	for callName, call := range peopleCalls() {
		if call.Route == providertest.RouteMembers {
			continue // a read has no effect
		}
		for name, p := range proofs() {
			t.Run(callName+"/"+name, func(t *testing.T) {
				t.Parallel()
				w := providertest.NewLabelEnv(t)
				c := coretest.New(t, w.TestEnv)
				c.File("logo.png", string(providertest.Drawn(t, 2, 2, color.White)))
				c.Config(call.Before(w))
				c.Apply().WantOK(t)
				p.inject(w.Sim, c, call.Route, providertest.RouteMembers)
				c.Config(call.After(w))
				before := w.Seats()
				r := c.Apply()
				p.wantTruth(t, r, w.Seats() != before)
				w.Sim.ClearFaults()
				w.Sim.Clock().Advance(time.Hour)
				w.Converges(c, call)
			})
		}
	}
}

// TestTruth_PrivateLabel is TestTruth_Catalog for the calls that write a private label. Each of its two reads goes wrong.
func TestTruth_PrivateLabel(t *testing.T) {
	t.Parallel()
	for callName, call := range lifeCalls() {
		if !call.writes {
			continue
		}
		for _, read := range []string{providertest.RouteList, providertest.RouteDetail} {
			for name, p := range proofs() {
				t.Run(callName+"/"+strings.TrimPrefix(read, providertest.RouteList)+"/"+name, func(t *testing.T) {
					t.Parallel()
					w := providertest.NewTestEnv(t)
					c := coretest.New(t, w)
					if call.prepare != nil {
						if err := call.prepare(w); err != nil {
							t.Fatal(err)
						}
					}
					if call.before != "-" {
						c.Config(call.config(w, call.before))
						c.Apply().WantOK(t)
					}
					p.inject(w.Sim, c, call.route, read)
					c.Config(call.config(w, call.act))
					looks := func() string {
						text := ""
						for _, l := range w.Sim.Labels() {
							text += l.Host + l.Status
						}
						return text
					}
					before := looks()
					r := c.Apply()
					p.wantTruth(t, r, looks() != before)
					w.Sim.ClearFaults()
					w.NextWindow()
					goesOn(t, w, c, call)
				})
			}
		}
	}
}
