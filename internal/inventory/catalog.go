package inventory

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// catalog caches the items of one kind.
type catalog struct {
	list  *cache[*Catalog]
	whole *cache[*client.Item] // items read one at a time, by ID; nil when the API does not support it

	trial chan struct{} // held by the reader that tests whether the API supports it
	alone atomic.Int32  // the result
}

// Whether the API reads an item by itself.
const (
	aloneUntried = iota
	aloneWorks
	aloneFails
)

func newItems(api API, k client.Kind) *catalog {
	c := &catalog{trial: make(chan struct{}, 1)}
	c.list = newCache(atOnce(func(ctx context.Context, query string) (*Catalog, error) {
		items, err := api.SearchItems(ctx, k, query)
		if err != nil {
			return nil, err
		}
		return newCatalog(items), nil
	}))
	c.whole = newCache(atOnce(func(ctx context.Context, id string) (*client.Item, error) {
		item, err := api.GetItem(ctx, k, id)
		if err != nil && !errors.Is(err, client.ErrNotReadAlone) {
			return nil, err
		}
		// An endpoint that does not exist or rejects the request does so for all items.
		if transport.IsCode(err, client.CodeNotFound, client.CodeInvalidRequest) || transport.IsStatus(err, http.StatusMethodNotAllowed) {
			c.alone.Store(aloneFails)
		} else {
			c.alone.Store(aloneWorks)
		}
		return item, nil
	}))
	return c
}

// Items returns the whole catalog of a kind.
func (i *Inventory) Items(ctx context.Context, k client.Kind, age Age) (*Catalog, error) {
	return i.catalogs[k].list.get(ctx, "", age)
}

// Item returns one item as its own endpoint shows it, with the fields that a search omits; nil when the API does not
// support that read.
func (i *Inventory) Item(ctx context.Context, k client.Kind, id string) (*client.Item, error) {
	c := i.catalogs[k]
	if c.alone.Load() == aloneUntried {
		// One reader tests the endpoint first, so that an unsupported read costs one call and not one for each item.
		select {
		case c.trial <- struct{}{}:
			defer func() { <-c.trial }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if c.alone.Load() == aloneFails {
		return nil, nil //nolint:nilnil // the caller uses the row of the search
	}
	return c.whole.get(ctx, id, Current)
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
