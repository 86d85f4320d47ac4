package assignment_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func TestAssignmentAddons_PlanShowsTheQuantity(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := w.Cli()
	c.Config(w.Assignment(w.Gold, "addons = { SEATS = 10 }"))
	c.Apply().WantOK(t, "1 added")
	c.Config(w.Assignment(w.Gold, "addons = { SEATS = 25 }"))
	c.PlanText().WantText(t, `"SEATS" = 10 -> 25`)
	c.Apply().WantOK(t, "1 changed")
	w.WantHas("GOLD SEATS=25")
	attached, _ := c.State()[providertest.Assigned].Attributes["attached_addons"].(map[string]any)
	seats, _ := attached["SEATS"].(map[string]any)
	if seats["addon_id"] != w.Seats || seats["quantity"] != 25.0 || seats["name"] != "SEATS" || seats["subscription_addon_id"] == "" {
		t.Errorf("attached_addons = %v", attached)
	}
}

// Codes compare without case. The state keeps the configuration's spelling, also after a read.
func TestAssignmentAddons_Spelling(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Assignment(w.Gold, "addons = { Seats = 2 }"))
	c.Apply().WantOK(t, "1 added")
	w.WantHas("GOLD SEATS=2")
	c.WantEmptyPlan()
	c.Refresh()
	got := providertest.AddonsIn(c.State(), providertest.Assigned)
	require.Len(t, got, 1, "addons = in state")
	assert.Equal(t, 2.0, got["Seats"], "addons = %v in state", got)
	c.Config(w.Assignment(w.Gold, "addons = { SEATS = 2 }"))
	c.WantEmptyPlan()
	c.Config(w.Assignment(w.Gold, "addons = { sEATS = 3 }"))
	w.Sim.ResetJournal()
	c.Apply().WantOK(t, "1 changed")
	w.WantHas("GOLD SEATS=3")
	assert.Equal(t, 1, w.Calls(providertest.RouteAttachAddon), "attachments")
	got = providertest.AddonsIn(c.State(), providertest.Assigned)
	require.Len(t, got, 1, "addons = in state")
	assert.Equal(t, 3.0, got["sEATS"], "addons = %v in state", got)
	c.WantEmptyPlan()
}

func TestAssignmentAddons_DriftShows(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	_, err := w.Sim.AddAddon("DOCS", map[string]float64{"documents": 1}, true)
	require.NoError(t, err)
	docs := w.Sim.Addons()[1].ID
	c := w.Cli()
	c.Config(w.Assignment(w.Gold, "addons = { seats = 2 }"))
	c.Apply().WantOK(t)
	require.NoError(t, w.Sim.AssignInConsole(providertest.AcmeHost, w.Gold, map[string]float64{w.Seats: 4, docs: 1}))
	c.PlanText().WantText(t, `- "DOCS"  = 1 -> null`, `~ "seats" = 4 -> 2`)
}

// An apply can attach what it creates, in any case of the code.
func TestAssignmentAddons_CreatedInTheSameApply(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := w.Cli()
	docs := providertest.Item("addon", "docs", "Docs", "")
	c.Config(docs + w.Assignment(w.Gold, "addons = { (reseller_addon.docs.code) = 3, SEATS = 1 }"))
	c.PlanText().WantText(t, `+ "Docs"  = 3`, `+ "SEATS" = 1`)
	c.Apply().WantOK(t, "2 added")
	got := providertest.AddonsIn(c.State(), providertest.Assigned)
	assert.Equal(t, 3.0, got["Docs"], "addons = %v in state", got)
	assert.Equal(t, 1.0, got["SEATS"], "addons = %v in state", got)
	w.WantHas("GOLD DOCS=3 SEATS=1")
	c.WantEmptyPlan()
}

func TestBadInput_AssignmentAddons(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	id := strings.Repeat("ab", 16)
	for name, tc := range map[string]struct{ addons, summary, detail string }{
		"two spellings": {`{ SEATS = 1, seats = 2 }`, "Add-on code is declared twice", `"SEATS" and "seats"`},
		"zero":          {`{ SEATS = 0 }`, diagnostic.SummaryInvalidValue, `Invalid value for addons["SEATS"]: 0.`},
		"negative":      {`{ SEATS = -3 }`, diagnostic.SummaryInvalidValue, `Invalid value for addons["SEATS"]: -3.`},
		"fraction":      {`{ SEATS = 1.5 }`, diagnostic.SummaryInvalidValue, `Invalid value for addons["SEATS"]: 1.5.`},
		"null quantity": {`{ SEATS = null }`, diagnostic.SummaryInvalidValue, `Invalid value for addons["SEATS"]: null.`},
		"blank code":    {`{ " " = 1 }`, "code", "must not be blank"},
		"a list":        {`[{ addon_id = "x", quantity = 1 }]`, "Incorrect attribute value type", "map of number required"},
	} {
		t.Run(name, func(t *testing.T) {
			c := coretest.New(t, w)
			c.Config(w.Config(fmt.Sprintf("resource \"reseller_assignment\" \"x\" {\n  private_label_id = %q\n  package_id = %q\n  addons = %s\n}\n", id, id, tc.addons)))
			c.Validate().WantError(t, tc.summary, tc.detail)
		})
	}
}
