package inventory

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// A panic during a read is an error for all waiters, does not end the process, and its value is not shown.
func TestCache_PanicIsAnError(t *testing.T) {
	t.Parallel()
	s := &cache[string]{read: func(context.Context, string) (string, error) { panic("hunter2hunter2") }}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			_, err := s.get(t.Context(), "key")
			var fault *client.FaultError
			if !errors.As(err, &fault) || strings.Contains(err.Error(), "hunter2") || !strings.Contains(err.Error(), "cache_test.go:") {
				t.Errorf("the error is %v", err)
			}
		})
	}
	group.Wait()
}
