package inventory

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/privatelabels/terraform-provider-reseller/internal/fault"
)

// cache stores API responses by key. Concurrent readers of a key share one call. Errors are not stored. A response to a
// call that was under way when its key was invalidated is returned to its readers and not to others.
type cache[V any] struct {
	call call[V]
	// before waits before a call that is not Fresh, and returns the call: a write until then does not make the response
	// outdated. nil for no wait.
	before func(ctx context.Context, key string) (reading call[V], done func(), err error)

	mu     sync.Mutex
	valid  map[string]*response[V] // since the last write, or under way
	newest map[string]*response[V] // of the call that was sent last, with this run's own writes; kept past writes
	sent   int                     // number of calls
}

// call makes the API call of a key.
type call[V any] func(ctx context.Context, key string) (V, error)

type response[V any] struct {
	done  chan struct{} // closed when value and err are set
	value V
	err   error

	no   int // number of its call; 0 until it is sent
	walk int // of its first reader; 0 until a walk reads it
}

func newCache[V any](c call[V]) *cache[V] {
	return &cache[V]{call: c, valid: map[string]*response[V]{}, newest: map[string]*response[V]{}}
}

// get returns the response of a key to a reader, as fresh as it asks for.
func (c *cache[V]) get(ctx context.Context, walk int, key string, freshness Freshness) (V, error) {
	return c.getWith(ctx, walk, key, freshness, c.call)
}

// getWith is get with a call that depends on the reader.
func (c *cache[V]) getWith(ctx context.Context, walk int, key string, freshness Freshness, call call[V]) (V, error) {
	c.mu.Lock()
	r := c.find(key, freshness, walk)
	if r == nil {
		r = &response[V]{done: make(chan struct{})}
		c.valid[key] = r
		// Others wait for this call, so it must not end with the first reader's context.
		go c.fill(context.WithoutCancel(ctx), key, r, freshness, call)
	}
	if r.walk == 0 {
		r.walk = walk
	}
	c.mu.Unlock()
	select {
	case <-r.done:
		return r.value, r.err
	case <-ctx.Done():
		var zero V
		return zero, ctx.Err()
	}
}

// find returns a response that may answer a reader, nil for none. The caller holds c.mu.
func (c *cache[V]) find(key string, freshness Freshness, walk int) *response[V] {
	if r := c.newest[key]; freshness == Cached && r.mayAnswer(walk) {
		return r
	}
	if r := c.valid[key]; freshness != Fresh && r.mayAnswer(walk) {
		return r
	}
	return nil
}

// answered reports whether a current response for a reader exists or is under way, without an API call.
func (c *cache[V]) answered(walk int, key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.find(key, Current, walk) != nil
}

// current returns a response since the last write, without an API call.
func (c *cache[V]) current(key string) (value V, ok bool) {
	c.mu.Lock()
	r := c.valid[key]
	c.mu.Unlock()
	if r == nil {
		return value, false
	}
	select {
	case <-r.done:
		return r.value, r.err == nil
	default:
		return value, false
	}
}

// mayAnswer reports whether a response, nil for none, is not one of an earlier walk.
func (r *response[V]) mayAnswer(walk int) bool {
	return r != nil && (walk == 0 || r.walk == 0 || r.walk >= walk)
}

// fill makes the call of a response.
func (c *cache[V]) fill(ctx context.Context, key string, r *response[V], freshness Freshness, call call[V]) {
	defer close(r.done)
	// A panic on this goroutine would end the process.
	defer func() {
		if thrown := recover(); thrown != nil {
			r.err = fault.New(thrown)
		}
		c.keep(key, r)
	}()
	if c.before != nil && freshness != Fresh {
		reading, done, err := c.before(ctx, key)
		if err != nil {
			r.err = err
			return
		}
		defer done()
		call = reading
	}
	c.mu.Lock()
	c.sent++
	r.no = c.sent
	c.mu.Unlock()
	r.value, r.err = call(ctx, key)
}

// keep stores a response as the newest, and drops an error.
func (c *cache[V]) keep(key string, r *response[V]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	last := c.newest[key]
	switch {
	case r.err != nil && c.valid[key] == r:
		delete(c.valid, key)
	case r.err == nil && (last == nil || last.no < r.no):
		c.newest[key] = r
	}
}

// invalidate drops the responses of the given keys whose calls were sent, or of all keys if there are none.
func (c *cache[V]) invalidate(keys ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.valid, func(key string, r *response[V]) bool {
		return r.no > 0 && (len(keys) == 0 || slices.Contains(keys, key))
	})
}

// amend adds a write of this run to the newest response, if there is one.
func (c *cache[V]) amend(key string, change func(last V) V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if last := c.newest[key]; last != nil {
		c.put(key, change(last.value), last)
	}
}

// put makes a value the newest, in the walk of the last one. A response to a call under way may lack
// the write behind it, and does not become the newest. The caller holds c.mu.
func (c *cache[V]) put(key string, value V, last *response[V]) {
	done := make(chan struct{})
	close(done)
	c.sent++
	c.newest[key] = &response[V]{done: done, value: value, no: c.sent, walk: last.walk}
}
