package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// addonsOf returns `addons` as the state holds it.
func (c *cli) addonsOf(address string) map[string]any {
	c.t.Helper()
	addons, _ := c.state()[address].Attributes["addons"].(map[string]any)
	return addons
}

func TestAssignmentAddons_PlanShowsTheQuantity(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	c := w.cli()
	c.config(w.assignment(w.gold, "addons = { SEATS = 10 }"))
	c.apply().wantOK(t, "1 added")
	c.config(w.assignment(w.gold, "addons = { SEATS = 25 }"))
	c.plan().wantText(t, `"SEATS" = 10 -> 25`)
	c.apply().wantOK(t, "1 changed")
	w.wantBooks("GOLD", 25)
	attached, _ := c.state()[assigned].Attributes["attached_addons"].(map[string]any)
	seats, _ := attached["SEATS"].(map[string]any)
	if seats["addon_id"] != w.seats || seats["quantity"] != 25.0 || seats["name"] != "SEATS" || seats["subscription_addon_id"] == "" {
		t.Errorf("attached_addons = %v", attached)
	}
}

// Codes compare without case. The state keeps the configuration's spelling, also after a read.
func TestAssignmentAddons_Spelling(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	c := w.cli()
	c.config(w.assignment(w.gold, "addons = { Seats = 2 }"))
	c.apply().wantOK(t, "1 added")
	w.wantBooks("GOLD", 2)
	c.wantEmptyPlan()
	c.ok("refresh", "-no-color")
	if got := c.addonsOf(assigned); len(got) != 1 || got["Seats"] != 2.0 {
		t.Errorf("addons = %v in state", got)
	}
	c.config(w.assignment(w.gold, "addons = { SEATS = 2 }"))
	c.wantEmptyPlan()
	c.config(w.assignment(w.gold, "addons = { sEATS = 3 }"))
	w.sim.ResetJournal()
	c.apply().wantOK(t, "1 changed")
	w.wantBooks("GOLD", 3)
	if n := w.calls(routeAttachAddon); n != 1 {
		t.Errorf("%d attachments", n)
	}
	if got := c.addonsOf(assigned); len(got) != 1 || got["sEATS"] != 3.0 {
		t.Errorf("addons = %v in state", got)
	}
	c.wantEmptyPlan()
}

func TestAssignmentAddons_DriftShows(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	if _, err := w.sim.AddAddon("DOCS", map[string]float64{"documents": 1}, true); err != nil {
		t.Fatal(err)
	}
	docs := w.sim.Addons()[1].ID
	c := w.cli()
	c.config(w.assignment(w.gold, "addons = { seats = 2 }"))
	c.apply().wantOK(t)
	if err := w.sim.AssignInConsole(acmeHost, w.gold, map[string]float64{w.seats: 4, docs: 1}); err != nil {
		t.Fatal(err)
	}
	c.plan().wantText(t, `- "DOCS"  = 1 -> null`, `~ "seats" = 4 -> 2`)
}

// What one apply creates can be attached by it, whatever the case of its code.
func TestAssignmentAddons_CreatedInTheSameApply(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	c := w.cli()
	docs := item("addon", "docs", "Docs", "")
	c.config(docs + w.assignment(w.gold, "addons = { (reseller_addon.docs.code) = 3, SEATS = 1 }"))
	c.plan().wantText(t, `+ "Docs"  = 3`, `+ "SEATS" = 1`)
	c.apply().wantOK(t, "2 added")
	if got := c.addonsOf(assigned); got["Docs"] != 3.0 || got["SEATS"] != 1.0 {
		t.Errorf("addons = %v in state", got)
	}
	w.wantBooks("GOLD", 1)
	c.wantEmptyPlan()
}

func TestAssignmentAddons_Import(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	if err := w.sim.AssignInConsole(acmeHost, w.gold, map[string]float64{w.seats: 4}); err != nil {
		t.Fatal(err)
	}
	c := w.cli()
	c.config(w.config("import {\n  to = " + assigned + "\n  id = \"" + acmeHost + "\"\n}\n"))
	c.ok("plan", "-no-color", "-generate-config-out=generated.tf")
	generated := strings.Join(strings.Fields(c.read("generated.tf")), " ")
	if !strings.Contains(generated, "addons = { SEATS = 4 }") {
		t.Errorf("the generated configuration lacks the add-ons: %s", generated)
	}
	w.sim.ResetJournal()
	c.apply().wantOK(t, "1 imported, 0 added, 0 changed, 0 destroyed")
	w.wantReads()
	if got := c.addonsOf(assigned); len(got) != 1 || got["SEATS"] != 4.0 {
		t.Errorf("addons = %v in state", got)
	}
	c.wantEmptyPlan()
}

func TestBadInput_AssignmentAddons(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := strings.Repeat("ab", 16)
	for name, tc := range map[string]struct{ addons, summary, detail string }{
		"two spellings": {`{ SEATS = 1, seats = 2 }`, "Duplicate add-on code", `"SEATS" and "seats"`},
		"zero":          {`{ SEATS = 0 }`, "Invalid add-on quantity", `addons["SEATS"] is 0`},
		"negative":      {`{ SEATS = -3 }`, "Invalid add-on quantity", `addons["SEATS"] is -3`},
		"fraction":      {`{ SEATS = 1.5 }`, "Invalid add-on quantity", `addons["SEATS"] is 1.5`},
		"null quantity": {`{ SEATS = null }`, "Invalid add-on quantity", `addons["SEATS"] is null`},
		"blank code":    {`{ " " = 1 }`, "code", "must not be blank"},
		"a list":        {`[{ addon_id = "x", quantity = 1 }]`, "Incorrect attribute value type", "map of number required"},
	} {
		t.Run(name, func(t *testing.T) {
			c := w.cli()
			c.config(w.config(fmt.Sprintf("resource \"reseller_assignment\" \"x\" {\n  private_label_id = %q\n  package_id = %q\n  addons = %s\n}\n", id, id, tc.addons)))
			c.run("validate", "-no-color").wantError(t, tc.summary, tc.detail)
		})
	}
}
