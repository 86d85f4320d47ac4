package providertest

import (
	"path/filepath"
)

// OperationsDir is where the providers of a test environment keep their markers.
func (w *TestEnv) OperationsDir() string {
	return filepath.Join(w.Env.Get("RESELLER_TOKEN_CACHE_DIR"), "operations")
}

// OneTimeCLI is a configuration of one one-time call, with a watched provider.
func (w *SigningEnv) OneTimeCLI(callName string, call OnceCall) (*CLI, *WatchedServer) {
	w.T.Helper()
	if callName == "sign" {
		w.WithDocument(MinimalDocument)
	}
	server := w.Watched()
	return w.OneTimeFolder(call, server), server
}

func (w *SigningEnv) OneTimeFolder(call OnceCall, server *WatchedServer) *CLI {
	w.T.Helper()
	c := w.CliOf(server)
	c.File("terms.pdf", string(OnePage("Terms")))
	c.Config(w.Config(call.Block(w)))
	return c
}

// WantSent asserts how often the call was sent, and that it took effect once.
func (w *SigningEnv) WantSent(call OnceCall, n int) {
	w.T.Helper()
	if w.Calls(call.Route) != n || call.Done(w) != 1 {
		w.T.Errorf("sent %d times, want %d; done %d times", w.Calls(call.Route), n, call.Done(w))
	}
}
