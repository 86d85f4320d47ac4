package providertest

import (
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const (
	Acme     = "reseller_private_label.acme"
	AcmeHost = "sign.acme.example"
)

func At(name string) tfjsonpath.Path { return tfjsonpath.New(name) }

// VerifyDNS makes the host name attached and verified, so that nothing changes by itself.
func (w *TestEnv) VerifyDNS(host string) {
	w.T.Helper()
	require.NoError(w.T, w.Sim.CorrectDNS(host))
	w.Sim.Clock().Advance(2 * time.Minute) // the API checks at most once a minute
}

// Abandon lets the testing library destroy what it created.
const Abandon = `deletion_policy = "ABANDON"`

// LastBody is the latest request body of a route, compact.
func (w *TestEnv) LastBody(route string) string {
	w.T.Helper()
	journal := w.Sim.Journal()
	slices.Reverse(journal)
	return string(Find(w.T, journal, func(call simulator.Call) bool { return call.Route == route }).Body)
}
