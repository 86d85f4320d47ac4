package inventory

import (
	"context"
	"maps"
	"slices"
	"sync"

	"golang.org/x/sync/singleflight"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// shelf keeps answers by key. Concurrent readers of one key share one call, an
// error is not kept, and an answer that was under way when its key was
// forgotten is given to those who waited for it and then dropped.
type shelf[V any] struct {
	read func(context.Context, string) (V, error)

	calls singleflight.Group

	mu     sync.Mutex
	kept   map[string]V
	forgot map[string]int // how often each key that was ever asked for was forgotten
	asked  map[string]int // what forgot was when the call under way began, by key
}

func (s *shelf[V]) get(ctx context.Context, key string) (V, error) { return s.getBy(ctx, key, s.read) }

// getBy makes the call, if one is to be made, with a function of the reader.
func (s *shelf[V]) getBy(ctx context.Context, key string, read func(context.Context, string) (V, error)) (V, error) {
	s.mu.Lock()
	if s.kept == nil {
		s.kept, s.forgot, s.asked = map[string]V{}, map[string]int{}, map[string]int{}
	}
	v, ok := s.kept[key]
	forgot := s.forgot[key]
	s.forgot[key] = forgot // asked for: forgetting all means this key, too
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
			s.keep(key, v, forgot)
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
func (s *shelf[V]) answered(key string, forgot int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked[key] == forgot {
		delete(s.asked, key)
	}
}

// peek returns an answer that is kept, without a call.
func (s *shelf[V]) peek(key string) (V, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.kept[key]
	return v, ok
}

// holds reports whether an answer is kept, or is under way and was not forgotten since.
func (s *shelf[V]) holds(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.kept[key]; ok {
		return true
	}
	asked, ok := s.asked[key]
	return ok && asked == s.forgot[key]
}

func (s *shelf[V]) keep(key string, v V, forgot int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.forgot[key] == forgot {
		s.kept[key] = v
	}
}

// forget drops the answers of these keys, of all where none is named.
func (s *shelf[V]) forget(keys ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(keys) == 0 {
		keys = slices.Collect(maps.Keys(s.forgot))
	}
	for _, key := range keys {
		if _, asked := s.forgot[key]; !asked {
			continue
		}
		s.forgot[key]++
		delete(s.kept, key)
		s.calls.Forget(key)
	}
}
