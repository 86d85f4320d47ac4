package privatelabel

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-log/tflogtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// dnsReader returns private labels that are verified some time after the start.
type dnsReader struct {
	mu    sync.Mutex
	start time.Time
	after map[string]time.Duration
	reads []time.Duration // of all private labels, since the start
	fail  error
}

func (d *dnsReader) Read(_ context.Context, id string) (*client.PrivateLabel, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	gone := time.Since(d.start)
	d.reads = append(d.reads, gone)
	if d.fail != nil {
		return nil, d.fail
	}
	setup := client.DomainSetup{Attached: new(true), Verified: new(gone >= d.after[id]), Records: []client.DNSRecord{{Type: "CNAME", Name: id + ".example", Value: "portals.example"}}}
	return &client.PrivateLabel{TenantID: id, PrimaryHost: id + ".example", DomainSetup: setup}, nil
}

func watching(after map[string]time.Duration) (*verificationPoller, *dnsReader) {
	reader := &dnsReader{start: time.Now(), after: after}
	return &verificationPoller{read: reader.Read, clock: transport.RealClock{}, reads: &session.LabelReads{}}, reader
}

func TestVerificationWatch_Waits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		watch, reader := watching(map[string]time.Duration{"a": 150 * time.Second})
		label, err := watch.wait(t.Context(), "a", time.Hour)
		require.NoError(t, err, "label %+v, error", label)
		require.True(t, verified(label), "label %+v, error %v", label, err)
		require.Len(t, reader.reads, 4, "reads at, done after %s", time.Since(reader.start))
		assert.Equal(t, 3*time.Minute, time.Since(reader.start), "reads at %v, done after", reader.reads)
	})
}

func TestVerificationWatch_DoneAlready(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		watch, reader := watching(nil)
		_, err := watch.wait(t.Context(), "a", time.Second)
		require.NoError(t, err, "error, reads %v, after %s", reader.reads, time.Since(reader.start))
		require.Len(t, reader.reads, 1, "error, reads, after %s", time.Since(reader.start))
		assert.Equal(t, time.Duration(0), time.Since(reader.start), "error, reads %v, after", reader.reads)
	})
}

func TestVerificationWatch_TimeOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		watch, reader := watching(map[string]time.Duration{"a": time.Hour})
		label, err := watch.wait(t.Context(), "a", 150*time.Second)
		assert.ErrorContains(t, err, "the next DNS check of the API is after the timeout of 2m30s", "label %+v, error", label)
		require.NotNil(t, label, "label %+v, error %v", label, err)
		assert.False(t, verified(label), "label %+v, error %v", label, err)
		assert.Len(t, reader.reads, 3)
	})
}

// Several goroutines that wait for private labels read each of them once a minute.
func TestVerificationWatch_Shared(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		after := map[string]time.Duration{}
		names := []string{"a", "b", "c", "d", "e"}
		for _, name := range names {
			after[name] = 90 * time.Second
		}
		watch, reader := watching(after)
		var all sync.WaitGroup
		for _, name := range names {
			for range 4 {
				all.Go(func() {
					_, err := watch.wait(t.Context(), name, time.Hour)
					assert.NoError(t, err)
				})
			}
		}
		all.Wait()
		assert.Len(t, reader.reads, 3*len(names))
	})
}

func TestVerificationWatch_Ends(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		watch, reader := watching(map[string]time.Duration{"a": time.Hour})
		ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
		defer cancel()
		if label, err := watch.wait(ctx, "a", time.Hour); !errors.Is(err, context.DeadlineExceeded) || label == nil || time.Since(reader.start) != 90*time.Second {
			t.Errorf("canceled: label %v, error %v, after %s", label, err, time.Since(reader.start))
		}
		reader.fail = errors.New("broken")
		label, err := watch.wait(t.Context(), "b", time.Hour)
		assert.ErrorIs(t, err, reader.fail, "failed: label %v, error", label)
		assert.Nil(t, label, "failed: label, error %v", err)
		reader.fail = nil
		_, err = watch.wait(t.Context(), "b", time.Hour)
		assert.NoError(t, err, "a look that failed was kept")
	})
}

// The default is not logged: a plan of 300 private labels would have 600 lines of it at INFO.
func TestVerificationTime(t *testing.T) {
	t.Parallel()
	shape := map[string]attr.Type{"create": types.StringType}
	for name, tc := range map[string]struct {
		set  types.Object
		want time.Duration
	}{
		"no block":    {types.ObjectNull(shape), defaultVerificationTime},
		"no create":   {types.ObjectValueMust(shape, map[string]attr.Value{"create": types.StringNull()}), defaultVerificationTime},
		"not known":   {types.ObjectValueMust(shape, map[string]attr.Value{"create": types.StringUnknown()}), defaultVerificationTime},
		"of the user": {types.ObjectValueMust(shape, map[string]attr.Value{"create": types.StringValue("1h")}), time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			got, diags := verificationTime(tflogtest.RootLogger(t.Context(), &log), timeouts.Value{Object: tc.set})
			assert.Equal(t, tc.want, got, "%v, logs %q", diags, log.String())
			assert.False(t, diags.HasError(), "%s, %v, logs %q", got, diags, log.String())
			assert.LessOrEqual(t, log.Len(), 0, "%s, %v, logs %q", got, diags, log.String())
		})
	}
}
