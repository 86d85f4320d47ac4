// Package simulator is both APIs as an http.Handler, for the provider's simulator mode, for `simulate` and for tests. It is
// written from the API documentation alone and shares no code with the client. ASSUMPTIONS.md lists where the documentation
// is ambiguous, and forms_table.go the other forms that the simulator has there.
package simulator

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"
)

// Base URLs of the simulator in process. The names cannot exist (RFC 2606).
const (
	BaseURL    = "https://api.simulator.invalid"
	UploadURL  = "https://upload.simulator.invalid"
	SigningURL = "https://sign.simulator.invalid"
)

// UploadPrefix is the path of the upload URL if everything is served on one port.
const UploadPrefix = "/upload"

// SlugSuffix ends the slug of every reseller that the simulator creates by itself. No reseller of the live API can have
// it.
const SlugSuffix = ".simulator.invalid"

// DefaultDNSDelay is the time after which the DNS record is correct in the provider's simulator mode and in `simulate`.
const DefaultDNSDelay = 5 * time.Minute

// Options of a simulator. With the zero value, it keeps its data in memory.
type Options struct {
	File     string        // the JSON data file; "" is memory
	Clock    *Clock        // nil: real time passes, and the clock can be moved
	Fast     bool          // a rate limit window of a minute takes a second
	DNSDelay time.Duration // DNS becomes correct this long after provisioning; 0 only by CorrectDNS
	Slug     string        // of a new reseller; empty: a random one, which no other data file has
	LockWait time.Duration // maximum wait for another process that has locked the file; 0 is a minute
	IDs      string        // a new simulator creates the same IDs and keys for the same text; empty: random ones
	Forms    Forms         // a choice replaces that of the data file; nil keeps it
}

// Simulator is both APIs over one store. It is safe for concurrent use.
type Simulator struct {
	opts   Options
	forms  Forms
	clock  *Clock
	routes []*route
	faults faults

	mu             ctxMutex
	store          *store
	attachFailures int
	calling        bool // a request is being handled, not an out-of-band change
	emailFailures  int
}

// New opens a simulator. A file that cannot be read is an error, and is not changed.
func New(opts Options) (*Simulator, error) {
	if opts.Clock == nil {
		opts.Clock = NewClock()
	}
	store, err := openStore(opts)
	if err != nil {
		return nil, err
	}
	s := &Simulator{opts: opts, clock: opts.Clock, mu: newCtxMutex(), store: store}
	// A start that finds a reseller writes nothing: a run of Terraform starts several processes, and each write makes
	// the others read the file.
	err = s.locked(func() (effect, error) {
		d := s.store.data
		kept := opts.Forms == nil || maps.Equal(d.Forms, opts.Forms)
		if !kept {
			d.Forms = maps.Clone(opts.Forms)
		}
		s.forms = d.Forms
		if err := s.forms.check(); err != nil {
			return effectNone, err
		}
		if len(d.Resellers) == 0 {
			s.found(d, cmp.Or(opts.Slug, d.ownSlug()))
			kept = false
		}
		if kept {
			return effectNone, nil
		}
		return effectLasting, nil
	})
	s.routes = slices.Concat(routes(), billingRoutes(s.forms), peopleRoutes(), brandingRoutes(), signingRoutes(s.forms))
	return s, err
}

// simulatorAllowance is large, so that only a deliberate assignment exceeds it.
var simulatorAllowance = quantities{Documents: 10_000, Seats: 1_000, Templates: 1_000, Notarizations: 500}

// ownSlug is as random as the salt, so that a state that was written with another file can be recognized.
func (d *data) ownSlug() string {
	sum := sha256.Sum256([]byte(d.Salt + "/slug"))
	return "reseller-" + hex.EncodeToString(sum[:6]) + SlugSuffix
}

// found creates a reseller with an API key with all scopes.
func (s *Simulator) found(d *data, slug string) *apiKey {
	r := &reseller{ID: d.newID("reseller"), Slug: slug, Allowance: simulatorAllowance}
	d.Resellers = append(d.Resellers, r)
	d.Signing.complete(d)
	return d.mintKey(r.ID, allScopes, s.clock.Now())
}

// Close saves changes that were not saved yet.
func (s *Simulator) Close() error {
	return s.look(func(*data) error { return nil })
}

// change runs f on the data under the lock and saves it.
func (s *Simulator) change(f func(*data) error) error {
	return s.locked(func() (effect, error) { return effectLasting, f(s.store.data) })
}

// look runs f on the data under the lock.
func (s *Simulator) look(f func(*data) error) error {
	return s.lookFor(context.Background(), f)
}

func (s *Simulator) lookFor(ctx context.Context, f func(*data) error) error {
	return s.lockedFor(ctx, func() (effect, error) { return effectNone, f(s.store.data) })
}

// read returns what f reads from the data under the lock; the zero value if that fails.
func read[T any](s *Simulator, f func(*data) T) (value T) {
	_ = s.look(func(d *data) error { value = f(d); return nil })
	return value
}

// locked runs f under the locks of this process and of the file, and saves what
// it changed.
func (s *Simulator) locked(f func() (effect, error)) error {
	return s.lockedFor(context.Background(), f)
}

// lockedFor waits for the locks no longer than a context lasts. If f fails or panics, the file is unchanged and is read
// again.
func (s *Simulator) lockedFor(ctx context.Context, f func() (effect, error)) (err error) {
	if err := s.mu.lock(ctx); err != nil {
		return err
	}
	defer s.mu.unlock()
	if err := s.store.begin(ctx); err != nil {
		return err
	}
	done := false
	defer func() {
		if !done {
			s.store.dropCache()
		}
		err = errors.Join(err, s.store.unlock())
	}()
	e, err := f()
	if err == nil && e == effectLasting {
		err = s.remember()
	}
	if err != nil {
		return err
	}
	err = s.store.save(e)
	done = err == nil
	return err
}

// Clock returns the simulator's clock.
func (s *Simulator) Clock() *Clock {
	return s.clock
}

// APIKey is the first key of the first reseller that is not revoked; it has all scopes.
func (s *Simulator) APIKey() string {
	return read(s, func(d *data) (key string) {
		active := first(d.Keys, func(k *apiKey) bool { return k.ResellerID == d.Resellers[0].ID && k.RevokedAt == 0 })
		if active != nil {
			key = active.Secret
		}
		return key
	})
}

// Slug of the first reseller.
func (s *Simulator) Slug() string {
	return read(s, func(d *data) string { return d.Resellers[0].Slug })
}

// Inject makes requests to this process fail.
func (s *Simulator) Inject(f Fault) {
	f.Route = s.forms.routeName(f.Route)
	f.Since = s.forms.routeName(f.Since)
	s.faults.add(f)
}

// ClearFaults removes all faults.
func (s *Simulator) ClearFaults() {
	s.faults.clear()
}

// Journal lists the requests so far, oldest first; in a file the newest 5,000.
func (s *Simulator) Journal() []Call {
	return read(s, func(*data) []Call { return slices.Clone(s.store.live.Journal) })
}

// Count returns how many requests of the journal have a route, as Call names it, that contains the text; "" counts all.
// A short route is part of longer ones: the route that provisions is part of the route that suspends.
func (s *Simulator) Count(routeSubstring string) int {
	return len(slices.DeleteFunc(s.Journal(), func(c Call) bool { return !strings.Contains(c.Route, routeSubstring) }))
}

// ResetJournal removes the requests so far.
func (s *Simulator) ResetJournal() {
	_ = s.locked(func() (effect, error) {
		s.store.live.Journal = nil
		s.store.live.size = 0
		return effectLive, nil
	})
}

// Outbox lists the emails that would have been sent, oldest first.
func (s *Simulator) Outbox() []Email {
	return read(s, func(d *data) []Email { return slices.Clone(d.Outbox) })
}
