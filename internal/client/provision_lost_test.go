package client

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// Reconciliation waits for a rate limit to reset: without a limit in a run that continues, for readGrace in a
// canceled one.
func TestReconcile_WaitsForRateLimit(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		canceled bool
		took     time.Duration
	}{
		"a run that continues":  {false, 90 * time.Second},
		"a run that is stopped": {true, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				lost := transporttest.Fail(io.ErrUnexpectedEOF)
				if tc.canceled {
					lost = transporttest.After(cancel, lost)
				}
				c, _ := dial(t, transporttest.Serve(t, transporttest.Replies{
					transporttest.ReqProvision: {lost},
					transporttest.ReqList:      {transporttest.Limited("Retry-After", "90"), transporttest.OK(transporttest.OneLabel)},
					transporttest.ReqDetail:    {transporttest.OK(transporttest.Detail)},
				}), withClock(transport.RealClock{}))
				start := time.Now()
				provisioned, o := c.ProvisionPrivateLabel(ctx, provisionRequest())
				err := o.Err
				assert.Equal(t, tc.took, time.Since(start), "it took")
				var doubt *transport.UnknownOutcomeError
				switch {
				case tc.canceled && !errors.As(err, &doubt):
					t.Errorf("got %v", err)
				case !tc.canceled && (err != nil || !o.ResponseLost):
					t.Errorf("got %+v, %v", provisioned, err)
				}
			})
		})
	}
}
