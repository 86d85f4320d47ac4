package simulator_test

import (
	"context"
	"errors"
	"fmt"
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
	want string
}{
	"server error": {simulator.FaultServerError, "500 INTERNAL_SERVER_ERROR"},
	"HTML":         {simulator.FaultHTML, "502 page"},
	"page":         {simulator.FaultPage, "200 page"},
	"rate limit":   {simulator.FaultRateLimit, "429 after 90"},
	"unauthorized": {simulator.FaultUnauthorized, "401 UNAUTHORIZED"},
	"forbidden":    {simulator.FaultForbidden, "403 FORBIDDEN"},
	"reset":        {simulator.FaultReset, "reset"},
	"timeout":      {simulator.FaultTimeout, "timeout"},
	"truncated":    {simulator.FaultTruncated, "truncated"},
}

// seen says what a client sees of a call.
func seen(got *reply, err error) string {
	var problem net.Error
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "truncated"
	case errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.EOF):
		return "reset"
	case errors.As(err, &problem) && problem.Timeout():
		return "timeout"
	case err != nil:
		return err.Error()
	case got.header.Get("Content-Type") == "text/html" && strings.HasPrefix(got.raw, "<!doctype html>"):
		return fmt.Sprint(got.status, " page")
	case got.status == http.StatusTooManyRequests:
		got.bare(got.status)
		return "429 after " + got.header.Get("Retry-After")
	}
	code := as[string](as[object](got.body["error"])["code"])
	got.rejected(got.status, code)
	return fmt.Sprint(got.status, " ", code)
}

func TestEachFaultIsSeenAndCounted(t *testing.T) {
	t.Parallel()
	for name, fault := range faultKinds {
		for when, after := range map[string]bool{"before": false, "after": true} {
			eachFront(t, name+"/"+when, func(t *testing.T, c *caller) {
				if fault.kind == simulator.FaultTimeout && c.base != simulator.BaseURL {
					t.Skip("TestATimeoutHasNoResponseOverHTTP")
				}
				c.sim.Inject(simulator.Fault{Route: provisionRoute, Kind: fault.kind, After: after, RetryAfter: 90 * time.Second})
				c.get(labelsPath).data() // another route
				require.Equal(t, fault.want, seen(c.try(http.MethodPost, labelsPath, order(client))))
				effects := map[bool]int{false: 0, true: 1}[after]
				require.Len(t, c.sim.Labels(), effects)
				require.Len(t, c.sim.Outbox(), effects)
				calls := c.sim.Journal()
				last := calls[len(calls)-1]
				require.Equal(t, true, last.Fault)
				require.Equal(t, provisionRoute, last.Route)
				c.post(labelsPath, order("sign.second.example")).data() // once only
			})
		}
	}
}

// Over HTTP there is no response until the client disconnects.
func TestATimeoutHasNoResponseOverHTTP(t *testing.T) {
	t.Parallel()
	for when, after := range map[string]bool{"before": false, "after": true} {
		withCaller(t, when, func(t *testing.T, c *caller) {
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
func TestAStaleReadShowsNoLaterWrite(t *testing.T) {
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

// Faults skip and count calls, and follow one another.
func TestFaultsSkipAndCountCalls(t *testing.T) {
	t.Parallel()
	const kind = simulator.FaultServerError
	for want, faults := range map[[5]int][]simulator.Fault{
		{200, 200, 500, 500, 200}: {{Kind: kind, Skip: 2, Times: 2}},
		{500, 500, 500, 500, 500}: {{Kind: kind, Times: -1}},
		{500, 502, 200, 200, 200}: {{Kind: kind}, {Kind: simulator.FaultHTML}},
	} {
		c := newCaller(t)
		for _, fault := range faults {
			c.sim.Inject(fault)
		}
		var got [5]int
		for i := range got {
			got[i] = c.get(labelsPath).status
		}
		assert.Equal(t, want, got)
		c.sim.ClearFaults()
		c.get(labelsPath).data()
	}
	for wait, want := range map[time.Duration]string{0: "1", time.Minute: "60", time.Hour: "3600", 1500 * time.Millisecond: "2"} {
		c := newCaller(t)
		c.sim.Inject(simulator.Fault{Kind: simulator.FaultRateLimit, RetryAfter: wait})
		assert.Equal(t, want, c.get(labelsPath).header.Get("Retry-After"))
	}
}

// A hook runs before or after the effect, and may change the simulator itself.
func TestAHookRunsBeforeOrAfterTheEffect(t *testing.T) {
	t.Parallel()
	for when, after := range map[string]bool{"before": false, "after": true} {
		eachFront(t, when, func(t *testing.T, c *caller) {
			seen := -1
			c.sim.Inject(simulator.Fault{Route: provisionRoute, After: after, Hook: func() {
				seen = len(c.sim.Labels())
				c.sim.Clock().Advance(time.Minute)
			}})
			c.post(labelsPath, order(client)).data()
			require.Equal(t, map[bool]int{false: 0, true: 1}[after], seen)
		})
	}
	t.Run("the label moves away under a call", func(t *testing.T) {
		t.Parallel()
		c, path := newLabel(t)
		c.sim.Inject(simulator.Fault{Hook: func() { require.NoError(t, c.sim.MoveAway(client)) }})
		c.get(path).rejected(http.StatusForbidden, "FORBIDDEN")
	})
}

// A fault names a route as the documented one, in each form.
func TestAFaultKnowsItsRouteInEachForm(t *testing.T) {
	t.Parallel()
	c := newWorld(t, simulator.Options{}, "form update=put")
	c.sim.Inject(simulator.Fault{Route: "POST /console/:slug/reseller/billing/packages/update", Kind: simulator.FaultServerError})
	c.do(http.MethodPut, resellerPath+"/billing/packages/update", object{}).rejected(http.StatusInternalServerError, "INTERNAL_SERVER_ERROR")
}
