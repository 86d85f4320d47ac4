package simulator_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const provisionRoute = "POST /console/:slug/reseller/private-labels"

// faultKinds with what a client sees of each.
var faultKinds = map[string]struct {
	kind simulator.FaultKind
	seen func(t *testing.T, got *reply, err error)
}{
	"server error": {simulator.FaultServerError, func(t *testing.T, got *reply, err error) {
		require.NoError(t, err)
		got.rejected(http.StatusInternalServerError, "INTERNAL_SERVER_ERROR")
	}},
	"HTML": {simulator.FaultHTML, func(t *testing.T, got *reply, err error) {
		require.NoError(t, err)
		require.Equal(t, http.StatusBadGateway, got.status)
		isPage(t, got)
	}},
	"page": {simulator.FaultPage, func(t *testing.T, got *reply, err error) {
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, got.status)
		isPage(t, got)
	}},
	"rate limit": {simulator.FaultRateLimit, func(t *testing.T, got *reply, err error) {
		require.NoError(t, err)
		got.bare(http.StatusTooManyRequests)
		require.Equal(t, "90", got.header.Get("Retry-After"))
	}},
	"unauthorized": {simulator.FaultUnauthorized, func(t *testing.T, got *reply, err error) {
		require.NoError(t, err)
		got.rejected(http.StatusUnauthorized, "UNAUTHORIZED")
	}},
	"forbidden": {simulator.FaultForbidden, func(t *testing.T, got *reply, err error) {
		require.NoError(t, err)
		got.rejected(http.StatusForbidden, "FORBIDDEN")
	}},
	"reset": {simulator.FaultReset, func(t *testing.T, _ *reply, err error) {
		assert.True(t, errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.EOF), err)
	}},
	"timeout": {simulator.FaultTimeout, func(t *testing.T, _ *reply, err error) {
		var problem net.Error
		require.ErrorAs(t, err, &problem)
		assert.True(t, problem.Timeout(), "got %v", err)
	}},
	"truncated": {simulator.FaultTruncated, func(t *testing.T, _ *reply, err error) {
		assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
	}},
}

func isPage(t *testing.T, got *reply) {
	t.Helper()
	assert.Equal(t, "text/html", got.header.Get("Content-Type"), "no page: %s", got.raw)
	assert.True(t, strings.HasPrefix(got.raw, "<!doctype html>"), "no page: %s", got.raw)
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for front, open := range fronts {
		for name, fault := range faultKinds {
			for when, after := range map[string]bool{"before": false, "after": true} {
				if fault.kind == simulator.FaultTimeout && front == "over HTTP" {
					continue // TestFaults_TimeoutOverHTTP
				}
				t.Run(name+"/"+when+"/"+front, func(t *testing.T) {
					t.Parallel()
					sim := newSim(t, simulator.Options{})
					c := open(t, sim).as(sim.APIKey())
					sim.Inject(simulator.Fault{Route: provisionRoute, Kind: fault.kind, After: after, RetryAfter: 90 * time.Second})
					c.get(labelsPath).data() // another route
					got, err := c.try(http.MethodPost, labelsPath, order(client))
					fault.seen(t, got, err)
					effects := map[bool]int{false: 0, true: 1}[after]
					require.Len(t, sim.Labels(), effects)
					require.Len(t, sim.Outbox(), effects)
					calls := sim.Journal()
					last := calls[len(calls)-1]
					require.Equal(t, true, last.Fault)
					require.Equal(t, provisionRoute, last.Route)
					c.post(labelsPath, order("sign.second.example")).data() // once only
				})
			}
		}
	}
}

// Over HTTP there is no response until the client disconnects.
func TestFaults_TimeoutOverHTTP(t *testing.T) {
	t.Parallel()
	for when, after := range map[string]bool{"before": false, "after": true} {
		t.Run(when, func(t *testing.T) {
			t.Parallel()
			c := newCaller(t)
			ctx, giveUp := context.WithCancel(t.Context())
			defer giveUp()
			c.sim.Inject(simulator.Fault{Route: provisionRoute, Kind: simulator.FaultTimeout, After: after, Hook: giveUp})
			rec, req := httptest.NewRecorder(), c.request(http.MethodPost, labelsPath, order(client))
			func() {
				defer func() { require.Equal(t, http.ErrAbortHandler, recover()) }()
				c.sim.ServeHTTP(rec, req.WithContext(ctx))
			}()
			require.Equal(t, 0, rec.Body.Len())
			require.Len(t, c.sim.Labels(), map[bool]int{false: 0, true: 1}[after])
		})
	}
}

// A stale read shows what was there before the write that the fault waits for, and the next read shows the write.
func TestFaults_Stale(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	c.post(labelsPath, order("sign.first.example")).data()
	c.sim.Inject(simulator.Fault{Route: "GET /console/:slug/reseller/private-labels", Kind: simulator.FaultStale, Since: provisionRoute})
	require.Len(t, c.items(), 1) // it waits for the write
	c.post(labelsPath, order("sign.second.example")).data()
	require.Len(t, c.items(), 1)
	require.Len(t, c.items(), 2)
	require.Len(t, c.sim.Labels(), 2)
}

func TestFaults_SkipTimesClear(t *testing.T) {
	t.Parallel()
	statuses := func(c *caller, n int) (out []int) {
		for range n {
			out = append(out, c.get(labelsPath).status)
		}
		return out
	}
	t.Run("skip 2, twice", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		c.sim.Inject(simulator.Fault{Kind: simulator.FaultServerError, Skip: 2, Times: 2})
		require.Equal(t, []int{200, 200, 500, 500, 200}, statuses(c, 5))
	})
	t.Run("always, until cleared", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		c.sim.Inject(simulator.Fault{Kind: simulator.FaultServerError, Times: -1})
		require.Equal(t, []int{500, 500, 500}, statuses(c, 3))
		c.sim.ClearFaults()
		require.Equal(t, []int{200}, statuses(c, 1))
	})
	t.Run("one after another", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		c.sim.Inject(simulator.Fault{Kind: simulator.FaultServerError})
		c.sim.Inject(simulator.Fault{Kind: simulator.FaultHTML})
		require.Equal(t, []int{500, 502, 200}, statuses(c, 3))
	})
	for wait, want := range map[time.Duration]string{0: "1", time.Minute: "60", time.Hour: "3600", 1500 * time.Millisecond: "2"} {
		t.Run("Retry-After of "+wait.String(), func(t *testing.T) {
			t.Parallel()
			c := newCaller(t)
			c.sim.Inject(simulator.Fault{Kind: simulator.FaultRateLimit, RetryAfter: wait})
			require.Equal(t, want, c.get(labelsPath).header.Get("Retry-After"))
		})
	}
}

// A hook runs before or after the effect, and may change the simulator itself.
func TestFaults_Hook(t *testing.T) {
	t.Parallel()
	for front, open := range fronts {
		for when, after := range map[string]bool{"before": false, "after": true} {
			t.Run(when+"/"+front, func(t *testing.T) {
				t.Parallel()
				sim := newSim(t, simulator.Options{})
				c := open(t, sim).as(sim.APIKey())
				seen := -1
				sim.Inject(simulator.Fault{Route: provisionRoute, After: after, Hook: func() {
					seen = len(sim.Labels())
					sim.Clock().Advance(time.Minute)
				}})
				c.post(labelsPath, order(client)).data()
				require.Equal(t, map[bool]int{false: 0, true: 1}[after], seen)
			})
		}
	}
	t.Run("the label moves away under a call", func(t *testing.T) {
		t.Parallel()
		c, path := newLabel(t)
		c.sim.Inject(simulator.Fault{Hook: func() { require.NoError(t, c.sim.MoveAway(client)) }})
		c.get(path).rejected(http.StatusForbidden, "FORBIDDEN")
	})
}
