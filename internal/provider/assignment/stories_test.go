package assignment_test

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// The stories of assignments are about one private label with the packages GOLD, SILVER and BRONZE and the add-ons SEATS and
// DOCS in the catalog. Their steps:
//
//	config PACKAGE; LINE; LINE  declares an assignment with further lines; ? before a package makes its ID known after apply
//	config none                 declares nothing
//	later NAME = VALUE          declares terraform_data.NAME for the next config
//	new KIND CODE ITEM=N...     adds a package or an add-on to the catalog
//	item KIND CODE FIELD        changes a field of it, as JSON
//	included CODE ITEM=N...     changes what a package includes
//	unassign                    removes the package in the console
func TestAssignment_Stories(t *testing.T) {
	t.Parallel()
	coretest.Stories(t, newStage)
}

func newStage(t *testing.T, forms simulator.Forms) *coretest.Stage {
	t.Helper()
	w := providertest.NewAssignmentEnv(t, forms)
	ids := map[string]string{"GOLD": w.Gold, "SILVER": w.Silver, "BRONZE": w.Bronze(), "SEATS": w.Seats, "DOCS": w.WithDocs(), "NONE": strings.Repeat("ab", 16)}
	later := ""
	stage := &coretest.Stage{
		Env: w.TestEnv, Config: w.Config(""), Address: providertest.Assigned,
		Routes: map[string]string{
			"assign": providertest.RouteAssign, "attach": providertest.RouteAttachAddon, "remove": providertest.RouteRemovePackage,
			"detach": providertest.RouteRemoveAddon, "detail": providertest.RouteDetail,
		},
		Happened: func(books []simulator.Entry) string {
			said := fmt.Sprintf("writes: %s\nhas: %s\n", cmp.Or(w.Writes(), "none"), cmp.Or(w.Has(), "no package"))
			for _, e := range books {
				if e.Kind == simulator.EntryExcessConfirmed {
					said += fmt.Sprintf("confirmed: %s %g %s\n", e.Code, e.Excess, e.Allowance)
				}
			}
			return said
		},
	}
	stage.Verbs = map[string]func(string){
		"config": func(rest string) {
			code, extra, _ := strings.Cut(rest, "; ")
			known, isLater := strings.CutPrefix(code, "?")
			id := ids[known]
			if isLater {
				later += terraformData("package", strconv.Quote(id))
				id = "${terraform_data.package.output}"
			}
			stage.Config = w.Config(later)
			if code != "none" {
				require.NotEmpty(t, id, rest)
				stage.Config = w.Config(later + w.Body(id, strings.ReplaceAll(extra, "; ", "\n")))
			}
			later = ""
		},
		"later": func(rest string) {
			name, value, _ := strings.Cut(rest, " = ")
			later += terraformData(name, value)
		},
		"item": func(rest string) {
			kind, rest, _ := strings.Cut(rest, " ")
			code, field, _ := strings.Cut(rest, " ")
			w.UpdateItem(kind, ids[code], field)
		},
		"new": func(rest string) {
			words := strings.Fields(rest)
			add := map[string]func(string, map[string]float64, bool) (string, error){"package": w.Sim.AddPackage, "addon": w.Sim.AddAddon}[words[0]]
			id, err := add(words[1], amounts(t, words[2:]), true)
			require.NoError(t, err)
			ids[words[1]] = id
		},
		"included": func(rest string) {
			words := strings.Fields(rest)
			require.NoError(t, w.Sim.SetPackageIncluded(ids[words[0]], amounts(t, words[1:])))
		},
		"unassign": func(string) { w.RemovePackage() },
	}
	return stage
}

func amounts(t *testing.T, words []string) map[string]float64 {
	t.Helper()
	out := map[string]float64{}
	for _, word := range words {
		item, n, _ := strings.Cut(word, "=")
		amount, err := strconv.ParseFloat(n, 64)
		require.NoError(t, err)
		out[item] = amount
	}
	return out
}
