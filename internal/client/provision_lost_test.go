package client

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// Reconciliation waits for a rate limit to reset: without a limit in a run that continues, for readGrace in a
// canceled one.
func TestReconcile_WaitsForRateLimit(t *testing.T) {
	t.Parallel()
	texttable.Run(t, `
		a run that continues  | 1m30s | lost
		a run that is stopped | 1m0s  | doubt: …
	`, func(t *testing.T, row []string) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			s := transporttest.Serve(t, labelScript+"POST {labels} -> unexpected EOF; GET {labels} -> limited + Retry-After: 90; there; ours")
			if row[0] == "a run that is stopped" {
				s.Before = cancel
			}
			c, _ := dial(t, s, withClock(transport.RealClock{}))
			start := time.Now()
			_, o := c.ProvisionPrivateLabel(ctx, provisionRequest())
			assert.Equal(t, row[1], time.Since(start).String())
			wantOutcome(t, row[2], o)
		})
	})
}
