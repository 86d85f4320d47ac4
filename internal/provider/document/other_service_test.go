package document_test

import (
	"encoding/pem"
	"maps"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/matrix"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// services are the Signing API as the provider can reach it, for one working directory: its own simulator, one over http
// as `simulate` serves it, and one over https. Environment variables select one of them, since a saved plan contains the
// provider block.
type services struct {
	*providertest.SigningEnv
	c    *providertest.CLI
	env  map[string][]string
	http string // address of the one over http
}

const overSimulator, overHTTP, overHTTPS = "simulator", "http", "https"

func newServices(t *testing.T, block string) *services {
	t.Helper()
	w := providertest.NewSigningEnv(t)
	plain, secured := httptest.NewServer(w.Sim), httptest.NewTLSServer(w.Sim)
	t.Cleanup(plain.Close)
	t.Cleanup(secured.Close)
	c := providertest.InstalledCLI(t, "RESELLER_TOKEN_CACHE_DIR="+t.TempDir())
	c.File("terms.pdf", string(providertest.OnePage("Terms")))
	c.File("root.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secured.Certificate().Raw})))
	c.Config(block)
	live := func(signing string) []string {
		return append(slices.Clone(c.Env), "RESELLER_BASE_URL="+plain.URL, "RESELLER_API_KEY="+w.APIKey(), "SSL_CERT_FILE="+filepath.Join(c.Dir, "root.pem"),
			"RESELLER_SIGNING_URL="+signing, "RESELLER_SIGNING_API_KEY="+w.Sim.SigningAPIKey())
	}
	return &services{SigningEnv: w, c: c, http: plain.URL, env: map[string][]string{
		overSimulator: append(slices.Clone(c.Env), "RESELLER_SIMULATOR="+filepath.Join(t.TempDir(), "simulator.json")),
		overHTTP:      live(plain.URL),
		overHTTPS:     live(secured.URL),
	}}
}

// eachPair runs a test for each service, followed by another one that the matrix draws.
func eachPair(t *testing.T, block string, test func(t *testing.T, w *services, first, second string)) {
	t.Helper()
	cells, names := matrix.Of(t), []string{overSimulator, overHTTP, overHTTPS}
	for _, first := range names {
		others := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == first })
		for _, second := range matrix.Cells(cells, others, t.Name(), first) {
			t.Run(first+" then "+second, func(t *testing.T) {
				t.Parallel()
				test(t, newServices(t, block), first, second)
			})
		}
	}
}

// serviceBlocks are valid for each service.
var serviceBlocks = map[string]string{
	providertest.Terms:       strings.Replace(providertest.MinimalDocument, "domain ", "# domain ", 1),
	providertest.MintedTerms: providertest.MinimalMint,
}

// A document of one service is an error with settings of another: with and without a refresh, for a plan, a removed block
// and a destroy. Nothing is called for it.
func TestOneTime_OtherService(t *testing.T) {
	t.Parallel()
	const address = providertest.Terms
	block := serviceBlocks[address]
	eachPair(t, block, func(t *testing.T, w *services, first, second string) {
		t.Helper()
		c := w.c
		c.Env = w.env[first]
		c.Apply().WantOK(t)
		want := session.SummaryOtherSimulator
		switch got := c.State()[address].Attributes["reseller"]; first {
		case overHTTPS:
			want = session.SummaryLiveState
			assert.Nil(t, got, "reseller")
		case overHTTP:
			assert.Equal(t, w.http, got, "reseller")
		default:
			slug, _ := got.(string)
			assert.True(t, strings.HasSuffix(slug, ".simulator.invalid"), "reseller is %v", got)
		}
		c.Env = w.env[second]
		w.Sim.ResetJournal()
		for _, option := range []string{"-refresh=true", "-refresh=false"} {
			c.Plan(option).WantError(t, want)
			c.Destroy(option).WantError(t, want)
		}
		c.Config("")
		c.Apply("-refresh=false").WantError(t, want)
		n := w.Calls(providertest.RouteUpload)
		assert.Equal(t, 0, n, "calls, state %v", c.State())
		assert.Len(t, c.State(), 1, "%d calls, state", n)
		c.Env = w.env[first]
		c.Config(block)
		c.WantEmptyPlan()
	})
}

// A plan that was saved with one service makes no call with another, also that of a create: Terraform itself rejects it.
func TestOneTime_SavedForOtherService(t *testing.T) {
	t.Parallel()
	eachPair(t, strings.Join(slices.Sorted(maps.Values(serviceBlocks)), ""), func(t *testing.T, w *services, first, second string) {
		t.Helper()
		w.c.Env = w.env[first]
		w.c.Run("plan", "-no-color", "-input=false", "-out=saved").WantOK(t, "2 to add")
		w.c.Env = w.env[second]
		w.Sim.ResetJournal()
		w.c.ApplySaved().WantError(t, "inconsistent final plan", ".reseller")
		n := w.Calls(providertest.RouteUpload) + w.Calls(providertest.RouteMint)
		assert.Equal(t, 0, n, "calls, state %v", w.c.State())
		assert.Empty(t, w.c.State(), "%d calls, state", n)
	})
}
