package inventory

import (
	"errors"
	"testing"
	"testing/synctest"
)

// Twenty-five members of a label are read with one call.
func TestMembers_OneCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		api := &fakeAPI{hosts: []string{"Ada@acme.example", "bob@acme.example"}}
		inv := New(api)
		held := api.hold()
		for range 25 {
			go func() {
				members, err := inv.Members(t.Context(), idA)
				if err != nil {
					t.Error(err)
					return
				}
				if m, ok := members.ByEmail("ada@ACME.example"); !ok || m.ID != idA {
					t.Errorf("by e-mail: %v", m)
				}
				if m, ok := members.ByID(idB); !ok || m.Email != "bob@acme.example" || len(members.All()) != 2 {
					t.Errorf("by id: %v", m)
				}
			}()
		}
		synctest.Wait()
		close(held)
		synctest.Wait()
		if api.made() != 1 {
			t.Errorf("%d calls, want one", api.made())
		}
	})
}

// What was read before a write, or while it was under way, is not kept.
func TestMembers_Forgotten(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{hosts: []string{"ada@acme.example"}}
	inv := New(api)
	read := func(want int) {
		t.Helper()
		members, err := inv.Members(t.Context(), idA)
		if err != nil || len(members.All()) != want {
			t.Fatalf("%v, error %v, want %d members", members, err, want)
		}
	}
	read(1)
	done := inv.WritingMembers(idA)
	read(1)
	api.set(nil, "ada@acme.example", "bob@acme.example")
	done()
	read(2)
	if _, err := inv.Members(t.Context(), idB); err != nil {
		t.Fatal(err)
	}
	made := api.made()
	inv.WritingMembers(idA)()
	api.set(errBroken)
	if _, err := inv.Members(t.Context(), idB); err != nil || api.made() != made {
		t.Errorf("another label's members were forgotten: %v", err)
	}
	if _, err := inv.Members(t.Context(), idA); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
}
