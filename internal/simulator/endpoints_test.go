package simulator_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// endpoints reads testdata/endpoints.txt: a method, a pattern, a scope, a limit, and a form in some lines.
func endpoints(t *testing.T) (out [][]string) {
	t.Helper()
	for line := range strings.Lines(fileText(t, "testdata/endpoints.txt")) {
		if words := strings.Fields(line); len(words) > 3 && words[0] == strings.ToUpper(words[0]) && words[0] != "//" && words[0] != "#" {
			out = append(out, append(words, ""))
		}
	}
	return out
}

var callsOf = strings.NewReplacer("/console/:slug/reseller/private-labels/:tenantId", "{label}", "/console/:slug/reseller", "{reseller}", ":userId", "{none}", ":attachedId", "{none}")

// Every endpoint requires a token of a live reseller that has its scope, and no other scope, and a live private label of
// that reseller: INVALID_TARGET for an ID without one, FORBIDDEN for one outside of the reseller's subtree, including a
// deprovisioned one; deprovision responds with FORBIDDEN in each case (§4, §5).
func TestEachEndpointRequiresATokenItsScopeAndItsLabel(t *testing.T) {
	t.Parallel()
	for _, words := range endpoints(t) {
		scope, form := words[2], words[4]
		if scope == "-" {
			continue
		}
		t.Run(words[0]+" "+words[1], func(t *testing.T) {
			t.Parallel()
			if form != "" {
				form = "form " + form + "; "
			}
			call := words[0] + " " + callsOf.Replace(words[1])
			malformed, unknown := "401 UNAUTHORIZED", "400 INVALID_TARGET"
			if call == "DELETE {label}" {
				unknown = "403 FORBIDDEN"
			}
			others := slices.DeleteFunc([]string{"reseller:read", "reseller:provision", "reseller:packages"}, func(s string) bool { return s == scope })
			var rows []row
			if !strings.Contains(call, "{") {
				malformed = "400 JSON_WEB_TOKEN_ERROR"
			} else {
				rows = append(rows, row{given: "ChangeSlug partner.example renamed.example", want: "403 FORBIDDEN"})
			}
			rows = append(rows,
				row{given: "token", want: malformed},
				row{given: "token nonsense", want: malformed},
				row{given: "token a.b.c", want: "401 UNAUTHORIZED"},
				row{given: "as " + strings.Join(others, " "), want: "403 INSUFFICIENT_SCOPE"},
				row{given: "DeleteReseller partner.example", want: "403 FORBIDDEN"},
				row{given: "DeleteReseller partner.example; wait 1h", want: "401 UNAUTHORIZED"},
			)
			if strings.Contains(call, "{label}") {
				for label, want := range map[string]string{
					"{sign.foreign.example}": "403 FORBIDDEN", "{sign.gone.example}": "403 FORBIDDEN", "{sign.moved.example}": "403 FORBIDDEN",
					"{reseller}/private-labels/{none}": unknown, "{reseller}/private-labels/nonsense": unknown,
				} {
					rows = append(rows, row{call: strings.Replace(call, "{label}", label, 1), want: want})
				}
			}
			for _, r := range rows {
				r.place, r.given = "testdata/endpoints.txt", form+r.given
				if r.call == "" {
					r.call = call
				}
				r.check(t, simulator.Options{})
			}
			w := newWorld(t, simulator.Options{}, form+"as "+scope)
			assert.Contains(t, []int{http.StatusOK, http.StatusBadRequest}, w.ask(call, "").status)
		})
	}
}

func TestEachEndpointCountsInItsLimit(t *testing.T) {
	t.Parallel()
	want, got := map[string]string{}, map[string]string{}
	for _, words := range endpoints(t) {
		want[words[0]+" "+words[1]] = words[3]
	}
	for _, removal := range []string{"delete", "post-path", "post-body"} {
		maps.Copy(got, newSim(t, simulator.Options{Forms: simulator.Forms{"removal": removal}}).RouteBuckets())
	}
	require.Equal(t, want, got)
}

// Two assignments that each fit alone cannot both pass unconfirmed (§3.2).
func TestAssignmentsAreCheckedOneAfterAnother(t *testing.T) {
	t.Parallel()
	w := newWorld(t, simulator.Options{}, "7 times AddConsoleLabel n{n}.client.example ada@client.example")
	outcomes := make(chan any, len(w.sim.Labels()))
	var wait sync.WaitGroup
	for _, l := range w.sim.Labels() {
		wait.Go(func() {
			if got, err := w.try("POST", labelsPath+"/"+l.ID+"/package", object{"packageId": w.names["SMALL"]}); err == nil {
				outcomes <- as[object](got.body["data"])["outcome"]
			}
		})
	}
	wait.Wait()
	close(outcomes)
	count := map[any]int{}
	for outcome := range outcomes {
		count[outcome]++
	}
	require.Equal(t, map[any]int{"Assigned": 1, "ConfirmationRequired": 7}, count)
}

// Only a Bearer token is one (§5), a key has its documented form (§2.9), and other addresses have no endpoint.
func TestTokensKeysAndAddresses(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	assert.Regexp(t, `^[a-z_]*live_[0-9a-f]{32}_.+$`, c.sim.APIKey())
	req := c.request(http.MethodGet, labelsPath, nil)
	req.Header.Set("Authorization", "Basic "+c.token)
	got, err := c.send(req)
	require.NoError(t, err)
	got.rejected(http.StatusUnauthorized, "UNAUTHORIZED")
	overHTTP(t, c.sim).with(c.token).get(simulator.UploadPrefix+"/console/dashboard").rejected(http.StatusNotFound, "NOT_FOUND")
	c.base = simulator.UploadURL
	c.get("/console/dashboard").rejected(http.StatusNotFound, "NOT_FOUND")
	c.base = "https://elsewhere.example"
	_, err = c.try(http.MethodGet, "/", nil)
	assert.ErrorContains(t, err, "elsewhere.example")
}

// DNS becomes correct by itself where that is asked for.
func TestDNSBecomesCorrectAfterItsDelay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, simulator.Options{DNSDelay: 5 * time.Minute}, "")
	for _, verified := range []bool{false, true} {
		w.sim.Clock().Advance(4 * time.Minute)
		require.Equal(t, verified, as[object](w.get(w.names["label"]).data()["domainSetup"])["verified"])
	}
}
