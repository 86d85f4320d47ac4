package inventory

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// catalog caches the items of one kind.
type catalog struct {
	api   API
	kind  client.Kind
	list  *cache[*Catalog]
	whole *cache[*client.Item] // items read one at a time, by ID; nil when the API does not support it
	found *awaited[*Catalog]
	reads *probe // of one item

	mu   sync.Mutex
	made []client.Item // by this run
}

// What is known about reading one item.
const (
	itemReadsWork int32 = iota + 1
	itemReadsFail
)

func newItems(api API, k client.Kind) *catalog {
	c := &catalog{api: api, kind: k, found: newAwaited[*Catalog](api, newUnshown()), reads: newProbe()}
	c.list = newCache(c.searchCompleted)
	c.whole = newCache(c.read)
	return c
}

func (c *catalog) search(ctx context.Context, query string) (*Catalog, error) {
	items, err := c.api.SearchItems(ctx, c.kind, query)
	return newCatalog(items), err
}

// searchCompleted waits for what this run has created.
func (c *catalog) searchCompleted(ctx context.Context, query string) (*Catalog, error) {
	found, err := c.found.reading(c.search)(ctx, query)
	return c.completed(found), err
}

func (c *catalog) read(ctx context.Context, id string) (*client.Item, error) {
	end := c.reads.begin()
	defer end()
	if c.reads.known.Load() == itemReadsFail {
		return nil, nil //nolint:nilnil // the caller uses the row of the search
	}
	item, err := c.api.GetItem(ctx, c.kind, id)
	switch {
	case err != nil && !errors.Is(err, client.ErrNotReadAlone):
		return nil, err
	case client.NoSuchEndpoint(err), transport.IsCode(err, client.CodeInvalidRequest):
		c.reads.learn(itemReadsFail) // it does not exist or rejects the request, and does so for all items
	default:
		c.reads.learn(itemReadsWork)
	}
	return item, nil
}

// completed adds to a search what this run has created and the search lacks: the API deletes no item.
func (c *catalog) completed(found *Catalog) *Catalog {
	c.mu.Lock()
	defer c.mu.Unlock()
	rows := slices.Clone(found.list)
	for _, item := range c.made {
		if found.byID[item.ID] == nil {
			rows = append(rows, item)
		}
	}
	if len(rows) == len(found.list) {
		return found
	}
	return newCatalog(rows)
}

// Items returns the whole catalog of a kind.
func (i *Inventory) Items(ctx context.Context, k client.Kind, freshness Freshness) (*Catalog, error) {
	return i.catalogs[k].list.get(ctx, i.walk, "", freshness)
}

// Item returns one item as its own endpoint shows it, with the fields that a search omits; nil when the API does not
// support that read.
func (i *Inventory) Item(ctx context.Context, k client.Kind, id string, freshness Freshness) (*client.Item, error) {
	return i.catalogs[k].whole.get(ctx, i.walk, id, freshness)
}

// CatalogWith returns the whole catalog with an item that a search does not find and that has an endpoint of its own. Without
// an ID, it is the catalog alone.
func (i *Inventory) CatalogWith(ctx context.Context, k client.Kind, id string, freshness Freshness) (*Catalog, error) {
	all, err := i.Items(ctx, k, freshness)
	if err != nil || id == "" || all.byID[id] != nil {
		return all, err
	}
	item, err := i.Item(ctx, k, id, max(freshness, Current))
	if err != nil || item == nil {
		return all, err
	}
	return newCatalog(append(slices.Clone(all.list), *item)), nil
}

// FindItem returns an item by its ID, nil for none. A search may hide items that are inactive, or miss one: then the item's
// own endpoint decides.
func (i *Inventory) FindItem(ctx context.Context, k client.Kind, id string, freshness Freshness) (*client.Item, error) {
	all, err := i.CatalogWith(ctx, k, id, freshness)
	if err != nil {
		return nil, err
	}
	return all.byID[id], nil
}

// RecordItem adds an item that this run created or changed to the cached catalog. So creating many items does not cost
// one search each.
func (i *Inventory) RecordItem(k client.Kind, item client.Item) {
	c := i.catalogs[k]
	c.mu.Lock()
	if at := slices.IndexFunc(c.made, func(made client.Item) bool { return made.ID == item.ID }); at >= 0 {
		c.made[at] = item
	}
	c.mu.Unlock()
	c.list.amend("", func(last *Catalog) *Catalog { return newCatalog(append(last.without(item.ID), item)) })
}

// RecordCreatedItem is RecordItem for an item that this run created. A search that lacks it is made again.
func (i *Inventory) RecordCreatedItem(k client.Kind, item client.Item) {
	c := i.catalogs[k]
	c.mu.Lock()
	c.made = append(c.made, item)
	c.mu.Unlock()
	c.found.expect("", object{k.String(), item.ID}, func(found *Catalog, err error) bool { return err == nil && found.byID[item.ID] != nil })
	i.RecordItem(k, item)
}

// BeginItemWrite is called before a call that changes an item, and the returned function after it; see BeginWrite.
func (i *Inventory) BeginItemWrite(k client.Kind) (done func()) {
	c := i.catalogs[k]
	return invalidating(func() {
		c.list.invalidate()
		c.whole.invalidate()
	})
}
