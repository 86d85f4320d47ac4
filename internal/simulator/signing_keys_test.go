package simulator_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// signingCalls has one valid call of each endpoint.
func signingCalls(c *signingCaller) map[string]func(*signingCaller) *reply {
	id := c.uploadForm(uploadOf(signerOf(bob, 1, field("Name", "Name"))))
	annotation := c.annotationIDs(id)[0]
	out := map[string]func(*signingCaller) *reply{
		"mint": func(c *signingCaller) *reply { return c.sendForm(mintPath, mintForm("ARC3")) },
		"sent": func(c *signingCaller) *reply { return c.post(sentPath, object{"domain": nil}) },
	}
	for name, f := range families {
		out["upload "+name] = func(c *signingCaller) *reply { return c.sendForm(f.upload, uploadOf()) }
		out["sign "+name] = func(c *signingCaller) *reply { return c.post(f.sign, signOrder(id, annotation, "Bob")) }
		out["view "+name] = func(c *signingCaller) *reply { return c.post(f.view, object{"docId": id, "domain": nil}) }
		out["signatures "+name] = func(c *signingCaller) *reply { return c.get(f.signatures) }
	}
	return out
}

func TestSigningKeys(t *testing.T) {
	t.Parallel()
	c := newSigningCaller(t, simulator.Forms{})
	resellers := inProcess(t, c.sim).as(c.sim.APIKey()).token
	for name, call := range signingCalls(c) {
		for _, wrong := range []string{"", "sig_", c.sim.APIKey(), resellers} {
			other := *c
			other.caller = c.with(wrong)
			call(&other).rejected(http.StatusUnauthorized, "INVALID_USER_API_KEY")
		}
		require.NoError(t, c.sim.BreakInternalKeys(true))
		call(c).rejected(http.StatusBadRequest, "INVALID_API_KEY")
		require.NoError(t, c.sim.BreakInternalKeys(false))

		require.NoError(t, c.sim.SetSigningPermission(false))
		got := call(c)
		if slices.Contains([]string{"upload", "sign", "mint"}, strings.Fields(name)[0]) {
			got.rejected(http.StatusForbidden, "NO_PERMISSION")
		} else {
			got.data()
		}
		require.NoError(t, c.sim.SetSigningPermission(true))
		call(c).data()
	}
	// The signing key is not valid for the Reseller API.
	inProcess(t, c.sim).exchange(c.sim.SigningAPIKey()).bare(http.StatusUnauthorized)

	key := c.made(c.sim.RenewSigningKey())
	require.Equal(t, key, c.sim.SigningAPIKey())
	c.get(c.signatures).rejected(http.StatusUnauthorized, "INVALID_USER_API_KEY")
	c.caller = c.with(key)
	c.get(c.signatures).data()
	for _, call := range c.sim.Journal() {
		assert.NotContains(t, string(call.Body)+call.Query+call.Path, key, "the journal has the key: %+v", call)
	}
}

func TestSigningErrors_Switches(t *testing.T) {
	t.Parallel()
	t.Run("one status", func(t *testing.T) {
		t.Parallel()
		c := newSigningCaller(t, simulator.Forms{"signing-status": "ok"})
		c.post(c.view, object{"docId": "none"}).rejected(http.StatusOK, "INVALID_DOC_ID")
		c.caller = c.with("")
		c.get(c.signatures).rejected(http.StatusOK, "INVALID_USER_API_KEY")
	})
	t.Run("a wrong key is an internal mismatch where that is listed only", func(t *testing.T) {
		t.Parallel()
		c := newSigningCaller(t, simulator.Forms{"signing-wrong-key": "internal-key"})
		calls := signingCalls(c)
		c.caller = c.with("wrong")
		for name, call := range calls {
			got := call(c)
			if strings.HasPrefix(name, "upload") || name == "mint" {
				got.rejected(http.StatusUnauthorized, "INVALID_USER_API_KEY")
				continue
			}
			got.rejected(http.StatusBadRequest, "INVALID_API_KEY")
		}
	})
}

// The Signing API has no limits, and its calls do not count in those of the Reseller API.
func TestSigning_NoLimits(t *testing.T) {
	t.Parallel()
	c := newSigningCaller(t, simulator.Forms{})
	for range 310 {
		got := c.get(c.signatures)
		got.data()
		require.Equal(t, "", got.header.Get("RateLimit-Limit"))
	}
	c.get("/signing/nowhere").rejected(http.StatusNotFound, "NOT_FOUND")
	inProcess(t, c.sim).as(c.sim.APIKey()).get(labelsPath).limits(60, 59)
}

func TestSigning_Faults(t *testing.T) {
	t.Parallel()
	const route = "POST /signing-api/documents"
	codes := strings.NewReplacer(" UNAUTHORIZED", " INVALID_USER_API_KEY", " FORBIDDEN", " NO_PERMISSION")
	for name, kind := range faultKinds {
		for _, after := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				c := newSigningCaller(t, simulator.Forms{})
				c.sim.Inject(simulator.Fault{Route: route, Kind: kind.kind, After: after, Skip: 1, RetryAfter: 90e9})
				c.uploadForm(uploadOf())
				body, contentType := uploadOf().encode(t)
				require.Equal(t, codes.Replace(kind.want), seen(c.trySend(c.upload, body, contentType)))
				want := 1
				if after {
					want = 2
				}
				require.Len(t, c.sim.Documents(), want)
				require.Equal(t, true, c.sim.Journal()[1].Fault)
				c.uploadForm(uploadOf())
			})
		}
	}
}

func TestSigning_Fronts(t *testing.T) {
	t.Parallel()
	eachFront(t, "", func(t *testing.T, c *caller) {
		signing := &signingCaller{c.with(c.sim.SigningAPIKey()), families["A"]}
		id := signing.uploadForm(uploadOf())
		require.Equal(t, "127.0.0.1", as[object](as[[]any](signing.viewed(id)["logs"])[0])["ipAddr"])
	})
}

func TestSigning_File(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	sim, other := openFile(t, path), openFile(t, path)
	require.Equal(t, sim.SigningAPIKey(), other.SigningAPIKey())
	c := signingIn(t, sim)
	id := c.uploadForm(uploadOf(signerOf(bob, 1, field("Name", "Name"))))
	c.sendForm(mintPath, mintForm("ARC3")).data()
	require.NoError(t, other.SignInApp(id, bob))
	require.Equal(t, true, sim.Documents()[0].Complete)
	require.Equal(t, sim.Minted()[0], other.Minted()[0])
	assert.NotContains(t, fileText(t, path), "%PDF", "the file keeps files")
}

// Sent documents are a read, with any method: lasting data is not written again, which every other process would have
// to read.
func TestSigning_ReadsAreReads(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	sim := openFile(t, path)
	c := signingIn(t, sim)
	id := c.uploadForm(uploadOf())
	before := durableData(t, path)
	c.post(sentPath, object{"domain": nil}).data()
	c.get(c.signatures).data()
	require.Equal(t, before, durableData(t, path))
	c.viewed(id)
	assert.NotEqual(t, before, durableData(t, path), "the log entry of a view isn't written")
}
