package inventory

import (
	"context"
	"errors"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// catalog caches the items of one kind.
type catalog struct {
	list  *cache[*Catalog]
	whole *cache[*client.Item] // items read one at a time, by ID; nil when the API does not support it
}

// What is known about reading one item.
const (
	itemReadsWork int32 = iota + 1
	itemReadsFail
)

func newItems(api API, k client.Kind) *catalog {
	search := func(ctx context.Context, query string) (*Catalog, error) {
		items, err := api.SearchItems(ctx, k, query)
		if err != nil {
			return nil, err
		}
		return newCatalog(items), nil
	}
	itemReads := newProbe()
	read := func(ctx context.Context, id string) (*client.Item, error) {
		end := itemReads.begin()
		defer end()
		if itemReads.known.Load() == itemReadsFail {
			return nil, nil //nolint:nilnil // the caller uses the row of the search
		}
		item, err := api.GetItem(ctx, k, id)
		switch {
		case err != nil && !errors.Is(err, client.ErrNotReadAlone):
			return nil, err
		case client.NoSuchEndpoint(err), transport.IsCode(err, client.CodeInvalidRequest):
			itemReads.learn(itemReadsFail) // it does not exist or rejects the request, and does so for all items
		default:
			itemReads.learn(itemReadsWork)
		}
		return item, nil
	}
	return &catalog{newCache(atOnce(search)), newCache(atOnce(read))}
}

// Items returns the whole catalog of a kind.
func (i *Inventory) Items(ctx context.Context, k client.Kind, age Age) (*Catalog, error) {
	return i.catalogs[k].list.get(ctx, i.by, "", age)
}

// Item returns one item as its own endpoint shows it, with the fields that a search omits; nil when the API does not
// support that read.
func (i *Inventory) Item(ctx context.Context, k client.Kind, id string) (*client.Item, error) {
	return i.catalogs[k].whole.get(ctx, i.by, id, Current)
}

// RecordItem adds an item that this run created or changed to the cached catalog. So creating many items does not cost
// one search each.
func (i *Inventory) RecordItem(k client.Kind, item client.Item) {
	i.catalogs[k].list.amend("", func(last *Catalog) *Catalog { return newCatalog(append(last.without(item.ID), item)) })
}

// BeginItemWrite is called before a call that changes an item, and the returned function after it; see BeginWrite.
func (i *Inventory) BeginItemWrite(k client.Kind) (done func()) {
	c := i.catalogs[k]
	return invalidating(func() {
		c.list.invalidate()
		c.whole.invalidate()
	})
}
