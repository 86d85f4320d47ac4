package privatelabel

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
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
	setup := client.DomainSetup{Attached: true, Verified: gone >= d.after[id], Records: []client.DNSRecord{{Type: "CNAME", Name: id + ".example", Value: "portals.example"}}}
	return &client.PrivateLabel{TenantID: id, PrimaryHost: id + ".example", DomainSetup: setup}, nil
}

func watching(after map[string]time.Duration) (*verificationPoller, *dnsReader) {
	reader := &dnsReader{start: time.Now(), after: after}
	return &verificationPoller{read: reader.Read, clock: transport.RealClock{}, polls: map[string]*poll{}}, reader
}

func TestVerificationWatch_Waits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		watch, reader := watching(map[string]time.Duration{"a": 150 * time.Second})
		label, err := watch.wait(t.Context(), "a", time.Hour)
		if err != nil || !verified(label) {
			t.Fatalf("label %+v, error %v", label, err)
		}
		if len(reader.reads) != 4 || time.Since(reader.start) != 3*time.Minute {
			t.Errorf("reads at %v, done after %s", reader.reads, time.Since(reader.start))
		}
	})
}

func TestVerificationWatch_DoneAlready(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		watch, reader := watching(nil)
		_, err := watch.wait(t.Context(), "a", time.Second)
		if err != nil || len(reader.reads) != 1 || time.Since(reader.start) != 0 {
			t.Errorf("error %v, reads %v, after %s", err, reader.reads, time.Since(reader.start))
		}
	})
}

func TestVerificationWatch_TimeOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		watch, reader := watching(map[string]time.Duration{"a": time.Hour})
		label, err := watch.wait(t.Context(), "a", 150*time.Second)
		if err == nil || !strings.Contains(err.Error(), "waited 2m0s; the next check, one minute later, would exceed the timeout of 2m30s") || label == nil || verified(label) {
			t.Errorf("label %+v, error %v", label, err)
		}
		if len(reader.reads) != 3 {
			t.Errorf("reads at %v", reader.reads)
		}
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
					if _, err := watch.wait(t.Context(), name, time.Hour); err != nil {
						t.Error(err)
					}
				})
			}
		}
		all.Wait()
		if len(reader.reads) != 3*len(names) {
			t.Errorf("%d reads, want %d", len(reader.reads), 3*len(names))
		}
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
		if label, err := watch.wait(t.Context(), "b", time.Hour); !errors.Is(err, reader.fail) || label != nil {
			t.Errorf("failed: label %v, error %v", label, err)
		}
		reader.fail = nil
		if _, err := watch.wait(t.Context(), "b", time.Hour); err != nil {
			t.Errorf("a look that failed was kept: %v", err)
		}
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
			if got != tc.want || diags.HasError() || log.Len() > 0 {
				t.Errorf("%s, %v, logs %q", got, diags, log.String())
			}
		})
	}
}
