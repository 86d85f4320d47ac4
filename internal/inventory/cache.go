package inventory

import (
	"context"
	"maps"
	"slices"
	"sync"

	"golang.org/x/sync/singleflight"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// cache stores API responses by key. Concurrent reads of a key share one call. Errors are not cached. A response in
// flight when its key is invalidated is returned to its waiters and not stored.
type cache[V any] struct {
	read func(context.Context, string) (V, error)

	calls singleflight.Group

	mu          sync.Mutex
	entries     map[string]V
	generations map[string]int // how often each key that was ever read was invalidated
	inFlight    map[string]int // the generation of a key when its call began
}

func (c *cache[V]) get(ctx context.Context, key string) (V, error) { return c.getBy(ctx, key, c.read) }

// getBy returns the stored response of a key, or calls read. The caller passes read, unlike with get.
func (c *cache[V]) getBy(ctx context.Context, key string, read func(context.Context, string) (V, error)) (V, error) {
	c.mu.Lock()
	if c.entries == nil {
		c.entries, c.generations, c.inFlight = map[string]V{}, map[string]int{}, map[string]int{}
	}
	v, ok := c.entries[key]
	generation := c.generations[key]
	c.generations[key] = generation // create the entry, so that invalidating all keys includes it
	if !ok {
		c.inFlight[key] = generation
	}
	c.mu.Unlock()
	if ok {
		return v, nil
	}
	response := c.calls.DoChan(key, func() (_ any, err error) {
		defer c.end(key, generation)
		// Recover here: singleflight raises a panic again on a goroutine where nothing can recover it.
		defer func() {
			if thrown := recover(); thrown != nil {
				err = client.NewFault(thrown)
			}
		}()
		if v, ok := c.peek(key); ok { // another call ended after the look above
			return v, nil
		}
		// Other readers wait for this call, so it must not end with the first reader's context.
		v, err := read(context.WithoutCancel(ctx), key)
		if err == nil {
			c.store(key, v, generation)
		}
		return v, err
	})
	var none V
	select {
	case <-ctx.Done():
		return none, ctx.Err()
	case r := <-response:
		if r.Err != nil {
			return none, r.Err
		}
		v, _ = r.Val.(V)
		return v, nil
	}
}

// end removes the call in flight for a key and its generation.
func (c *cache[V]) end(key string, generation int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.inFlight[key] == generation {
		delete(c.inFlight, key)
	}
}

// peek returns a stored response without an API call.
func (c *cache[V]) peek(key string) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.entries[key]
	return v, ok
}

// contains reports whether a response is stored, or in flight and still valid.
func (c *cache[V]) contains(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.entries[key]; ok {
		return true
	}
	began, ok := c.inFlight[key]
	return ok && began == c.generations[key]
}

func (c *cache[V]) store(key string, v V, generation int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.generations[key] == generation {
		c.entries[key] = v
	}
}

// invalidate drops the responses of the given keys, or of all keys if there are none.
func (c *cache[V]) invalidate(keys ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(keys) == 0 {
		keys = slices.Collect(maps.Keys(c.generations))
	}
	for _, key := range keys {
		if _, known := c.generations[key]; !known {
			continue
		}
		c.generations[key]++
		delete(c.entries, key)
		c.calls.Forget(key)
	}
}
