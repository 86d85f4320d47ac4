package inventory

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Catalog is an index of all packages or all add-ons of the reseller (Reseller API §4.21). It is shared and immutable.
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

// All returns all items in the API's order.
func (c *Catalog) All() []client.Item { return c.items }

// ByID returns the item with an ID.
func (c *Catalog) ByID(id string) (*client.Item, bool) {
	item, ok := c.byID[id]
	return item, ok
}

// ByCode returns the item with a code; case is ignored (§2.1).
func (c *Catalog) ByCode(code string) (*client.Item, bool) {
	item, ok := c.byCode[strings.ToUpper(code)]
	return item, ok
}

// catalogCache caches the items of one kind, and keeps the newest response past writes.
type catalogCache struct {
	list cache[*Catalog]
	last newest[*Catalog]

	whole cache[*client.Item] // items read one at a time, by ID; nil when the API does not support it
	probe chan struct{}       // held by the reader that tests whether the API supports it
	found bool                // the test is complete
	alone bool                // the API supports it
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

// Items returns the whole catalog of a kind. Its readers share one search until a write.
func (i *Inventory) Items(ctx context.Context, k client.Kind) (*Catalog, error) {
	return i.kind(k).list.get(ctx, "")
}

// RefreshItems returns the catalog of a kind as read after this call began, which includes changes by other users.
func (i *Inventory) RefreshItems(ctx context.Context, k client.Kind) (*Catalog, error) {
	i.kind(k).list.invalidate()
	return i.Items(ctx, k)
}

// CachedItems returns the newest catalog of this run together with the items that this run created. So creating many
// items does not cost one search each.
func (i *Inventory) CachedItems(ctx context.Context, k client.Kind) (*Catalog, error) {
	if known := i.known(k); known != nil {
		return known, nil
	}
	c, err := i.Items(ctx, k)
	if err != nil {
		return nil, err
	}
	if known := i.known(k); known != nil {
		return known, nil // stored by a later call
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.withOwn(k, c), nil
}

// ItemsOf returns the catalog of a kind, not older than age.
func (i *Inventory) ItemsOf(ctx context.Context, k client.Kind, age Age) (*Catalog, error) {
	switch age {
	case Cached:
		return i.CachedItems(ctx, k)
	case Fresh:
		return i.RefreshItems(ctx, k)
	default:
		return i.Items(ctx, k)
	}
}

// known returns the newest catalog, nil before the first search.
func (i *Inventory) known(k client.Kind) *Catalog {
	i.mu.Lock()
	defer i.mu.Unlock()
	last := i.kind(k).last.value
	if last == nil {
		return nil
	}
	return i.withOwn(k, last)
}

// Item returns one item as its own endpoint shows it, with the fields that a search omits; nil when the API does not
// support that read. Its readers share one call until a write.
func (i *Inventory) Item(ctx context.Context, k client.Kind, id string) (*client.Item, error) {
	kind := i.kind(k)
	if _, found := i.readsAlone(kind); !found {
		// One reader tests the endpoint first, so that an unsupported read costs one call and not one for each item.
		select {
		case kind.probe <- struct{}{}:
			defer func() { <-kind.probe }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if alone, found := i.readsAlone(kind); found && !alone {
		return nil, nil //nolint:nilnil // the caller uses the row of the search
	}
	return kind.whole.get(ctx, id)
}

func (i *Inventory) readsAlone(kind *catalogCache) (alone, found bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return kind.alone, kind.found
}

// readAlone returns the API call of Item. It records that the endpoint does not exist or rejects the request, which
// then holds for all items.
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

// BeginItemWrite is called before a call that changes an item, and the returned function after it; see BeginWrite.
func (i *Inventory) BeginItemWrite(k client.Kind) (done func()) {
	forget := func() {
		i.kind(k).list.invalidate()
		i.kind(k).whole.invalidate()
	}
	forget()
	return forget
}
