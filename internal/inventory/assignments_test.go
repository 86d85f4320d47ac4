package inventory

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// fakeAssignments serves details and package reads. A free limit is reserved immediately.
type fakeAssignments struct {
	*fakeAPI
	detail   func(id string) (*client.Assignment, error)
	pkg      func(id string) (*client.Assignment, error)
	free     []client.Bucket
	reserved int // reserved places not yet released
}

// newFakeAssignments returns the same assignment from both calls, and prefers the billing limit.
func newFakeAssignments() *fakeAssignments {
	return &fakeAssignments{
		fakeAPI: &fakeAPI{hosts: []string{"a.example", "b.example"}},
		detail:  func(id string) (*client.Assignment, error) { return assignmentOf(id, 1), nil },
		pkg:     func(id string) (*client.Assignment, error) { return assignmentOf(id, 1), nil },
		free:    []client.Bucket{client.BucketBilling, client.BucketConsole},
	}
}

// assignmentOf returns the assignment of a private label with the given number of add-ons.
func assignmentOf(id string, addons int) *client.Assignment {
	a := &client.Assignment{ID: "as-" + id, PackageID: "gold", Addons: []client.AttachedAddon{}}
	for n := range addons {
		a.Addons = append(a.Addons, client.AttachedAddon{SubscriptionAddonID: fmt.Sprintf("sub-%d-%s", n, id)})
	}
	return a
}

func (f *fakeAssignments) GetPrivateLabel(ctx context.Context, id string) (*client.PrivateLabel, error) {
	if _, err := f.begin(ctx, "detail "+id); err != nil {
		return nil, err
	}
	a, err := f.detail(id)
	if err != nil {
		return nil, err
	}
	return &client.PrivateLabel{TenantID: id, Assignment: a}, nil
}

func (f *fakeAssignments) GetAssignment(ctx context.Context, id string) (*client.Assignment, error) {
	if _, err := f.begin(ctx, "package "+id); err != nil {
		return nil, err
	}
	return f.pkg(id)
}

func (f *fakeAssignments) ListPrivateLabels(ctx context.Context, period string) (*client.PrivateLabelList, error) {
	list, err := f.fakeAPI.ListPrivateLabels(ctx, period)
	for i := range list.PrivateLabels {
		list.PrivateLabels[i].AssignedPackage = &client.AssignedPackage{PackageID: "gold"}
	}
	return list, err
}

func (f *fakeAssignments) Reserve(ctx context.Context, buckets ...client.Bucket) (context.Context, client.Bucket, func(), error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, b := range f.free {
		if slices.Contains(buckets, b) {
			f.reserved++
			return ctx, b, sync.OnceFunc(func() {
				f.mu.Lock()
				defer f.mu.Unlock()
				f.reserved--
			}), nil
		}
	}
	return nil, 0, nil, errBroken
}

// wantCalls asserts the calls since its last use, and that no reserved place is left.
func (f *fakeAssignments) wantCalls(t *testing.T, want ...string) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.calls {
		f.calls[i] = strings.NewReplacer(idA, "A", idB, "B").Replace(f.calls[i])
	}
	assert.Equal(t, want, f.calls)
	assert.Equal(t, 0, f.reserved, "places are still reserved")
	f.calls = nil
}

// inState is what the state of a private label shows.
func inState(id string) Known {
	return Known{Addons: true, Agrees: func(a *client.Assignment) bool { return SameAssignment(a, assignmentOf(id, 1)) }}
}

// written is what an apply knows that has just assigned the package, and attached every add-on.
func written(id string) Known {
	return Known{Addons: true, Agrees: func(a *client.Assignment) bool { return a.ID == "as-"+id }}
}

// withoutAddons is what a state without add-ons shows.
func withoutAddons(id string) Known {
	return Known{Agrees: func(a *client.Assignment) bool { return SameAssignment(a, assignmentOf(id, 0)) }}
}

func (f *fakeAssignments) wantAssignment(t *testing.T, inv *Inventory, id string, known Known) {
	t.Helper()
	want, wantErr := f.detail(id)
	a, err := inv.Assignment(t.Context(), id, known)
	assert.ErrorIs(t, err, wantErr, "got %+v, want %+v", a, want)
	assert.True(t, SameAssignment(a, want), "got %+v, %v, want %+v, %v", a, err, want, wantErr)
}

func TestAssignment_ChoosesTheFreeLimit(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		free  []client.Bucket
		known Known
		calls []string
	}{
		"billing free":     {[]client.Bucket{client.BucketBilling}, inState(idA), []string{"package A"}},
		"both free":        {[]client.Bucket{client.BucketBilling, client.BucketConsole}, inState(idA), []string{"package A"}},
		"console free":     {[]client.Bucket{client.BucketConsole}, inState(idA), []string{"detail A"}},
		"nothing is known": {[]client.Bucket{client.BucketBilling}, Known{}, []string{"detail A"}},
		"no known add-ons": {[]client.Bucket{client.BucketBilling}, withoutAddons(idA), []string{"detail A"}},
		"written":          {[]client.Bucket{client.BucketBilling}, written(idA), []string{"package A"}},
		"another ID":       {[]client.Bucket{client.BucketBilling}, inState("other"), []string{"package A", "detail A"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newFakeAssignments()
			api.free = tc.free
			inv := New(api)
			for range 3 {
				api.wantAssignment(t, inv, idA, tc.known)
			}
			api.wantCalls(t, tc.calls...)
		})
	}
}

// A cached detail, or one in flight, is used without another call.
func TestAssignment_UsesTheDetail(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		api := newFakeAssignments()
		inv, held := New(api), api.hold()
		var wg sync.WaitGroup
		wg.Go(func() {
			_, err := inv.Label(t.Context(), idA, Current)
			assert.NoError(t, err)
		})
		synctest.Wait()
		wg.Go(func() { api.wantAssignment(t, inv, idA, inState(idA)) })
		synctest.Wait()
		close(held)
		wg.Wait()
		api.wantAssignment(t, inv, idA, inState(idA))
		api.wantCalls(t, "detail A")
	})
}

// A detail that began during the wait for a place is used, and the place is released.
func TestAssignment_ReleasesThePlace(t *testing.T) {
	t.Parallel()
	api := &reserveHook{fakeAssignments: newFakeAssignments()}
	inv := New(api)
	api.before = func() {
		_, err := inv.Label(t.Context(), idA, Current)
		assert.NoError(t, err)
	}
	api.wantAssignment(t, inv, idA, inState(idA))
	api.wantCalls(t, "detail A")
}

// reserveHook calls a function during the wait for a place.
type reserveHook struct {
	*fakeAssignments
	before func()
}

func (f *reserveHook) Reserve(ctx context.Context, buckets ...client.Bucket) (context.Context, client.Bucket, func(), error) {
	f.before()
	return f.fakeAssignments.Reserve(ctx, buckets...)
}

func TestAssignment_ReadersShareOneCall(t *testing.T) {
	t.Parallel()
	for _, bucket := range []client.Bucket{client.BucketBilling, client.BucketConsole} {
		synctest.Test(t, func(t *testing.T) {
			api := newFakeAssignments()
			api.free = []client.Bucket{bucket}
			inv, held := New(api), api.hold()
			var wg sync.WaitGroup
			for range 50 {
				wg.Go(func() { api.wantAssignment(t, inv, idA, inState(idA)) })
			}
			synctest.Wait()
			close(held)
			wg.Wait()
			assert.Equal(t, 1, api.callCount(), "calls: %q", api.calls)
		})
	}
}

func TestAssignment_UntilAWrite(t *testing.T) {
	t.Parallel()
	for name, forget := range map[string]func(*Inventory){
		"write":        func(i *Inventory) { i.BeginWrite(idA)() },
		"member write": func(i *Inventory) { i.BeginMemberWrite(idA)() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				api := newFakeAssignments()
				inv, held := New(api), api.hold()
				var wg sync.WaitGroup
				wg.Go(func() { api.wantAssignment(t, inv, idA, inState(idA)) })
				synctest.Wait()
				forget(inv) // during the read
				close(held)
				wg.Wait()
				api.wantAssignment(t, inv, idA, inState(idA))
				api.wantCalls(t, "package A", "package A")
				forget(inv)
				api.wantAssignment(t, inv, idA, inState(idA))
				api.wantCalls(t, "package A")
			})
		})
	}
}
