package privatelabel

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

const (
	// verificationPause: the API checks DNS at most once a minute (§2.5).
	verificationPause = time.Minute
	// verificationGap keeps many waiting resources from using all calls of the console limit.
	verificationGap = 2 * time.Second
)

// verificationPoller reads private labels that wait for their DNS: each one at most once a minute for all waiting
// resources, and any of them at most once in two seconds.
type verificationPoller struct {
	read  func(context.Context, string) (*client.PrivateLabel, error)
	clock transport.Clock

	mu      sync.Mutex
	looks   map[string]*pollResult // the newest of each private label
	nextGap time.Time              // when the next private label may be read
}

// pollResult is one read of a private label; done is closed when it has ended.
type pollResult struct {
	at    time.Time
	done  chan struct{}
	label *client.PrivateLabel
	err   error
}

func newVerificationPoller(s *session.Session) *verificationPoller {
	read := func(ctx context.Context, id string) (*client.PrivateLabel, error) {
		return s.Inventory.Label(ctx, id, inventory.Fresh)
	}
	return &verificationPoller{read: read, clock: s.Client.Clock(), looks: map[string]*pollResult{}}
}

func verified(l *client.PrivateLabel) bool { return l.DomainSetup.Attached && l.DomainSetup.Verified }

// wait returns the private label once it is verified. After a timeout or a cancellation it returns the last read with
// an error.
func (w *verificationPoller) wait(ctx context.Context, tenantID string, limit time.Duration) (*client.PrivateLabel, error) {
	began := w.clock.Now()
	var last *client.PrivateLabel
	for {
		seen, err := w.lookAt(ctx, tenantID)
		if err != nil {
			return last, err
		}
		last = seen
		if verified(last) {
			return last, nil
		}
		waited := w.clock.Now().Sub(began).Round(time.Second)
		tflog.Info(ctx, "waiting for the DNS of a private label", map[string]any{
			"host": diagnostic.ShownLine(last.PrimaryHost), "attached": last.DomainSetup.Attached, "waited": waited.String(),
			"expected": diagnostic.ShownLine(expectedRecord(last.DomainSetup)),
		})
		if waited+verificationPause > limit {
			return last, fmt.Errorf("the provider waited %s; the next check, one minute later, would exceed the timeout of %s", waited, limit)
		}
		if err := w.clock.Sleep(ctx, verificationPause); err != nil {
			return last, fmt.Errorf("the run was canceled after %s: %w", waited, err)
		}
	}
}

// lookAt reads a private label, or shares a read of it within the last minute.
func (w *verificationPoller) lookAt(ctx context.Context, tenantID string) (*client.PrivateLabel, error) {
	w.mu.Lock()
	now := w.clock.Now()
	l, known := w.looks[tenantID]
	if known && now.Sub(l.at) < verificationPause && !l.failed() {
		w.mu.Unlock()
		select {
		case <-l.done:
			return l.label, l.err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	l = &pollResult{at: now, done: make(chan struct{})}
	w.looks[tenantID] = l
	pause := max(0, w.nextGap.Sub(now))
	w.nextGap = now.Add(pause + verificationGap)
	w.mu.Unlock()

	defer close(l.done)
	if l.err = w.clock.Sleep(ctx, pause); l.err == nil {
		l.label, l.err = w.read(ctx, tenantID)
	}
	return l.label, l.err
}

// failed reports whether a read has ended without a result: the next one need not wait a minute.
func (l *pollResult) failed() bool {
	select {
	case <-l.done:
		return l.err != nil
	default:
		return false
	}
}
