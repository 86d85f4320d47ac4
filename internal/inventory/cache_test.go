package inventory

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/fault"
)

// A panic during a read is an error for all waiters, does not end the process, and its value is not shown.
func TestCache_PanicIsAnError(t *testing.T) {
	t.Parallel()
	s := newCache(atOnce(func(context.Context, string) (string, error) { panic("hunter2hunter2") }))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			_, err := s.get(t.Context(), nil, "key", Current)
			var thrown *fault.Error
			if !errors.As(err, &thrown) || strings.Contains(err.Error(), "hunter2") || !strings.Contains(err.Error(), "cache_test.go:") {
				t.Errorf("the error is %v", err)
			}
		})
	}
	group.Wait()
}

// A reader that finds no response while a call ends makes no second one.
func TestCache_OneCallAKey(t *testing.T) {
	t.Parallel()
	const keys, readers = 2000, 4
	var reads atomic.Int64
	c := newCache(atOnce(func(_ context.Context, key string) (string, error) {
		reads.Add(1)
		return key, nil
	}))
	for k := range keys {
		var all sync.WaitGroup
		for range readers {
			all.Go(func() {
				if v, err := c.get(t.Context(), nil, strconv.Itoa(k), Current); err != nil || v != strconv.Itoa(k) {
					t.Errorf("%q, %v", v, err)
				}
			})
		}
		all.Wait()
	}
	if n := reads.Load(); n != keys {
		t.Errorf("%d calls, want %d", n, keys)
	}
}
