package inventory

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/fault"
)

// A panic during a read is an error for all waiters, does not end the process, and its value is not shown.
func TestCache_PanicIsAnError(t *testing.T) {
	t.Parallel()
	s := newCache(func(context.Context, string) (string, error) { panic("hunter2hunter2") })
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			_, err := s.get(t.Context(), 0, "key", Current)
			var thrown *fault.Error
			require.ErrorAs(t, err, &thrown, "the error")
			assert.NotContains(t, err.Error(), "hunter2", "the error is %v", err)
			assert.Contains(t, err.Error(), "cache_test.go:", "the error is %v", err)
		})
	}
	group.Wait()
}

// A reader that finds no response while a call ends makes no second one.
func TestCache_OneCallAKey(t *testing.T) {
	t.Parallel()
	const keys, readers = 2000, 4
	var reads atomic.Int64
	c := newCache(func(_ context.Context, key string) (string, error) {
		reads.Add(1)
		return key, nil
	})
	for k := range keys {
		var all sync.WaitGroup
		for range readers {
			all.Go(func() {
				v, err := c.get(t.Context(), 0, strconv.Itoa(k), Current)
				require.NoError(t, err, "%q", v)
				assert.Equal(t, strconv.Itoa(k), v)
			})
		}
		all.Wait()
	}
	assert.Equal(t, int64(keys), reads.Load(), "calls")
}
