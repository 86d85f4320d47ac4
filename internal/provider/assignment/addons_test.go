package assignment_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/assignment"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Codes compare without case. The state keeps the configuration's spelling, also after a read.
func TestAssignmentAddons_Spelling(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := coretest.Applied(t, w.TestEnv, w.Assignment(w.Gold, "addons = { Seats = 2 }"), "1 added")
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

func TestBadInput_Assignment(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	id := strings.Repeat("ab", 16)
	for name, tc := range map[string]struct{ labelID, extra, summary, detail string }{
		"no id":         {"sign.acme.example", "", diagnostic.SummaryInvalidValue, "32 lowercase hex characters"},
		"two spellings": {id, `addons = { SEATS = 1, seats = 2 }`, assignment.SummaryAddonTwice, `"SEATS" and "seats"`},
		"zero":          {id, `addons = { SEATS = 0 }`, diagnostic.SummaryInvalidValue, `Invalid value for addons["SEATS"]: 0. Set a whole number of 1 or more`},
		"negative":      {id, `addons = { SEATS = -3 }`, diagnostic.SummaryInvalidValue, `Invalid value for addons["SEATS"]: -3.`},
		"fraction":      {id, `addons = { SEATS = 1.5 }`, diagnostic.SummaryInvalidValue, `Invalid value for addons["SEATS"]: 1.5.`},
		"null quantity": {id, `addons = { SEATS = null }`, diagnostic.SummaryInvalidValue, `Invalid value for addons["SEATS"]: null.`},
		"blank code":    {id, `addons = { " " = 1 }`, "code", "must not be blank"},
		"a list":        {id, `addons = [{ addon_id = "x", quantity = 1 }]`, "Incorrect attribute value type", "map of number required"},
		"unknown item":  {id, `allow_excess = { lunches = 1 }`, "lunches", "value must be one of"},
		"less than 0":   {id, `allow_excess = { seats = -1 }`, diagnostic.SummaryInvalidValue, `Invalid value for allow_excess["seats"]: -1. Set a number of 0 or more`},
	} {
		t.Run(name, func(t *testing.T) {
			c := coretest.New(t, w)
			c.Config(w.Config(fmt.Sprintf("resource \"reseller_assignment\" \"x\" {\n  private_label_id = %q\n  package_id = %q\n  %s\n}\n", tc.labelID, id, tc.extra)))
			c.Validate().WantError(t, tc.summary, tc.detail)
		})
	}
	c := coretest.New(t, w) // a word could be an ID that the CLI made up for a mocked provider, which makes no plan
	c.Config(w.Config(fmt.Sprintf("resource \"reseller_assignment\" \"x\" {\n  private_label_id = %q\n  package_id = \"GOLD\"\n}\n", id)))
	c.Validate().WantOK(t)
	c.Plan().WantError(t, diagnostic.SummaryInvalidValue, `Invalid value for package_id: "GOLD"`, `code = "GOLD"`)
}
