package client

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

func TestRateLimiter_IgnoresTooFrequent(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t, transporttest.Step{Request: transporttest.ReqSuspend, Answer: transporttest.Reject(429, CodeTooFrequent, "Retry-After", "240")}, transporttest.Step{Request: transporttest.ReqList, Answer: transporttest.OK(transporttest.NoLabels)})
	c, clock := dial(t, s)
	err := c.SuspendPrivateLabel(t.Context(), transporttest.ID, "").Err
	var e *transport.Error
	if !errors.As(err, &e) || e.Code != CodeTooFrequent || e.RetryAfter != 4*time.Minute || e.Status != 429 {
		t.Errorf("got %v", err)
	}
	if clock.Slept() != 0 {
		t.Errorf("slept %s", clock.Slept())
	}
	// This 429 does not delay later calls.
	if err := list(c)(t.Context()); err != nil || clock.Slept() != 0 {
		t.Errorf("slept %s: %v", clock.Slept(), err)
	}
}

func TestRequest_Limits(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		request request
		want    []transport.Limit
	}{
		{routeListLabels, []transport.Limit{transport.LimitConsole, transport.LimitTotal}},
		{routeProvision, []transport.Limit{transport.LimitConsole, transport.LimitTotal}},
		{routeDashboard, []transport.Limit{transport.LimitConsole, transport.LimitTotal}},
		{routeQuota, []transport.Limit{transport.LimitBilling, transport.LimitTotal}},
		{routeRemoveAddon, []transport.Limit{transport.LimitBilling, transport.LimitTotal}},
		{routeAssign, []transport.Limit{transport.LimitAllocation, transport.LimitBilling, transport.LimitTotal}},
	} {
		if got := tc.request.Limits; !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.request.Route, got, tc.want)
		}
	}
}
