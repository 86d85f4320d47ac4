package inventory

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// fakeCatalogue answers searches with one item, whose code the test sets.
type fakeCatalogue struct{ *fakeAPI }

func (f fakeCatalogue) SearchItems(ctx context.Context, k client.Kind, _ string) ([]client.Item, error) {
	codes, err := f.begin(ctx, "search "+k.String())
	if err != nil {
		return nil, err
	}
	return []client.Item{{ID: idA, Code: codes[0]}}, nil
}

func codeOf(t *testing.T, c *Catalogue, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return c.All()[0].Code
}

func TestCatalogueIsSharedUntilAWrite(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		api := fakeCatalogue{&fakeAPI{hosts: []string{"GOLD"}}}
		inv, held := New(api), api.hold()
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				if _, err := inv.Items(t.Context(), client.KindPackage); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		close(held)
		wg.Wait()
		c, err := inv.Items(t.Context(), client.KindPackage)
		if codeOf(t, c, err) != "GOLD" || api.made() != 1 {
			t.Errorf("calls: %q", api.calls)
		}
		if _, ok := c.ByCode("gold"); !ok {
			t.Error("a code is found without case")
		}
		if _, ok := c.ByID(idA); !ok {
			t.Error("an id is not found")
		}
		if _, err := inv.Items(t.Context(), client.KindAddon); err != nil || api.made() != 2 {
			t.Errorf("the kinds are not kept apart: %q, %v", api.calls, err)
		}
		done := inv.WritingItem(client.KindPackage)
		api.set(nil, "SILVER")
		done()
		known, err := inv.KnownItems(t.Context(), client.KindPackage)
		if codeOf(t, known, err) != "GOLD" || api.made() != 2 {
			t.Errorf("what was known costs a call: %q", api.calls)
		}
		c, err = inv.Items(t.Context(), client.KindPackage)
		if codeOf(t, c, err) != "SILVER" {
			t.Error("a write forgets nothing")
		}
		c, err = inv.Items(t.Context(), client.KindAddon)
		if codeOf(t, c, err) != "GOLD" {
			t.Error("a write forgets the other kind")
		}
	})
}

func TestKnownItemsAreTheNewest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		api := fakeCatalogue{&fakeAPI{hosts: []string{"OLD"}}}
		inv, held := New(api), api.hold()
		var wg sync.WaitGroup
		wg.Go(func() { _, _ = inv.Items(t.Context(), client.KindPackage) })
		synctest.Wait()
		inv.WritingItem(client.KindPackage)()
		api.set(nil, "NEW")
		if _, err := inv.KnownItems(t.Context(), client.KindPackage); err != nil {
			t.Fatal(err)
		}
		close(held) // the older answer arrives last
		wg.Wait()
		known, err := inv.KnownItems(t.Context(), client.KindPackage)
		if got := codeOf(t, known, err); got != "NEW" {
			t.Errorf("got %s", got)
		}
		api.set(errBroken)
		if _, err := inv.Items(t.Context(), client.KindAddon); !errors.Is(err, errBroken) {
			t.Errorf("got %v", err)
		}
	})
}
