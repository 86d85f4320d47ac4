package inventory

import (
	"testing"
	"testing/synctest"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

func TestLabels_FreshUpdatesCache(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{}
	inv := New(api)
	api.set(nil, "old.example")
	if s, err := inv.Labels(t.Context(), Current); hostOf(t, s, err) != "old.example" {
		t.Error("not the list as it was")
	}
	api.set(nil, "new.example")
	if s, err := inv.Labels(t.Context(), Fresh); hostOf(t, s, err) != "new.example" {
		t.Error("not read again")
	}
	s, err := inv.Labels(t.Context(), Current)
	if hostOf(t, s, err) != "new.example" || api.made() != 2 {
		t.Errorf("the fresh list is not shared: %d calls", api.made())
	}
}

// A fresh read does not join a call in flight, whose response may be older.
func TestLabels_FreshDoesNotJoinCallInFlight(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		api := &fakeAPI{}
		inv := New(api)
		api.set(nil, "old.example")
		held := api.hold()
		done := make(chan struct{})
		go func() {
			defer close(done)
			if s, err := inv.Labels(t.Context(), Current); hostOf(t, s, err) != "old.example" {
				t.Error("not the list as it was")
			}
		}()
		synctest.Wait()
		api.set(nil, "new.example")
		if s, err := inv.Labels(t.Context(), Fresh); hostOf(t, s, err) != "new.example" {
			t.Error("not read again")
		}
		close(held)
		<-done
		if s, err := inv.Labels(t.Context(), Current); hostOf(t, s, err) != "new.example" || api.made() != 2 {
			t.Errorf("the late list replaced the fresh one, or %d calls were made", api.made())
		}
	})
}

// A write to one private label does not invalidate the detail of another one in flight.
func TestBeginWrite_KeepsOtherDetails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		api := &fakeAPI{}
		inv := New(api)
		api.set(nil, "a.example")
		held := api.hold()
		done := make(chan struct{})
		go func() {
			defer close(done)
			if _, err := inv.Label(t.Context(), idA, Current); err != nil {
				t.Error(err)
			}
		}()
		synctest.Wait()
		inv.BeginWrite(idB)()
		close(held)
		<-done
		if _, err := inv.Label(t.Context(), idA, Current); err != nil || api.made() != 1 {
			t.Errorf("%d calls, %v", api.made(), err)
		}
	})
}

func TestItems_FreshReadsAgain(t *testing.T) {
	t.Parallel()
	api := fakeCatalog{&fakeAPI{hosts: []string{"OLD"}}}
	inv := New(api)
	if c, err := inv.Items(t.Context(), client.KindPackage, Current); codeOf(t, c, err) != "OLD" {
		t.Error("not the catalog as it was")
	}
	api.set(nil, "NEW")
	if c, err := inv.Items(t.Context(), client.KindPackage, Fresh); codeOf(t, c, err) != "NEW" {
		t.Error("not read again")
	}
	if c, err := inv.Items(t.Context(), client.KindPackage, Current); codeOf(t, c, err) != "NEW" || api.made() != 2 {
		t.Errorf("the new catalog is not shared: %q", api.calls)
	}
}
