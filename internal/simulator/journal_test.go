package simulator_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

func TestTheJournalHasEachCall(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	c.sim.ResetJournal()
	c.sim.Clock().Advance(time.Second)
	_, path := c.provision(client)
	c.post(path+"/suspend", "{ \"reason\" : null }").data()
	c.get(labelsPath+"?period=2026-13").rejected(http.StatusBadRequest, "INVALID_REQUEST")
	c.get("/nowhere").rejected(http.StatusNotFound, "NOT_FOUND")

	calls := c.sim.Journal()
	require.Len(t, calls, 4)
	require.Equal(t, simulator.Call{
		Time: start.Add(time.Second), KeyID: strings.Split(c.sim.APIKey(), "_")[2], Method: http.MethodPost, Route: provisionRoute, Path: labelsPath,
		Body: calls[0].Body, Status: http.StatusOK,
	}, calls[0])
	require.Equal(t, `{"reason":null}`, string(calls[1].Body)) // null was sent
	require.Equal(t, "period=2026-13", calls[2].Query)
	require.Equal(t, "INVALID_REQUEST", calls[2].Code)
	require.Equal(t, "NOT_FOUND", calls[3].Code)
	for route, want := range map[string]int{"": 4, provisionRoute: 2, "GET": 1, "private-labels": 3, "/suspend": 1, "nowhere": 0} {
		assert.Equal(t, want, c.sim.Count(route), "%q was called times", route)
	}
	assert.Empty(t, calls[2].Body, "nothing was sent, not")
}

func TestTheJournalKeepsNoSecrets(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	sim := openFile(t, path)
	c := inProcess(t, sim).as(sim.APIKey())
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
			require.NoError(t, err)
			assert.NotContains(t, string(raw), secret, name)
			assert.NotContains(t, string(raw), c.token, name)
		}
	}
	signing := newWorld(t, simulator.Options{File: path}, strings.Replace(contract, "0042", "00427788", 1))
	calls := signing.sim.Journal()
	assert.Contains(t, string(calls[0].Body), "client_credentials", "only secrets are blanked")
	upload := calls[len(calls)-1]
	assert.Equal(t, "POST /signing-api/documents", upload.Route)
	for _, hidden := range []string{"00427788", signing.signing, "%PDF"} {
		assert.NotContains(t, string(upload.Body)+upload.Path+upload.Query, hidden)
	}
	assert.NotContains(t, fileText(t, path), "%PDF")
	assert.Contains(t, string(upload.Body), `"size":2000`)
}

// An upload is in the journal by digest and size, and so are long texts, rejected or not; an incomplete form is not.
func TestTheJournalHasUploadsByDigest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, simulator.Options{}, `ResetJournal; FORM /console/tenant/upload-logos {"data":{"domain":"sign.client.example"},"logo":"<png 4x4 of 1048576>"}; `+
		`try FORM /console/tenant/upload-logos {"data":{"domain":"sign.client.example"},"logo":"{1048576×x}"}; `+
		`try POST /console/tenant/update-colors {"domain":"sign.client.example","colorPrimary":"{1048576×x}"}; `+
		`try POST:multipart/form-data;boundary=none /console/tenant/upload-logos {1048576×x}`)
	long := strings.Repeat("x", 1<<20)
	digested := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return fmt.Sprintf(`{"sha256":"%x","size":%d}`, sum, len(text))
	}
	picture, _, _ := fileOf(t, "<png 4x4 of 1048576>")
	const data = `{"data":"{\"domain\":\"sign.client.example\"}","logo":`
	var bodies []string
	for _, call := range w.sim.Journal() {
		bodies = append(bodies, string(call.Body))
	}
	require.Equal(t, []string{
		data + digested(string(picture)) + "}", data + digested(long) + "}",
		digested(`{"domain":"sign.client.example","colorPrimary":"` + long + `"}`), "",
	}, bodies)
}

// A seed has members, packages and add-ons, the same for the same number, and no host name twice.
func TestASeedIsTheSameEachTime(t *testing.T) {
	t.Parallel()
	c, other := newCaller(t), newSim(t, simulator.Options{})
	require.NoError(t, c.sim.Seed(42))
	require.NoError(t, other.Seed(4))
	require.NoError(t, other.Seed(38))
	require.NoError(t, other.Seed(0))
	require.Error(t, other.Seed(-1))
	labels := c.sim.Labels()
	require.Len(t, labels, 42)
	require.Empty(t, c.sim.Outbox())
	packages, withAddons := map[string]bool{}, 0
	for i, l := range labels {
		same := other.Labels()[i]
		assert.Equal(t, [2]string{l.Host, l.Package}, [2]string{same.Host, same.Package})
		assert.Equal(t, 3, l.Members)
		assert.Equal(t, "Active", l.Status)
		assert.Equal(t, i%4 == 3, len(c.sim.Branding(l.Host).Logo) > 0)
		assert.True(t, l.Attached && l.Verified)
		if l.Package != "" {
			packages[l.Package] = true
		}
		if i < 21 && len(l.Addons) > 0 {
			withAddons++
		}
	}
	require.Len(t, packages, 12)
	require.Equal(t, 6, withAddons) // every third except every seventh
	require.Len(t, c.sim.Packages(), 12)
	require.Len(t, c.sim.Addons(), 8)

	require.NoError(t, c.sim.DeprovisionInConsole(labels[0].Host))
	require.NoError(t, c.sim.Seed(3))
	hosts := map[string]bool{labels[0].Host: true}
	for _, l := range c.sim.Labels() {
		assert.False(t, l.Host == labels[0].Host)
		hosts[l.Host] = true
	}
	require.Len(t, hosts, 45)
}

// A client chooses the length of its path, but the journal limits what is stored of it.
func TestTheJournalIsBounded(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	sim := c.sim
	const long = 900 << 10
	for range 3 {
		c.get("/"+strings.Repeat("p", long)+"?q="+strings.Repeat("ü", long/2)).rejected(http.StatusNotFound, "NOT_FOUND")
	}
	for _, call := range sim.Journal() {
		assert.LessOrEqual(t, len(call.Path)+len(call.Query), 5<<10, "a call keeps bytes")
	}
	// Many calls with long bodies push the oldest out.
	const calls = 1150
	sim.NoteCalls(calls, []byte(`"`+strings.Repeat("q", 60<<10)+`"`))
	kept, size := sim.Journal(), 0
	for _, call := range kept {
		size += len(call.Body)
	}
	assert.LessOrEqual(t, size, 64<<20, "%d calls are kept with bytes", len(kept))
	assert.Less(t, len(kept), calls, "calls are kept with %d bytes", size)
	assert.GreaterOrEqual(t, len(kept), 200, "calls are kept with %d bytes", size)
}

// A request line that no honest client sends is rejected before it is stored.
func TestALongPathIsRejected(t *testing.T) {
	t.Parallel()
	r := simulate(t)
	c := r.caller(t)
	require.Equal(t, http.StatusRequestHeaderFieldsTooLarge, c.get("/"+strings.Repeat("p", 900<<10)).status)
	require.Len(t, c.items(), 0)
	require.Equal(t, 0, r.stop())
}
