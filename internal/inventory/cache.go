package inventory

import (
	"context"
	"maps"
	"slices"
	"sync"

	"golang.org/x/sync/singleflight"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// cache keeps answers by key. Concurrent readers of one key share one call, an
// error is not kept, and an answer that was under way when its key was
// invalidated is given to those who waited for it and then dropped.
type cache[V any] struct {
	read func(context.Context, string) (V, error)

	calls singleflight.Group

	mu          sync.Mutex
	entries     map[string]V
	generations map[string]int // how often each key that was ever asked for was invalidated
	asked       map[string]int // what forgot was when the call under way began, by key
}

func (s *cache[V]) get(ctx context.Context, key string) (V, error) { return s.getBy(ctx, key, s.read) }

// getBy makes the call, if one is to be made, with a function of the reader.
func (s *cache[V]) getBy(ctx context.Context, key string, read func(context.Context, string) (V, error)) (V, error) {
	s.mu.Lock()
	if s.entries == nil {
		s.entries, s.generations, s.asked = map[string]V{}, map[string]int{}, map[string]int{}
	}
	v, ok := s.entries[key]
	forgot := s.generations[key]
	s.generations[key] = forgot // asked for: forgetting all means this key, too
	if !ok {
		s.asked[key] = forgot
	}
	s.mu.Unlock()
	if ok {
		return v, nil
	}
	answer := s.calls.DoChan(key, func() (_ any, err error) {
		defer s.answered(key, forgot)
		// A panic here would end the process: singleflight throws it again where
		// nothing can recover it.
		defer func() {
			if thrown := recover(); thrown != nil {
				err = client.NewFault(thrown)
			}
		}()
		// A reader who leaves must not fail the others.
		v, err := read(context.WithoutCancel(ctx), key)
		if err == nil {
			s.store(key, v, forgot)
		}
		return v, err
	})
	var none V
	select {
	case <-ctx.Done():
		return none, ctx.Err()
	case a := <-answer:
		if a.Err != nil {
			return none, a.Err
		}
		v, _ = a.Val.(V)
		return v, nil
	}
}

// answered ends the call of a key that began when it was forgotten so often.
func (s *cache[V]) answered(key string, forgot int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked[key] == forgot {
		delete(s.asked, key)
	}
}

// peek returns an answer that is kept, without a call.
func (s *cache[V]) peek(key string) (V, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.entries[key]
	return v, ok
}

// contains reports whether an answer is kept, or is under way and was not forgotten since.
func (s *cache[V]) contains(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.entries[key]; ok {
		return true
	}
	asked, ok := s.asked[key]
	return ok && asked == s.generations[key]
}

func (s *cache[V]) store(key string, v V, forgot int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.generations[key] == forgot {
		s.entries[key] = v
	}
}

// invalidate drops the answers of these keys, of all where none is named.
func (s *cache[V]) invalidate(keys ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(keys) == 0 {
		keys = slices.Collect(maps.Keys(s.generations))
	}
	for _, key := range keys {
		if _, asked := s.generations[key]; !asked {
			continue
		}
		s.generations[key]++
		delete(s.entries, key)
		s.calls.Forget(key)
	}
}
