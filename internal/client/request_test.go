package client

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

func TestRateLimiter_IgnoresTooFrequent(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t, `
		POST {label}/suspend -> 429 TOO_FREQUENT + Retry-After: 240
		GET {labels} -> 200 {no labels}
	`)
	c, clock := dial(t, s)
	err := failure(c.SuspendPrivateLabel(t.Context(), transporttest.ID, ""))
	var e *transport.Error
	if !errors.As(err, &e) || e.Code != CodeTooFrequent || e.RetryAfter != 4*time.Minute || e.Status != 429 {
		t.Errorf("got %v", err)
	}
	assert.Equal(t, time.Duration(0), clock.Slept())
	// This 429 does not delay later calls.
	err = list(c)(t.Context())
	require.NoError(t, err, "slept %s", clock.Slept())
	assert.Equal(t, time.Duration(0), clock.Slept())
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
		assert.Equal(t, tc.want, tc.request.Limits, tc.request.Route)
	}
}
