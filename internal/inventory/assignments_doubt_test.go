package inventory

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// A doubtful package read is not used: the detail decides, and package reads end.
func TestAssignment_DetailDecides(t *testing.T) {
	t.Parallel()
	always := func(a *client.Assignment, err error) func(string) (*client.Assignment, error) {
		return func(string) (*client.Assignment, error) { return a, err }
	}
	other := assignmentOf(idA, 1)
	other.PackageID = "silver"
	for name, pkg := range map[string]func(id string) (*client.Assignment, error){
		"no endpoint":    always(nil, &transport.Error{Status: 404, Code: client.CodeNotFound}),
		"HTTP 500":       always(nil, &transport.Error{Status: 500}),
		"incomplete":     always(nil, transport.Unreadable("read", 200, "the response has no addons")),
		"no response":    always(nil, errBroken),
		"forbidden":      always(nil, &transport.Error{Status: 403, Code: client.CodeForbidden}),
		"none":           always(nil, nil),
		"empty add-ons":  func(id string) (*client.Assignment, error) { return assignmentOf(id, 0), nil },
		"another label":  always(assignmentOf("other", 1), nil),
		"not as listed":  always(other, nil),
		"always label A": always(assignmentOf(idA, 1), nil),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newFakeAssignments()
			api.pkg, api.free = pkg, []client.Bucket{client.BucketBilling}
			inv := New(api)
			api.wantAssignment(t, inv, idA, inState(idA))
			api.wantAssignment(t, inv, idB, inState(idB))
			api.calls = nil
			inv.BeginWrite(idA)()
			api.wantAssignment(t, inv, idA, inState(idA))
			api.wantCalls(t, "detail A")
		})
	}
}

// Drift that the detail confirms does not end package reads.
func TestAssignment_Drift(t *testing.T) {
	t.Parallel()
	api := newFakeAssignments()
	two := func(id string) (*client.Assignment, error) { return assignmentOf(id, 2), nil }
	api.pkg, api.detail = two, two
	inv := New(api)
	api.wantAssignment(t, inv, idA, inState(idA))
	api.wantCalls(t, "package A", "detail A")
	api.pkg, api.detail = newFakeAssignments().pkg, newFakeAssignments().detail
	api.wantAssignment(t, inv, idB, inState(idB))
	api.wantCalls(t, "package B")
}

// What another reader's package read has shown is no answer to who knows something else: the detail decides, and package
// reads end.
func TestAssignment_KnownOtherwise(t *testing.T) {
	t.Parallel()
	api := newFakeAssignments()
	inv := New(api)
	api.wantAssignment(t, inv, idA, inState(idA))
	api.detail = func(id string) (*client.Assignment, error) { return assignmentOf(id, 2), nil }
	api.wantAssignment(t, inv, idA, Known{Addons: true, Agrees: func(a *client.Assignment) bool { return len(a.Addons) == 2 }})
	api.wantAssignment(t, inv, idB, inState(idB))
	api.wantCalls(t, "package A", "detail A", "detail B")
}

// An error of both calls shows nothing about package reads.
func TestAssignment_BothRejected(t *testing.T) {
	t.Parallel()
	forbidden := &transport.Error{Status: 403, Code: client.CodeForbidden}
	rejected := func(string) (*client.Assignment, error) { return nil, forbidden }
	api := newFakeAssignments()
	good := api.pkg
	api.pkg, api.detail = rejected, rejected
	inv := New(api)
	api.wantAssignment(t, inv, idA, inState(idA))
	api.pkg, api.detail = good, good
	api.wantAssignment(t, inv, idA, inState(idA))
	api.wantCalls(t, "package A", "detail A", "list ", "package A") // the list shows whether it is suspended
	api.free = []client.Bucket{}
	_, err := inv.Assignment(t.Context(), idB, inState(idB))
	assert.ErrorIs(t, err, errBroken, "a limit that stays closed")
}

// An empty list of add-ons is believed by who knows better, or after a package read has shown an add-on.
func TestAssignment_EmptyAddons(t *testing.T) {
	t.Parallel()
	empty := func(id string) (*client.Assignment, error) { return assignmentOf(id, 0), nil }
	for name, tc := range map[string]struct {
		seen  bool
		known func(id string) Known
		calls string
	}{
		"never an add-on":        {false, withoutAddons, "detail B"},
		"an add-on was seen":     {true, withoutAddons, "package B"},
		"written without add-on": {false, written, "package B"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newFakeAssignments()
			inv := New(api)
			if tc.seen {
				api.wantAssignment(t, inv, idA, inState(idA))
				api.wantCalls(t, "package A")
			}
			api.pkg, api.detail = empty, empty
			api.wantAssignment(t, inv, idB, tc.known(idB))
			api.wantCalls(t, tc.calls)
		})
	}
}

// Concurrent readers share one package read that fails permanently.
func TestAssignment_OneProbe(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		fail          error
		packages, all int
	}{
		"works":        {nil, 20, 20},
		"fails always": {&transport.Error{Status: 500}, 1, 21},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				api := newFakeAssignments()
				inv := New(api)
				if tc.fail != nil {
					api.pkg = func(string) (*client.Assignment, error) { return nil, tc.fail }
				}
				held := make([]chan struct{}, 21)
				for n := range held {
					held[n] = api.hold()
				}
				var wg sync.WaitGroup
				for n := range 20 {
					id := fmt.Sprintf("%032x", n)
					wg.Go(func() { api.wantAssignment(t, inv, id, inState(id)) })
				}
				synctest.Wait()
				assert.Equal(t, 1, api.callCount(), "calls before the first response")
				close(held[0])
				synctest.Wait()
				if tc.fail != nil {
					close(held[1]) // the first detail
					synctest.Wait()
				}
				assert.Equal(t, tc.all, api.callCount(), "calls at once after it")
				for _, h := range held[1:] {
					select {
					case <-h:
					default:
						close(h)
					}
				}
				wg.Wait()
				packages := 0
				for _, call := range api.calls {
					if strings.HasPrefix(call, "package ") {
						packages++
					}
				}
				assert.Equal(t, tc.packages, packages, "package reads of %d calls", api.callCount())
				assert.Equal(t, tc.all, api.callCount(), "%d package reads of calls", packages)
			})
		})
	}
}
