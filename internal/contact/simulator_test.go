package contact_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/contact"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// simulated returns a simulator with private labels, all of whose reads have something to show.
func simulated(t *testing.T, forms simulator.Forms) (*simulator.Simulator, contact.Settings) {
	t.Helper()
	sim, err := simulator.New(simulator.Options{Forms: forms})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sim.Close() })
	if err := sim.Seed(6); err != nil {
		t.Fatal(err)
	}
	labels := sim.Labels()
	errs := []error{sim.SeedHistory(), sim.RemovePackageInConsole(labels[0].Host), sim.SuspendInConsole(labels[1].Host, "Unpaid")}
	for _, l := range labels {
		errs = append(errs, sim.WritePoints(l.Host, "documents", 3))
	}
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
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
	if got.status != 0 {
		t.Errorf("status %d: %s\n%s", got.status, r.Verdict, got.said)
	}
	for _, e := range r.Endpoints {
		if e.Result != "as documented" || len(e.Notes) > 0 {
			t.Errorf("%s: %s %q", e.Endpoint, e.Result, e.Notes)
		}
	}
	calls := sim.Journal()
	if len(calls) != r.Calls || len(calls) > 40 {
		t.Errorf("%d calls, and the report says %d", len(calls), r.Calls)
	}
	reads := []string{"/auth/token", "/search", "/get", "/sent", "/sent-documents"}
	for _, call := range calls {
		isRead := call.Method == http.MethodGet || slices.ContainsFunc(reads, func(end string) bool { return strings.HasSuffix(call.Path, end) })
		isSearched := call.Status == 404 && strings.Contains(call.Path, "/sent") // the path is not documented for both families
		if !isRead || call.Status != 200 && !isSearched {
			t.Errorf("%s %s: HTTP %d", call.Method, call.Path, call.Status)
		}
	}
	if len(sim.Books()) != books || len(sim.Outbox()) != mails {
		t.Error("the check had an effect")
	}
	again := replay(t, got.transcript, "-format", "json")
	if again.status != 0 || again.out != got.out {
		t.Errorf("another report, status %d:\n%s\n%s", again.status, again.out, again.said)
	}
	for _, l := range sim.Labels() {
		for _, personal := range []string{l.Host, l.ID, sim.Slug(), sim.APIKey(), sim.SigningAPIKey()} {
			if strings.Contains(got.fileContent, personal) {
				t.Errorf("the transcript has %s", personal)
			}
		}
	}
}

// A key with reseller:read is enough, and one without it reads nothing.
func TestCheck_Scopes(t *testing.T) {
	t.Parallel()
	sim, s := simulated(t, nil)
	for scope, want := range map[string]int{"reseller:read": 0, "reseller:provision": 1} {
		key, err := sim.MintKey(scope)
		if err != nil {
			t.Fatal(err)
		}
		s.API.APIKey, s.API.Clock = key, transporttest.NewClock()
		if got := runAt(t, t.Context(), s); got.status != want || want == 1 && !strings.Contains(got.said, "needs the scope reseller:read") {
			t.Errorf("%s: status %d\n%s", scope, got.status, got.said)
		}
	}
}
