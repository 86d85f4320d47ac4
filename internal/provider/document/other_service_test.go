package document_test

import (
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/providertest"
)

// services are the simulator and the live API for one working directory. Environment variables select one of them, since
// a saved plan contains the provider block.
type services struct {
	*providertest.SigningEnv
	c         *providertest.CLI
	sim, live []string
}

func newServices(t *testing.T, block string) *services {
	t.Helper()
	w := providertest.NewSigningEnv(t)
	server := httptest.NewServer(w.Sim)
	t.Cleanup(server.Close)
	c := providertest.InstalledCLI(t, "RESELLER_TOKEN_CACHE_DIR="+t.TempDir())
	c.File("terms.pdf", string(providertest.OnePage("Terms")))
	c.Config(block)
	return &services{
		SigningEnv: w, c: c,
		sim: append(slices.Clone(c.Env), "RESELLER_SIMULATOR="+filepath.Join(t.TempDir(), "simulator.json")),
		live: append(slices.Clone(c.Env), "RESELLER_BASE_URL="+server.URL, "RESELLER_API_KEY="+w.APIKey(),
			"RESELLER_SIGNING_URL="+server.URL, "RESELLER_SIGNING_API_KEY="+w.Sim.SigningAPIKey()),
	}
}

// order returns the environment of the first and of the second service.
func (w *services) order(simulatorFirst bool) (first, second []string) {
	if simulatorFirst {
		return w.sim, w.live
	}
	return w.live, w.sim
}

// serviceBlocks are valid for both services.
var serviceBlocks = map[string]string{
	providertest.Terms:       strings.Replace(providertest.MinimalDocument, "domain ", "# domain ", 1),
	providertest.MintedTerms: providertest.MinimalMint,
}

// A document of the simulator is an error under live settings, and the reverse: with and without a refresh, for a plan, a
// removed block and a destroy. Nothing is called for it.
func TestOneTime_OtherService(t *testing.T) {
	t.Parallel()
	for address, block := range serviceBlocks {
		imported := address == providertest.MintedTerms
		for _, fromSimulator := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/from simulator=%t", address, fromSimulator), func(t *testing.T) {
				t.Parallel()
				w := newServices(t, block)
				first, second := w.order(fromSimulator)
				want := map[bool]string{false: "State was written with the live API", true: "State was written with other simulator data"}[fromSimulator]
				c := w.c
				c.Env = first
				if imported {
					c.Import(address, "42").WantOK(t)
				} else {
					c.Apply().WantOK(t)
				}
				if got := c.State()[address].Attributes["reseller"]; (got != nil) != fromSimulator {
					t.Errorf("reseller is %v", got)
				}
				c.Env = second
				w.Sim.ResetJournal()
				for _, option := range []string{"-refresh=true", "-refresh=false"} {
					c.Plan(option).WantError(t, want)
					c.Destroy(option).WantError(t, want)
				}
				c.Config("")
				c.Apply("-refresh=false").WantError(t, want)
				if n := w.Calls(providertest.RouteUpload) + w.Calls(providertest.RouteMint); n != 0 || len(c.State()) != 1 {
					t.Errorf("%d calls, state %v", n, c.State())
				}
				c.Env = first
				c.Config(block)
				if r := c.Plan(); strings.Contains(r.Out, "Error:") {
					t.Error(r.Out)
				}
			})
		}
	}
}

// A plan that was saved with one service makes no call with the other.
func TestOneTime_SavedForOtherService(t *testing.T) {
	t.Parallel()
	for _, fromSimulator := range []bool{false, true} {
		t.Run(fmt.Sprintf("from simulator=%t", fromSimulator), func(t *testing.T) {
			t.Parallel()
			w := newServices(t, serviceBlocks[providertest.Terms])
			first, second := w.order(fromSimulator)
			w.c.Env = first
			w.c.Run("plan", "-no-color", "-input=false", "-out=saved").WantOK(t, "1 to add")
			w.c.Env = second
			w.Sim.ResetJournal()
			if r := w.c.ApplySaved(); r.Code == 0 || len(w.c.State()) != 0 {
				t.Errorf("applied with state %v\n%s", w.c.State(), r.Out)
			}
			if n := w.Calls(providertest.RouteUpload); n != 0 {
				t.Errorf("%d calls", n)
			}
		})
	}
}
