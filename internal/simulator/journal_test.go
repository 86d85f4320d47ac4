package simulator_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

func TestJournal(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	c.sim.ResetJournal()
	c.sim.Clock().Advance(time.Second)
	_, path := c.provision(client)
	c.post(path+"/suspend", "{ \"reason\" : null }").data()
	c.get(labelsPath+"?period=2026-13").rejected(http.StatusBadRequest, "INVALID_REQUEST")
	c.get("/nowhere").rejected(http.StatusNotFound, "NOT_FOUND")

	calls := c.sim.Journal()
	equal(t, len(calls), 4)
	equal(t, calls[0].Route, provisionRoute)
	equal(t, calls[0].Path, labelsPath)
	equal(t, calls[0].Status, http.StatusOK)
	equal(t, calls[0].Time, start.Add(time.Second))
	if !strings.Contains(c.sim.APIKey(), calls[0].KeyID) || !id32.MatchString(calls[0].KeyID) {
		t.Errorf("the call was made with the key %q", calls[0].KeyID)
	}
	equal(t, string(calls[1].Body), `{"reason":null}`) // null was sent
	equal(t, calls[2].Query, "period=2026-13")
	equal(t, calls[2].Code, "INVALID_REQUEST")
	equal(t, calls[3].Code, "NOT_FOUND")
	for route, want := range map[string]int{"": 4, provisionRoute: 2, "GET": 1, "private-labels": 3, "/suspend": 1, "nowhere": 0} {
		if got := c.sim.Count(route); got != want {
			t.Errorf("%q was called %d times, want %d", route, got, want)
		}
	}
	if len(calls[2].Body) != 0 {
		t.Errorf("nothing was sent, not %s", calls[2].Body)
	}
}

func TestJournal_KeepsNoSecrets(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	sim := openFile(t, path)
	c := inProcess(t, sim)
	c = c.as(sim.APIKey())
	const secret = "hush-hush"
	for name, body := range map[string]any{
		"exchange":        object{"grant_type": "client_credentials", "api_key": secret},
		"other case":      object{"API_KEY": secret},
		"nested":          object{"package": object{"packageId": "x", "confirmationKey": secret}},
		"in an array":     object{"signers": []any{object{"passcode": secret}}},
		"array at top":    []any{object{"docPassword": secret}},
		"not even a text": object{"api_key": []any{secret}},
		"no JSON":         `{"api_key":"` + secret + `"`,
	} {
		c.post("/nowhere", body)
		for _, call := range sim.Journal() {
			raw, err := json.Marshal(call)
			must(t, err)
			if strings.Contains(string(raw), secret) || strings.Contains(string(raw), c.token) {
				t.Errorf("%s: %s", name, raw)
			}
		}
	}
	calls := sim.Journal()
	if !strings.Contains(string(calls[0].Body), "client_credentials") {
		t.Errorf("only secrets are blanked: %s", calls[0].Body)
	}
}

func TestSeed(t *testing.T) {
	t.Parallel()
	t.Run("counts", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		must(t, c.sim.Seed(42))
		labels := c.sim.Labels()
		equal(t, len(labels), 42)
		equal(t, len(c.sim.Outbox()), 0)
		packages, withAddons := map[string]bool{}, 0
		for _, l := range labels {
			equal(t, l.Members, 3)
			equal(t, l.Status, "Active")
			equal(t, l.Attached && l.Verified, true)
			if l.Package != "" {
				packages[l.Package] = true
			}
		}
		equal(t, len(packages), 12)
		for _, l := range labels[:21] {
			assignment, _ := c.get(labelsPath + "/" + l.ID).data()["assignment"].(object)
			if addons, _ := assignment["addons"].([]any); len(addons) > 0 {
				withAddons++
			}
		}
		equal(t, withAddons, 6) // every third except every seventh
		nPackages, nAddons := c.sim.Catalog()
		equal(t, nPackages, 12)
		equal(t, nAddons, 8)
	})
	t.Run("hosts are the same every time", func(t *testing.T) {
		t.Parallel()
		one, other := newSim(t, simulator.Options{}), newSim(t, simulator.Options{})
		must(t, one.Seed(10))
		must(t, other.Seed(4))
		must(t, other.Seed(6))
		for i, l := range one.Labels() {
			equal(t, other.Labels()[i].Host, l.Host)
			equal(t, other.Labels()[i].Package, l.Package)
		}
	})
	t.Run("no host twice", func(t *testing.T) {
		t.Parallel()
		sim := newSim(t, simulator.Options{})
		must(t, sim.Seed(3))
		must(t, sim.DeprovisionInConsole(sim.Labels()[0].Host))
		must(t, sim.Seed(3))
		hosts := map[string]bool{}
		for _, l := range sim.Labels() {
			hosts[l.Host] = true
		}
		equal(t, len(hosts), 5)
	})
	t.Run("none, and less than none", func(t *testing.T) {
		t.Parallel()
		sim := newSim(t, simulator.Options{})
		must(t, sim.Seed(0))
		equal(t, len(sim.Labels()), 0)
		if sim.Seed(-1) == nil {
			t.Error("-1 labels were made")
		}
	})
}

// Out-of-band changes of objects that do not exist are errors.
func TestMoves_Unknown(t *testing.T) {
	t.Parallel()
	sim := newSim(t, simulator.Options{})
	const nobody = "nobody.example"
	moves := map[string]error{
		"SuspendByPlatform":      sim.SuspendByPlatform(nobody, ""),
		"LiftPlatformSuspension": sim.LiftPlatformSuspension(nobody),
		"SuspendInConsole":       sim.SuspendInConsole(nobody, ""),
		"UnsuspendInConsole":     sim.UnsuspendInConsole(nobody),
		"MoveAway":               sim.MoveAway(nobody),
		"DeprovisionInConsole":   sim.DeprovisionInConsole(nobody),
		"CorrectDNS":             sim.CorrectDNS(nobody),
		"BreakDNS":               sim.BreakDNS(nobody),
		"RemoveOwner":            sim.RemoveOwner(nobody),
		"RenameOwner":            sim.RenameOwner(nobody, "", ""),
		"DeleteReseller":         sim.DeleteReseller(nobody),
		"ChangeSlug":             sim.ChangeSlug(nobody, ""),
		"RevokeKey":              sim.RevokeKey("nonsense"),
		"SetAllowance":           sim.SetAllowance(map[string]float64{"pages": 1}),
	}
	_, moves["AddPackage, unknown item"] = sim.AddPackage("a", map[string]float64{"pages": 1}, true)
	_, err := sim.AddPackage("a", nil, true)
	must(t, err)
	_, moves["AddPackage, code in use"] = sim.AddPackage("A", nil, true)
	for name, err := range moves {
		if err == nil {
			t.Errorf("%s succeeded", name)
		}
	}
}

// A client chooses the length of its path, but the journal limits what is stored of it.
func TestJournal_IsBounded(t *testing.T) {
	t.Parallel()
	sim := newSim(t, simulator.Options{})
	c := inProcess(t, sim).as(sim.APIKey())
	const long = 900 << 10
	for range 3 {
		c.get("/"+strings.Repeat("p", long)+"?q="+strings.Repeat("ü", long/2)).rejected(http.StatusNotFound, "NOT_FOUND")
	}
	for _, call := range sim.Journal() {
		if n := len(call.Path) + len(call.Query); n > 5<<10 {
			t.Errorf("a call keeps %d bytes", n)
		}
	}
	// Many calls with long bodies push the oldest out.
	const calls = 1150
	sim.NoteCalls(calls, []byte(`"`+strings.Repeat("q", 60<<10)+`"`))
	kept, size := sim.Journal(), 0
	for _, call := range kept {
		size += len(call.Body)
	}
	if size > 64<<20 || len(kept) >= calls || len(kept) < 200 {
		t.Errorf("%d calls are kept with %d bytes", len(kept), size)
	}
}

// A request line that no honest client sends is rejected before it is stored.
func TestServer_LongPath(t *testing.T) {
	t.Parallel()
	r := simulate(t)
	c := r.caller(t)
	equal(t, c.get("/"+strings.Repeat("p", 900<<10)).status, http.StatusRequestHeaderFieldsTooLarge)
	equal(t, len(c.items()), 0)
	equal(t, r.stop(), 0)
}
