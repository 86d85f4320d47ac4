package inventory

import (
	"context"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/walk"
)

// walker reads the labels in the name of objects, and counts the calls.
type walker struct {
	t       *testing.T
	api     *fakeAPI
	inv     *Inventory
	process *walk.Process
}

func newWalker(t *testing.T) walker {
	t.Helper()
	api := &fakeAPI{hosts: []string{"a.example"}}
	return walker{t, api, New(api), &walk.Process{}}
}

// reads makes one request for each object, and wants a number of calls.
func (w walker) reads(calls int, phase walk.Phase, freshness Freshness, objects ...string) {
	w.t.Helper()
	before := w.api.callCount()
	for _, object := range objects {
		request := w.inv.ReadIn(w.process.Number(walk.Request{Phase: phase, Object: object}))
		for range 2 { // one request may read the list several times
			_, err := request.Labels(w.t.Context(), freshness)
			require.NoError(w.t, err)
		}
	}
	assert.Equal(w.t, calls, w.api.callCount()-before)
}

// The walks of one process each: a plan reads and plans each object, an apply plans it again and applies it.
func TestReadIn_OneWalk(t *testing.T) {
	t.Parallel()
	w := newWalker(t)
	w.reads(1, walk.Refresh, Current, "a", "b", "c")
	w.reads(0, walk.Plan, Current, "a", "b")
	w.reads(0, walk.Plan, Cached, "new d", "new e")
	w = newWalker(t)
	w.reads(1, walk.Plan, Cached, "a", "b", "new d")
	w.reads(0, walk.Apply, Cached, "a", "b", "new d")
}

// In a process with many walks, all objects share one new list in each of them.
func TestReadIn_ManyWalks(t *testing.T) {
	t.Parallel()
	w := newWalker(t)
	for range 3 {
		w.reads(1, walk.Refresh, Current, "a", "b", "c")
		w.reads(0, walk.Plan, Current, "a", "b")
	}
	w.reads(1, walk.Apply, Cached, "a", "b") // of what was refreshed
	w.reads(1, walk.Refresh, Current, "c")   // after an apply
	w.reads(0, walk.Refresh, Current, "b", "a")
	w.reads(0, walk.Plan, Current, "b", "c", "a")
	w.reads(1, walk.Plan, Current, "a", "b", "c") // without a refresh
	w.reads(1, walk.Refresh, Current, "a", "b", "c")
}

// A write of this run, and a request that names no object, do not make a list older.
func TestReadIn_Unnamed(t *testing.T) {
	t.Parallel()
	w := newWalker(t)
	w.reads(1, walk.Plan, Cached, "new a")
	for range 3 {
		_, err := w.inv.Labels(t.Context(), Current)
		require.NoError(t, err)
	}
	w.inv.BeginWrite()()
	w.reads(0, walk.Plan, Cached, "new b")
	w.reads(1, walk.Apply, Current, "new a", "new b")
}

// Objects that are read again concurrently share one call.
func TestReadIn_Concurrent(t *testing.T) {
	t.Parallel()
	const objects, walks = 50, 20
	w := newWalker(t)
	for range walks {
		var all sync.WaitGroup
		for n := range objects {
			all.Go(func() {
				_, err := w.inv.ReadIn(w.process.Number(walk.Request{Phase: walk.Refresh, Object: strconv.Itoa(n)})).Labels(t.Context(), Current)
				assert.NoError(t, err)
			})
		}
		all.Wait()
	}
	assert.Equal(t, walks, w.api.callCount(), "calls")
}

// Every list that an object is read from is read again.
func TestReadIn_EveryList(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]func(context.Context, *Inventory) error{
		"detail":  func(ctx context.Context, i *Inventory) error { _, err := i.Label(ctx, idA, Current); return err },
		"members": func(ctx context.Context, i *Inventory) error { _, err := i.Members(ctx, idA, Current); return err },
		"items": func(ctx context.Context, i *Inventory) error {
			_, err := i.Items(ctx, client.KindPackage, Current)
			return err
		},
		"absence": func(ctx context.Context, i *Inventory) error {
			_, err := listed{inList: func(*Snapshot) bool { return false }}.proof(ctx, i, "partner.example", nil)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := &fakeAPI{hosts: []string{"a.example"}}
			inv := New(api)
			for n := 1; n <= 3; n++ {
				require.NoError(t, read(t.Context(), inv.ReadIn(n)))
				assert.Equal(t, n, api.callCount(), "calls in walk")
			}
		})
	}
	t.Run("assignment", func(t *testing.T) {
		t.Parallel()
		api := newFakeAssignments()
		inv := New(api)
		for n := range 2 {
			_, err := inv.ReadIn(n+1).Assignment(t.Context(), idA, inState(idA))
			require.NoError(t, err)
		}
		api.wantCalls(t, "package A", "package A")
	})
}
