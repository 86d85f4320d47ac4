package providertest

import (
	"errors"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/command"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// SimulatorFile is the simulator's data of the default workspace.
const SimulatorFile = ".reseller-simulator/default.json"

const InSimulator = "provider \"reseller\" {\n  simulator = {}\n}\n"

// Books opens the simulator of a configuration, as `simulate -data` would.
func (c *CLI) Books() *simulator.Simulator {
	c.T.Helper()
	sim, err := simulator.New(simulator.Options{File: filepath.Join(c.Dir, SimulatorFile)})
	require.NoError(c.T, err)
	c.T.Cleanup(func() { _ = sim.Close() })
	return sim
}

// SimulatorSlug is the slug of the simulator of NewLiveAndSimulated.
const SimulatorSlug = "reseller-0123456789ab.simulator.invalid"

// NewLiveAndSimulated are a world as the live API, and one in its simulator mode, which have the same objects with the same IDs.
// Use switches between them.
func NewLiveAndSimulated(t *testing.T) (live, simulated *World) {
	t.Helper()
	in := func(slug string) *World {
		w := worldOf(newAssignmentEnv(NewTestEnvOptions(t, simulator.Options{IDs: "mixed", Slug: slug, DNSDelay: 1})))
		w.Sim.ResetJournal()
		return w
	}
	live, simulated = in(""), in(SimulatorSlug)
	live.Simulated = simulated.Sim
	return live, simulated
}

// LiveEnv serves this test environment over HTTP, as the live API of a provider in a separate process with this
// environment.
func (w *TestEnv) LiveEnv() []string {
	server := httptest.NewServer(w.Sim)
	w.T.Cleanup(server.Close)
	return entries(w.settingsAt(server.URL))
}

// Use sets the environment of the next runs to the live API, or to simulator mode.
func (w *TestEnv) Use(live bool) {
	values := map[string]string{"RESELLER_SIMULATOR": "data.json"}
	if live {
		values = w.settingsAt(simulator.BaseURL)
		values["RESELLER_UPLOAD_URL"], values["RESELLER_SIGNING_URL"] = simulator.UploadURL, simulator.SigningURL
	}
	w.Env.values.Clear()
	for name, value := range values {
		w.Env.Set(name, value)
	}
}

func (w *TestEnv) openSimulated(_, _ string) (*provider.Simulator, error) {
	return &provider.Simulator{
		BaseURL: simulator.BaseURL, UploadURL: simulator.UploadURL, APIKey: w.Simulated.APIKey(),
		SigningURL: simulator.SigningURL, SigningAPIKey: w.Simulated.SigningAPIKey(),
		Transport: w.Simulated.Transport(), Clock: w.Simulated.Clock(), TokenCacheDir: w.T.TempDir(), Slug: SimulatorSlug,
		LookupDNS: command.LookupIn(w.Simulated),
	}, nil
}

// Knows reports whether the simulator issued this token.
func (w *TestEnv) Knows(token string) error {
	if !slices.Contains(w.Sim.Tokens(), token) {
		return errors.New("the service knows no such token")
	}
	return nil
}
