package assignment_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/assignment"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// again renames the block of an assignment.
func again(block string) string { return strings.ReplaceAll(block, `"acme"`, `"again"`) }

// wantBilledOnce asserts that nothing was assigned or attached twice since an entry of the books.
func wantBilledOnce(t *testing.T, w *providertest.TestEnv) {
	t.Helper()
	billed := map[string]int{}
	for _, e := range w.Sim.Books() {
		if e.Kind == simulator.EntryBilled {
			billed[e.Host+" "+e.Code]++
		}
	}
	for what, n := range billed {
		assert.Equal(t, 1, n, "%s was billed times", what)
	}
}

// Two blocks for one private label: what one has assigned is in effect for the other, or is an error that says what does
// not fit.
func TestAssignment_TwoBlocks(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		first, second string
		fails         bool
	}{
		"the same":                   {"addons = { SEATS = 3 }", "addons = { SEATS = 3 }", false},
		"one does not manage addons": {"", "addons = { SEATS = 3 }", false},
		"other quantities":           {"addons = { SEATS = 2 }", "addons = { SEATS = 3 }", true},
	} {
		for _, option := range []string{"-parallelism=1", "-parallelism=10"} {
			t.Run(name+option, func(t *testing.T) {
				t.Parallel()
				w := providertest.NewAssignmentEnv(t, simulator.Forms{})
				c := coretest.New(t, w.TestEnv)
				c.Config(w.Config(w.Body(w.Gold, tc.first) + again(w.Body(w.Gold, tc.second))))
				c.Planned().Want(t, 2, "warning", assignment.TopicBilling.Summary, providertest.AcmeHost)
				r := c.Apply(option)
				wantBilledOnce(t, w.TestEnv)
				if tc.fails {
					r.Diagnostics.Want(t, 1, "error", assignment.SummaryOtherAddons, "SEATS", "import {")
					return
				}
				r.WantOK(t, "2 added")
				w.WantHas("GOLD SEATS=3")
			})
		}
	}
}

func TestAssignment_ManyBlocksOfANewLabel(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	gold, err := w.Sim.AddPackage("GOLD", nil, true)
	require.NoError(t, err)
	body := providertest.Label("acme", providertest.AcmeHost, "")
	for _, name := range []string{"acme", "again", "third"} {
		body += fmt.Sprintf("resource \"reseller_assignment\" %q {\n  private_label_id = reseller_private_label.acme.id\n  package_id = %q\n}\n", name, gold)
	}
	c := coretest.Applied(t, w, w.Config(body), "4 added")
	wantBilledOnce(t, w)
	c.WantEmptyPlan()
}
