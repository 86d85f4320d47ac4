package inventory

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Catalog is all packages or all add-ons of the reseller (§4.21), indexed. It
// is shared: nothing in it may be changed.
type Catalog struct {
	items  []client.Item
	byID   map[string]*client.Item
	byCode map[string]*client.Item
}

func newCatalog(items []client.Item) *Catalog {
	c := &Catalog{items: items, byID: make(map[string]*client.Item, len(items)), byCode: make(map[string]*client.Item, len(items))}
	for i := range items {
		c.byID[items[i].ID] = &items[i]
		if items[i].Code != "" {
			c.byCode[strings.ToUpper(items[i].Code)] = &items[i]
		}
	}
	return c
}

// All items in the API's order.
func (c *Catalog) All() []client.Item { return c.items }

// ByID finds an item by its id.
func (c *Catalog) ByID(id string) (*client.Item, bool) {
	item, ok := c.byID[id]
	return item, ok
}

// ByCode finds an item by its code, without case (§2.1).
func (c *Catalog) ByCode(code string) (*client.Item, bool) {
	item, ok := c.byCode[strings.ToUpper(code)]
	return item, ok
}

// catalogCache caches the items of one kind, with the newest response kept past writes.
type catalogCache struct {
	list cache[*Catalog]
	last newest[*Catalog]

	whole cache[*client.Item] // items that were read by themselves, by id; nil where that cannot be
	probe chan struct{}       // the reader that finds out whether it can be
	found bool                // it found out
	alone bool                // an item can be read by itself
}

func (i *Inventory) kind(k client.Kind) *catalogCache {
	if k == client.KindAddon {
		return &i.addons
	}
	return &i.packages
}

func (i *Inventory) searchAll(k client.Kind) func(context.Context, string) (*Catalog, error) {
	return func(ctx context.Context, query string) (*Catalog, error) {
		kind := i.kind(k)
		i.mu.Lock()
		no := kind.last.begin()
		i.mu.Unlock()
		items, err := i.api.SearchItems(ctx, k, query)
		if err != nil {
			return nil, err
		}
		c := newCatalog(items)
		i.mu.Lock()
		defer i.mu.Unlock()
		kind.last.store(no, c)
		return c, nil
	}
}

// Items is the whole catalog of a kind: one search for all who ask, until a
// write.
func (i *Inventory) Items(ctx context.Context, k client.Kind) (*Catalog, error) {
	return i.kind(k).list.get(ctx, "")
}

// RefreshItems is the whole catalog of a kind read after the call began: for what another user may just have changed.
func (i *Inventory) RefreshItems(ctx context.Context, k client.Kind) (*Catalog, error) {
	i.kind(k).list.invalidate()
	return i.Items(ctx, k)
}

// CachedItems is the newest catalog of this run together with the items that this
// run created, which costs no search for each of many items that are created.
func (i *Inventory) CachedItems(ctx context.Context, k client.Kind) (*Catalog, error) {
	if known := i.known(k); known != nil {
		return known, nil
	}
	c, err := i.Items(ctx, k)
	if err != nil {
		return nil, err
	}
	if known := i.known(k); known != nil {
		return known, nil // a newer one
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.withOwn(k, c), nil
}

// known returns nil before the first search.
func (i *Inventory) known(k client.Kind) *Catalog {
	i.mu.Lock()
	defer i.mu.Unlock()
	last := i.kind(k).last.value
	if last == nil {
		return nil
	}
	return i.withOwn(k, last)
}

// Item is an item as the API returns it by itself, for what a search does not show
// of it; nil where it cannot be read so. All who ask share one call until a write.
func (i *Inventory) Item(ctx context.Context, k client.Kind, id string) (*client.Item, error) {
	kind := i.kind(k)
	if _, found := i.readsAlone(kind); !found {
		// One reader finds out, before all items of the reseller are asked for in vain.
		select {
		case kind.probe <- struct{}{}:
			defer func() { <-kind.probe }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if alone, found := i.readsAlone(kind); found && !alone {
		return nil, nil //nolint:nilnil // the caller goes on with the row that it has
	}
	return kind.whole.get(ctx, id)
}

func (i *Inventory) readsAlone(kind *catalogCache) (alone, found bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return kind.alone, kind.found
}

// readAlone keeps that an item cannot be read by itself. Where the endpoint itself
// is not there, or does not take the request, that is so for all items.
func (i *Inventory) readAlone(k client.Kind) func(context.Context, string) (*client.Item, error) {
	return func(ctx context.Context, id string) (*client.Item, error) {
		item, err := i.api.GetItem(ctx, k, id)
		if err != nil && !errors.Is(err, client.ErrNotReadAlone) {
			return nil, err
		}
		i.mu.Lock()
		defer i.mu.Unlock()
		kind := i.kind(k)
		kind.found = true
		kind.alone = !transport.IsCode(err, client.CodeNotFound, client.CodeInvalidRequest) && !transport.IsStatus(err, http.StatusMethodNotAllowed)
		return item, nil
	}
}

// BeginItemWrite is called before a call that changes an item, and what it returns
// after it; see Writing.
func (i *Inventory) BeginItemWrite(k client.Kind) (done func()) {
	forget := func() {
		i.kind(k).list.invalidate()
		i.kind(k).whole.invalidate()
	}
	forget()
	return forget
}
