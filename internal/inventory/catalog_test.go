package inventory

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// fakeCatalog returns one item, whose code the test sets.
type fakeCatalog struct{ *fakeAPI }

func (f fakeCatalog) SearchItems(ctx context.Context, k client.Kind, _ string) ([]client.Item, error) {
	codes, err := f.begin(ctx, "search "+k.String())
	if err != nil {
		return nil, err
	}
	return []client.Item{{ID: idA, Code: codes[0]}}, nil
}

func codeOf(t *testing.T, c *Catalog, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return c.All()[0].Code
}

func TestItems_SharedUntilWrite(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		api := fakeCatalog{&fakeAPI{hosts: []string{"GOLD"}}}
		inv, held := New(api), api.hold()
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				if _, err := inv.Items(t.Context(), client.KindPackage, Current); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		close(held)
		wg.Wait()
		c, err := inv.Items(t.Context(), client.KindPackage, Current)
		if codeOf(t, c, err) != "GOLD" || api.made() != 1 {
			t.Errorf("calls: %q", api.calls)
		}
		if _, ok := c.ByCode("gold"); !ok {
			t.Error("a code is found without case")
		}
		if _, ok := c.ByID(idA); !ok {
			t.Error("an id is not found")
		}
		if _, err := inv.Items(t.Context(), client.KindAddon, Current); err != nil || api.made() != 2 {
			t.Errorf("the kinds are not kept apart: %q, %v", api.calls, err)
		}
		done := inv.BeginItemWrite(client.KindPackage)
		api.set(nil, "SILVER")
		done()
		known, err := inv.Items(t.Context(), client.KindPackage, Cached)
		if codeOf(t, known, err) != "GOLD" || api.made() != 2 {
			t.Errorf("what was known costs a call: %q", api.calls)
		}
		c, err = inv.Items(t.Context(), client.KindPackage, Current)
		if codeOf(t, c, err) != "SILVER" {
			t.Error("a write invalidates nothing")
		}
		c, err = inv.Items(t.Context(), client.KindAddon, Current)
		if codeOf(t, c, err) != "GOLD" {
			t.Error("a write invalidates the other kind")
		}
	})
}

func TestItems_CachedIsNewest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		api := fakeCatalog{&fakeAPI{hosts: []string{"OLD"}}}
		inv, held := New(api), api.hold()
		var wg sync.WaitGroup
		wg.Go(func() { _, _ = inv.Items(t.Context(), client.KindPackage, Current) })
		synctest.Wait()
		inv.BeginItemWrite(client.KindPackage)()
		api.set(nil, "NEW")
		if _, err := inv.Items(t.Context(), client.KindPackage, Cached); err != nil {
			t.Fatal(err)
		}
		close(held) // the response to the older call arrives last
		wg.Wait()
		known, err := inv.Items(t.Context(), client.KindPackage, Cached)
		if got := codeOf(t, known, err); got != "NEW" {
			t.Errorf("got %s", got)
		}
		api.set(errBroken)
		if _, err := inv.Items(t.Context(), client.KindAddon, Current); !errors.Is(err, errBroken) {
			t.Errorf("got %v", err)
		}
	})
}

// fakeItems serves reads of one item.
type fakeItems struct {
	*fakeAPI

	err error // of an API without this read
}

func (f fakeItems) GetItem(ctx context.Context, k client.Kind, id string) (*client.Item, error) {
	names, err := f.begin(ctx, "get "+k.String()+" "+id)
	if err != nil {
		return nil, err
	}
	if f.err != nil {
		return nil, f.err
	}
	return &client.Item{ID: id, Name: names[0]}, nil
}

func notReadAlone(status int, code string) error {
	return fmt.Errorf("%w: %w", client.ErrNotReadAlone, &transport.Error{Status: status, Code: code})
}

func TestItem_SharedUntilAWrite(t *testing.T) {
	t.Parallel()
	api := fakeItems{fakeAPI: &fakeAPI{hosts: []string{"Gold"}}}
	inv := New(api)
	var wg sync.WaitGroup
	for range 50 {
		for _, id := range []string{idA, idB} {
			wg.Go(func() {
				if item, err := inv.Item(t.Context(), client.KindPackage, id); err != nil || item.ID != id {
					t.Errorf("got %+v, %v", item, err)
				}
			})
		}
	}
	wg.Wait()
	if api.made() != 2 {
		t.Errorf("calls: %q", api.calls)
	}
	inv.BeginItemWrite(client.KindPackage)()
	if _, err := inv.Item(t.Context(), client.KindPackage, idA); err != nil || api.made() != 3 {
		t.Errorf("a write keeps what was read: %q, %v", api.calls, err)
	}
}

func TestItem_NotReadAlone(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		err   error
		calls int
		fails bool
	}{
		"no endpoint":       {notReadAlone(404, client.CodeNotFound), 1, false},
		"another request":   {notReadAlone(400, client.CodeInvalidRequest), 1, false},
		"another method":    {notReadAlone(405, ""), 1, false},
		"none of this item": {notReadAlone(400, "PACKAGE_NOT_FOUND"), 20, false},
		"a failure":         {&transport.Error{Status: 500, Code: client.CodeInternal}, 20, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := fakeItems{fakeAPI: &fakeAPI{hosts: []string{"Gold"}}, err: tc.err}
			inv := New(api)
			var wg sync.WaitGroup
			for i := range 20 {
				wg.Go(func() {
					item, err := inv.Item(t.Context(), client.KindAddon, fmt.Sprintf("%032x", i))
					if item != nil || (err != nil) != tc.fails {
						t.Errorf("got %+v, %v", item, err)
					}
				})
			}
			wg.Wait()
			if api.made() != tc.calls {
				t.Errorf("%d calls, want %d", api.made(), tc.calls)
			}
		})
	}
}

// A reader whose context is canceled does not wait for the reader that tests the endpoint.
func TestItem_Canceled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		api := fakeItems{fakeAPI: &fakeAPI{hosts: []string{"Gold"}}}
		inv, held := New(api), api.hold()
		var wg sync.WaitGroup
		wg.Go(func() { _, _ = inv.Item(t.Context(), client.KindPackage, idA) })
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := inv.Item(ctx, client.KindPackage, idB); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		close(held)
		wg.Wait()
	})
}

func TestCatalog_ItemsWithoutCode(t *testing.T) {
	t.Parallel()
	if _, ok := newCatalog([]client.Item{{ID: idA}}).ByCode(""); ok {
		t.Error("an item is found by no code")
	}
}
