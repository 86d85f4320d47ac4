package inventory

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

const (
	idA = "0123456789abcdef0123456789abcdef"
	idB = "ffffffffffffffffffffffffffffffff"
)

var errBroken = errors.New("broken")

const ourSlug = "reseller.example"

// fakeAPI returns what the test sets. A held call waits for its release and returns what was set when it began.
type fakeAPI struct {
	behind string // host name that only the detail has: the list is one read behind
	mu     sync.Mutex
	hosts  []string // of the private labels, in order; their IDs are idA, idB, …
	fail   error
	calls  []string
	queued []chan struct{} // one for each coming call to hold

	detail, pkg func(id string) (*client.Assignment, error)
	itemErr     error           // of an API that does not read one item
	queue       func()          // the wait for a place
	free        []client.Bucket // limits with a free place, best first; nil for the first that is asked for
	reserved    int             // reserved places not yet released
	patience    transport.Patience
}

func (f *fakeAPI) begin(ctx context.Context, what string) ([]string, error) {
	f.mu.Lock()
	f.calls = append(f.calls, what)
	hosts, err := append([]string{}, f.hosts...), f.fail
	var held chan struct{}
	if len(f.queued) > 0 {
		held, f.queued = f.queued[0], f.queued[1:]
	}
	f.mu.Unlock()
	if held != nil {
		<-held
	}
	if err == nil {
		err = ctx.Err()
	}
	return hosts, err
}

// hold blocks the next call without a hold until the channel is closed.
func (f *fakeAPI) hold() chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	held := make(chan struct{})
	f.queued = append(f.queued, held)
	return held
}

// share starts n readers of one call and releases the call after the given steps, when all of them wait.
func (f *fakeAPI) share(n int, read func(), steps ...func()) {
	held := f.hold()
	var readers sync.WaitGroup
	for range n {
		readers.Go(read)
	}
	synctest.Wait()
	for _, step := range steps {
		step()
	}
	close(held)
	readers.Wait()
}

func (f *fakeAPI) set(fail error, hosts ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fail, f.hosts = fail, hosts
}

func (f *fakeAPI) callCount() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.calls)
}

// Patience has no time to wait, unless the test sets one.
func (f *fakeAPI) Patience() transport.Patience {
	return cmp.Or(f.patience, transport.Patience{Clock: transporttest.NewClock()})
}

func (f *fakeAPI) Slug(context.Context) (string, error) { return ourSlug, nil }

func (f *fakeAPI) ListPrivateLabels(ctx context.Context, period string) (*client.PrivateLabelList, error) {
	hosts, err := f.begin(ctx, "list "+period)
	if err != nil {
		return nil, err
	}
	list := &client.PrivateLabelList{Period: period}
	for i, host := range hosts {
		list.PrivateLabels = append(list.PrivateLabels, client.PrivateLabelSummary{
			TenantID: []string{idA, idB}[i], PrimaryHost: host, AssignedPackage: anyjson.Given(&client.AssignedPackage{PackageID: "gold"}),
		})
	}
	return list, nil
}

func (f *fakeAPI) ListMembers(ctx context.Context, id string) ([]client.Member, error) {
	emails, err := f.begin(ctx, "members "+id)
	if err != nil {
		return nil, err
	}
	var list []client.Member
	for i, email := range emails {
		list = append(list, client.Member{ID: []string{idA, idB}[i], Email: email})
	}
	return list, nil
}

// SearchItems returns one item, with the first host as its code.
func (f *fakeAPI) SearchItems(ctx context.Context, k client.Kind, _ string) ([]client.Item, error) {
	codes, err := f.begin(ctx, "search "+k.String())
	if err != nil {
		return nil, err
	}
	return []client.Item{{ID: idA, Code: codes[0]}}, nil
}

func (f *fakeAPI) GetItem(ctx context.Context, k client.Kind, id string) (*client.Item, error) {
	if _, err := f.begin(ctx, "get "+k.String()+" "+id); err != nil {
		return nil, err
	}
	if f.itemErr != nil {
		return nil, f.itemErr
	}
	return &client.Item{ID: id}, nil
}

func (f *fakeAPI) GetPrivateLabel(ctx context.Context, id string) (*client.PrivateLabel, error) {
	hosts, err := f.begin(ctx, "detail "+id)
	if err != nil {
		return nil, err
	}
	if f.detail != nil {
		a, err := f.detail(id)
		return &client.PrivateLabel{TenantID: id, Assignment: anyjson.Given(a)}, err
	}
	if f.behind != "" {
		hosts = []string{f.behind}
	}
	if len(hosts) == 0 {
		return nil, rejection(http.StatusForbidden, client.CodeForbidden)
	}
	return &client.PrivateLabel{TenantID: id, PrimaryHost: hosts[0]}, nil
}

func (f *fakeAPI) GetAssignment(ctx context.Context, id string) (*client.Assignment, error) {
	if _, err := f.begin(ctx, "package "+id); err != nil {
		return nil, err
	}
	return f.pkg(id)
}

func (f *fakeAPI) Reserve(_ context.Context, buckets ...client.Bucket) (client.Place, error) {
	if f.queue != nil {
		f.queue()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	free := f.free
	if free == nil {
		free = buckets
	}
	at := slices.IndexFunc(free, func(b client.Bucket) bool { return slices.Contains(buckets, b) })
	if at < 0 {
		return client.Place{}, errBroken
	}
	f.reserved++
	return client.Place{Reads: f, Bucket: free[at], Release: sync.OnceFunc(func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.reserved--
	})}, nil
}

func hostOf(t *testing.T, s *Snapshot, err error) string {
	t.Helper()
	require.NoError(t, err)
	return s.All()[0].PrimaryHost
}

func TestReads_ShareOneCall(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		read func(context.Context, *Inventory) error
	}{
		{"list", func(ctx context.Context, i *Inventory) error { _, err := i.Labels(ctx, Current); return err }},
		{"list of a period", func(ctx context.Context, i *Inventory) error { _, err := i.LabelsOf(ctx, "2026-09"); return err }},
		{"detail", func(ctx context.Context, i *Inventory) error { _, err := i.Label(ctx, idA, Current); return err }},
		{"known labels", func(ctx context.Context, i *Inventory) error { _, err := i.Labels(ctx, Cached); return err }},
		{"members", func(ctx context.Context, i *Inventory) error { _, err := i.Members(ctx, idA, Current); return err }},
		{"items", func(ctx context.Context, i *Inventory) error {
			_, err := i.Items(ctx, client.KindPackage, Current)
			return err
		}},
		{"item", func(ctx context.Context, i *Inventory) error {
			_, err := i.Item(ctx, client.KindPackage, idA, Current)
			return err
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				api := &fakeAPI{hosts: []string{"a.example"}}
				inv := New(api)
				assert.Equal(t, 0, api.callCount(), "New makes a call")
				api.share(100, func() { assert.NoError(t, tc.read(t.Context(), inv)) })
				err := tc.read(t.Context(), inv)
				require.NoError(t, err, "%d calls", api.callCount())
				assert.Equal(t, 1, api.callCount(), "calls")
			})
		})
	}
}

func TestLabelsOf_SeparatesPeriods(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{hosts: []string{"a.example"}}
	inv := New(api)
	for range 2 {
		for _, period := range []string{"", "2026-09", "lifetime"} {
			list, err := inv.LabelsOf(t.Context(), period)
			require.NoError(t, err, "%q: got %v", period, list)
			assert.Equal(t, period, list.List.Period, "got %v", list)
		}
		for _, id := range []string{idA, idB} {
			label, err := inv.Label(t.Context(), id, Current)
			require.NoError(t, err, "%s: got %v", id, label)
			assert.Equal(t, id, label.TenantID, "got %v", label)
		}
		_, err := inv.Labels(t.Context(), Current)
		assert.NoError(t, err)
	}
	assert.Equal(t, 5, api.callCount(), "calls: %q", api.calls)
}

func TestLabels_DoesNotCacheErrors(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		api := &fakeAPI{fail: errBroken}
		inv := New(api)
		api.share(10, func() {
			_, err := inv.Labels(t.Context(), Current)
			assert.ErrorIs(t, err, errBroken)
		})
		api.set(nil, "a.example")
		s, err := inv.Labels(t.Context(), Current)
		assert.Equal(t, "a.example", hostOf(t, s, err), "%d calls", api.callCount())
		assert.Equal(t, 2, api.callCount(), "calls")
		api.set(errBroken)
		_, err = inv.Label(t.Context(), idA, Current)
		assert.ErrorIs(t, err, errBroken)
	})
}

func TestBeginWrite_Invalidates(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{hosts: []string{"old.example"}}
	inv := New(api)
	read := func() (list, ofA, ofB string) {
		t.Helper()
		s, err := inv.Labels(t.Context(), Current)
		list = hostOf(t, s, err)
		a, errA := inv.Label(t.Context(), idA, Current)
		b, errB := inv.Label(t.Context(), idB, Current)
		require.NoError(t, errA, errB)
		require.NoError(t, errB)
		return list, a.PrimaryHost, b.PrimaryHost
	}
	read()
	done := inv.BeginWrite(idA)
	read() // during the write: read again, and not stored past it
	api.set(nil, "new.example")
	done()
	if list, a, b := read(); list != "new.example" || a != "new.example" || b != "old.example" {
		t.Errorf("list %s, written label %s, other label %s", list, a, b)
	}
	assert.Equal(t, 3+2+2, api.callCount(), "calls: %q", api.calls)
	inv.BeginWrite()() // the private label has no ID yet: only the list is invalidated
	read()
	assert.Equal(t, 8, api.callCount(), "calls: %q", api.calls)
}

func TestBeginWrite_DropsResponseInFlight(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		read func(context.Context, *Inventory) (string, error)
	}{
		{"list", func(ctx context.Context, i *Inventory) (string, error) {
			s, err := i.Labels(ctx, Current)
			if err != nil {
				return "", err
			}
			return s.All()[0].PrimaryHost, nil
		}},
		{"detail", func(ctx context.Context, i *Inventory) (string, error) {
			l, err := i.Label(ctx, idA, Current)
			if err != nil {
				return "", err
			}
			return l.PrimaryHost, nil
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				api := &fakeAPI{hosts: []string{"old.example"}}
				inv := New(api)
				expect := func(want string) {
					got, err := tc.read(t.Context(), inv)
					require.NoError(t, err, "got %s, want %s", got, want)
					assert.Equal(t, want, got)
				}
				api.share(1, func() { expect("old.example") }, func() { // begun before the write: gets the response of its own time
					done := inv.BeginWrite(idA)
					api.set(nil, "new.example")
					done()
					expect("new.example") // does not join the earlier call
				})
				expect("new.example") // the earlier call's late response is not stored
				assert.Equal(t, 2, api.callCount(), "calls: %q", api.calls)
			})
		})
	}
}

func TestLabels_CanceledCallerKeepsCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		api := &fakeAPI{hosts: []string{"a.example"}}
		inv := New(api)
		ctx, leave := context.WithCancel(t.Context())
		var stayed sync.WaitGroup
		api.share(1, func() {
			_, err := inv.Labels(ctx, Current)
			assert.ErrorIs(t, err, context.Canceled, "who left")
		}, func() {
			stayed.Go(func() {
				_, err := inv.Labels(t.Context(), Current)
				assert.NoError(t, err, "who stayed")
			})
			synctest.Wait()
			leave()
			synctest.Wait()
		})
		stayed.Wait()
		_, err := inv.Labels(t.Context(), Current)
		require.NoError(t, err, "%d calls", api.callCount())
		assert.Equal(t, 1, api.callCount(), "calls")
	})
}

func TestLabels_Cached(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{hosts: []string{"a.example"}}
	inv := New(api)
	if _, err := inv.LabelsOf(t.Context(), "lifetime"); err != nil {
		t.Fatal(err)
	}
	for i := range 3 { // one call despite the writes; other periods do not count
		s, err := inv.Labels(t.Context(), Cached)
		assert.Equal(t, "a.example", hostOf(t, s, err), "round %d: %q", i, api.calls)
		assert.Equal(t, 2, api.callCount(), "round %d: %q", i, api.calls)
		inv.BeginWrite(idA)()
	}
	api.set(nil, "b.example")
	if _, err := inv.Labels(t.Context(), Current); err != nil {
		t.Fatal(err)
	}
	api.set(errBroken)
	s, err := inv.Labels(t.Context(), Cached)
	assert.Equal(t, "b.example", hostOf(t, s, err), "an older list than the newest")
	broken := New(api)
	_, err = broken.Labels(t.Context(), Cached)
	assert.ErrorIs(t, err, errBroken)
}

func TestLabels_CachedIsNewest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		api := &fakeAPI{hosts: []string{"old.example"}}
		inv := New(api)
		api.share(1, func() { _, _ = inv.Labels(t.Context(), Current) }, func() {
			inv.BeginWrite()()
			api.set(nil, "new.example")
			_, err := inv.Labels(t.Context(), Current)
			assert.NoError(t, err)
		}) // the response to the older call arrives last
		s, err := inv.Labels(t.Context(), Cached)
		assert.Equal(t, "new.example", hostOf(t, s, err))
	})
}

func TestSnapshot(t *testing.T) {
	t.Parallel()
	s, err := New(&fakeAPI{hosts: []string{"A.Example", "b.example"}}).Labels(t.Context(), Current)
	require.NoError(t, err)
	for host, id := range map[string]string{"a.example": idA, "A.EXAMPLE": idA, "b.example": idB, "c.example": ""} {
		if item, ok := s.ByHost(host); ok != (id != "") || ok && item.TenantID != id {
			t.Errorf("host %s: got %v, %v", host, item, ok)
		}
	}
	item, ok := s.ByID(idB)
	require.True(t, ok, "got %v, %v", item, ok)
	assert.Equal(t, "b.example", item.PrimaryHost, "got %v, %v", item, ok)
	_, ok = s.ByID("unknown")
	assert.False(t, ok, "an id that is not in the list was found")
	assert.Len(t, s.All(), 2, "the list is not whole")
}
