package inventory

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// newFakeAssignments returns the same assignment from both calls, and prefers the billing limit.
func newFakeAssignments() *fakeAPI {
	return &fakeAPI{
		hosts:  []string{"a.example", "b.example"},
		detail: func(id string) (*client.Assignment, error) { return assignmentOf(id, 1), nil },
		pkg:    func(id string) (*client.Assignment, error) { return assignmentOf(id, 1), nil },
		free:   []client.Bucket{client.BucketBilling, client.BucketConsole},
	}
}

// assignmentOf returns the assignment of a private label with the given number of add-ons.
func assignmentOf(id string, addons int) *client.Assignment {
	a := &client.Assignment{ID: "as-" + id, PackageID: "gold", PackageCode: "GOLD", Addons: []client.AttachedAddon{}}
	for n := range addons {
		a.Addons = append(a.Addons, client.AttachedAddon{SubscriptionAddonID: fmt.Sprintf("sub-%d-%s", n, id), AddonID: "addon", Code: "SEATS", Quantity: 1})
	}
	return a
}

// wantCalls asserts the calls since its last use, and that no reserved place is left.
func (f *fakeAPI) wantCalls(t *testing.T, want ...string) {
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

func (f *fakeAPI) wantAssignment(t *testing.T, inv *Inventory, id string, known Known) {
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
		inv := New(api)
		var joined sync.WaitGroup
		api.share(1, func() {
			_, err := inv.Label(t.Context(), idA, Current)
			assert.NoError(t, err)
		}, func() {
			joined.Go(func() { api.wantAssignment(t, inv, idA, inState(idA)) })
			synctest.Wait()
		})
		joined.Wait()
		api.wantAssignment(t, inv, idA, inState(idA))
		api.wantCalls(t, "detail A")
	})
}

// A detail that began during the wait for a place is used, and the place is released.
func TestAssignment_ReleasesThePlace(t *testing.T) {
	t.Parallel()
	api := newFakeAssignments()
	inv := New(api)
	api.queue = func() {
		_, err := inv.Label(t.Context(), idA, Current)
		assert.NoError(t, err)
	}
	api.wantAssignment(t, inv, idA, inState(idA))
	api.wantCalls(t, "detail A")
}

// A place that the package read no longer needs is free before the detail waits for its own.
func TestAssignment_ReleasesBeforeTheDetail(t *testing.T) {
	t.Parallel()
	api := newFakeAssignments()
	inv := New(api)
	api.queue = func() { inv.packageReads.learn(packageReadsFail) }
	api.detail = func(id string) (*client.Assignment, error) {
		assert.Equal(t, 0, api.reserved, "places are still reserved")
		return assignmentOf(id, 1), nil
	}
	api.wantAssignment(t, inv, idA, inState(idA))
	api.wantCalls(t, "detail A")
}

func TestAssignment_ReadersShareOneCall(t *testing.T) {
	t.Parallel()
	for _, bucket := range []client.Bucket{client.BucketBilling, client.BucketConsole} {
		synctest.Test(t, func(t *testing.T) {
			api := newFakeAssignments()
			api.free = []client.Bucket{bucket}
			inv := New(api)
			api.share(50, func() { api.wantAssignment(t, inv, idA, inState(idA)) })
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
				inv := New(api)
				api.share(1, func() { api.wantAssignment(t, inv, idA, inState(idA)) }, func() { forget(inv) })
				api.wantAssignment(t, inv, idA, inState(idA))
				api.wantCalls(t, "package A", "package A")
				forget(inv)
				api.wantAssignment(t, inv, idA, inState(idA))
				api.wantCalls(t, "package A")
			})
		})
	}
}
