package assignment_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/assignment"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// After a failed update the state has the add-ons that are attached, also if none were managed before.
func TestAssignment_FailedUpdateOfUnmanagedAddons(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	w.WithDocs()
	c := coretest.Applied(t, w.TestEnv, w.Assignment(w.Gold, ""))
	w.Sim.Inject(simulator.Fault{Route: providertest.RouteAttachAddon, Kind: simulator.FaultForbidden, Skip: 1, Times: -1})
	c.Config(w.Assignment(w.Gold, "addons = { DOCS = 1, SEATS = 2 }"))
	c.Apply().WantError(t, assignment.NotTaken("attach SEATS"), assignment.Written("attach DOCS 1"))
	w.WantHas("GOLD DOCS=1")
	var state providertest.Instance
	for _, state = range c.State() {
		break
	}
	assert.Equal(t, "map[DOCS:1]", fmt.Sprint(state.Attributes["addons"]))
	attached, _ := state.Attributes["attached_addons"].(map[string]any)
	assert.Len(t, attached, 1, "attached_addons is %v", state.Attributes["attached_addons"])
	w.Sim.ClearFaults()
	c.Apply().WantOK(t)
	c.WantEmptyPlan()
	w.WantHas("GOLD DOCS=1 SEATS=2")
}

// The same stopped create, applied again and again, exceeds the allowance once.
func TestAssignment_StoppedCreateAgain(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	base, err := w.Sim.AddPackage("BASE", map[string]float64{"seats": 30}, true)
	require.NoError(t, err)
	for _, code := range []string{"ONE", "TWO", "THREE"} {
		if _, err := w.Sim.AddAddon(code, map[string]float64{"seats": 20}, true); err != nil {
			t.Fatal(err)
		}
	}
	require.NoError(t, w.Sim.SetAllowance(map[string]float64{"documents": 100, "seats": 10}))
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Assignment(base, "addons = { ONE = 1, TWO = 1, THREE = 1 }\nallow_excess = { seats = 25 }"))
	c.Apply().WantError(t, assignment.Written("assign BASE"), "Left after this step: add-on THREE (quantity 1) and add-on TWO (quantity 1)")
	inBooks := w.Has()
	for range 4 {
		c.Apply().WantError(t, assignment.SummaryExcess, "the private label has 30, which counts because nothing remains", "set allow_excess = { seats = 50 }")
		w.WantHas(inBooks)
	}
}
