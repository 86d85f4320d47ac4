package check_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/check"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// simulated returns a simulator with private labels, all of whose reads have something to show.
func simulated(t *testing.T, forms simulator.Forms) (*simulator.Simulator, check.Settings) {
	t.Helper()
	sim, err := simulator.New(simulator.Options{Forms: forms})
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	require.NoError(t, sim.Seed(6))
	labels := sim.Labels()
	errs := []error{sim.SeedHistory(), sim.RemovePackageInConsole(labels[0].Host), sim.SuspendInConsole(labels[1].Host, "Unpaid")}
	for _, l := range labels {
		errs = append(errs, sim.WritePoints(l.Host, "documents", 3))
	}
	require.NoError(t, errors.Join(errs...))
	sim.Clock().Advance(time.Hour) // so that a late read shows it
	server := httptest.NewServer(sim)
	t.Cleanup(server.Close)
	s := settings(server.URL)
	s.API.APIKey, s.Signing.UserAPIKey, s.API.Clock = sim.APIKey(), sim.SigningAPIKey(), nil
	return sim, s
}

// The simulator is as documented, and only reads reach it.
func TestCheck_Simulator(t *testing.T) {
	t.Parallel()
	sim, s := simulated(t, nil)
	sim.ResetJournal()
	books, mails := len(sim.Books()), len(sim.Outbox())
	got := runAt(t, t.Context(), s, "-format", "json")
	r := got.report(t)
	assert.Equal(t, 0, got.status, "status: %s\n%s", r.Verdict, got.said)
	for _, e := range r.Endpoints {
		assert.Equal(t, "as documented", e.Result, "%s: %q", e.Endpoint, e.Notes)
		assert.Empty(t, e.Notes, "%s: %s", e.Endpoint, e.Result)
	}
	calls := sim.Journal()
	require.Len(t, calls, r.Calls, "calls in the report")
	assert.LessOrEqual(t, len(calls), 40, "calls, and the report says %d", r.Calls)
	reads := []string{"/auth/token", "/search", "/get", "/sent", "/sent-documents"}
	for _, call := range calls {
		isRead := call.Method == http.MethodGet || slices.ContainsFunc(reads, func(end string) bool { return strings.HasSuffix(call.Path, end) })
		isSearched := call.Status == 404 && strings.Contains(call.Path, "/sent") // the path is not documented for both families
		if !isRead || call.Status != 200 && !isSearched {
			t.Errorf("%s %s: HTTP %d", call.Method, call.Path, call.Status)
		}
	}
	require.Len(t, sim.Books(), books, "the check had an effect")
	assert.Len(t, sim.Outbox(), mails, "the check had an effect")
	for _, l := range sim.Labels() {
		for _, personal := range []string{l.Host, l.ID, sim.Slug(), sim.APIKey(), sim.SigningAPIKey()} {
			assert.NotContains(t, got.fileContent, personal, "the transcript")
		}
	}
}

// A key with reseller:read is enough, and one without it reads nothing.
func TestCheck_Scopes(t *testing.T) {
	t.Parallel()
	sim, s := simulated(t, nil)
	for scope, want := range map[string]int{"reseller:read": 0, "reseller:provision": 1} {
		key, err := sim.MintKey(scope)
		require.NoError(t, err)
		s.API.APIKey, s.API.Clock = key, transporttest.NewClock()
		if got := runAt(t, t.Context(), s); got.status != want || want == 1 && !strings.Contains(got.said, "needs the scope reseller:read") {
			t.Errorf("%s: status %d\n%s", scope, got.status, got.said)
		}
	}
}
