package inventory

import (
	"context"
	"sync"

	"golang.org/x/sync/singleflight"
)

// shelf keeps answers by key. Concurrent readers of one key share one call, an
// error is not kept, and an answer that was under way when its key was
// forgotten is given to those who waited for it and then dropped.
type shelf[V any] struct {
	read func(context.Context, string) (V, error)

	calls singleflight.Group

	mu     sync.Mutex
	kept   map[string]V
	asked  map[string]bool // every key that was ever asked for
	writes int             // how often something was forgotten
}

func (s *shelf[V]) get(ctx context.Context, key string) (V, error) {
	s.mu.Lock()
	v, ok := s.kept[key]
	writes := s.writes
	if s.asked == nil {
		s.kept, s.asked = map[string]V{}, map[string]bool{}
	}
	s.asked[key] = true
	s.mu.Unlock()
	if ok {
		return v, nil
	}
	answer := s.calls.DoChan(key, func() (any, error) {
		// A reader who leaves must not fail the others.
		v, err := s.read(context.WithoutCancel(ctx), key)
		if err == nil {
			s.keep(key, v, writes)
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

func (s *shelf[V]) keep(key string, v V, writes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writes == writes {
		s.kept[key] = v
	}
}

// forget drops the answers of these keys, of all where none is named.
func (s *shelf[V]) forget(keys ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writes++
	if len(keys) == 0 {
		for key := range s.asked {
			keys = append(keys, key)
		}
	}
	for _, key := range keys {
		delete(s.kept, key)
		s.calls.Forget(key)
	}
}
