package provider_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// What a plan knows of the service may be old when it is applied: whatever moved
// in between is read by the next plan, and never an inconsistent result.
func TestMovedBetweenPlanAndApply_PrivateLabel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(label("acme", acmeHost, "")))
	c.apply().wantOK(t)
	c.config(w.config(label("acme", acmeHost, "suspended = true")))
	c.ok("plan", "-no-color", "-input=false", "-out=saved")
	if err := w.sim.CorrectDNS(acmeHost); err != nil {
		t.Fatal(err)
	}
	w.sim.Clock().Advance(2 * time.Minute)
	c.run("apply", "-no-color", "-input=false", "saved").wantOK(t, "1 changed")
	c.apply().wantOK(t)
	c.wantEmptyPlan()
	if got := c.state()[acme].Attributes["domain_verified"]; got != true {
		t.Errorf("domain_verified = %v", got)
	}
}

func TestMovedBetweenPlanAndApply_Assignment(t *testing.T) {
	t.Parallel()
	for name, moves := range map[string]func(*testing.T, *catalogued){
		"the package has another name": func(t *testing.T, w *catalogued) {
			w.renamePackage(t, w.gold, "Gold Plus")
		},
		"it was assigned anew": func(t *testing.T, w *catalogued) {
			if err := w.sim.RemovePackageInConsole(acmeHost); err != nil {
				t.Fatal(err)
			}
			w.sim.Clock().Advance(time.Hour)
			if err := w.sim.AssignInConsole(acmeHost, w.gold, map[string]float64{w.seats: 2}); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newCatalogued(t, simulator.Assumptions{})
			c := w.cli()
			c.config(w.assignment(w.gold, w.addons(2)))
			c.apply().wantOK(t)
			c.config(w.assignment(w.gold, w.addons(3)))
			c.ok("plan", "-no-color", "-input=false", "-out=saved")
			moves(t, w)
			c.run("apply", "-no-color", "-input=false", "saved").wantOK(t, "1 changed")
			w.wantBooks("GOLD", 3)
			c.apply().wantOK(t)
			c.wantEmptyPlan()
		})
	}
}

// A package that is renamed while its label's add-ons change.
func TestAssignment_PackageRenamed(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	c := w.cli()
	declare := func(name string, quantity int) {
		c.config(w.assignment("${reseller_package.plus.id}", w.addons(quantity)) + strings.Replace(item("package", "plus", "PLUS", ""), `"Gold"`, fmt.Sprintf("%q", name), 1))
	}
	declare("Plus", 1)
	c.apply().wantOK(t)
	declare("Plus One", 2)
	c.apply().wantOK(t, "2 changed")
	w.wantBooks("PLUS", 2)
	c.wantEmptyPlan()
	if got := c.state()[assigned].Attributes["package_name"]; got != "Plus" && got != "Plus One" {
		t.Errorf("package_name = %v", got)
	}
}

func TestMovedBetweenPlanAndApply_Package(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	c := w.cli()
	c.config(w.config(item("package", "plus", "PLUS", "settings = { monthlyPrice = 1 }")))
	c.apply().wantOK(t)
	c.config(w.config(item("package", "plus", "PLUS", "settings = { monthlyPrice = 2 }")))
	c.ok("plan", "-no-color", "-input=false", "-out=saved")
	for _, p := range w.sim.Packages() {
		if p.Code == "PLUS" {
			w.renamePackage(t, p.ID, "Other")
		}
	}
	c.run("apply", "-no-color", "-input=false", "saved").wantOK(t, "1 changed")
	if r := c.plan(); r.code != 2 {
		t.Errorf("the other name is no change of the next plan: %s", r.out)
	}
	c.apply().wantOK(t)
	c.wantEmptyPlan()
}

func (w *catalogued) renamePackage(t *testing.T, id, name string) {
	t.Helper()
	body := fmt.Sprintf(`{"packageId":%q,"name":%q}`, id, name)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, simulator.BaseURL+"/console/"+w.sim.Slug()+"/reseller/billing/packages/update", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+w.exchange())
	resp, err := w.sim.Transport().RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("HTTP %d, %v", resp.StatusCode, err)
	}
}
