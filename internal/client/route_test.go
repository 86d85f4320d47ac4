package client

import (
	"errors"
	"slices"
	"testing"
	"time"
)

func TestRateLimiter_IgnoresTooFrequent(t *testing.T) {
	t.Parallel()
	s := serve(t, step{reqSuspend, refuse(429, CodeTooFrequent, "Retry-After", "240")}, step{reqList, ok(noLabels)})
	c, clock := dial(t, s)
	_, err := c.SuspendPrivateLabel(t.Context(), testID, "")
	var e *Error
	if !errors.As(err, &e) || e.Code != CodeTooFrequent || e.RetryAfter != 4*time.Minute || e.Status != 429 {
		t.Errorf("got %v", err)
	}
	if clock.slept() != 0 {
		t.Errorf("slept %s", clock.slept())
	}
	// It does not delay later calls.
	if err := list(c)(t.Context()); err != nil || clock.slept() != 0 {
		t.Errorf("slept %s: %v", clock.slept(), err)
	}
}

func TestRoute_Limits(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		route route
		want  []Limit
	}{
		{routeListLabels, []Limit{LimitConsole, LimitTotal}},
		{routeProvision, []Limit{LimitConsole, LimitTotal}},
		{routeDashboard, []Limit{LimitConsole, LimitTotal}},
		{route{billing: true}, []Limit{LimitBilling, LimitTotal}},
		{route{billing: true, allocation: true}, []Limit{LimitAllocation, LimitBilling, LimitTotal}},
	} {
		if got := tc.route.limits(); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.route.path, got, tc.want)
		}
	}
}
