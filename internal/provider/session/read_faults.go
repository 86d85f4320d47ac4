package session

import (
	"context"

	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
)

type readFaultsKey struct{}

// readLabels names the read whose errors are kept.
const readLabels = "labels"

// WithReadFaults makes a request keep the errors of its reads, so that the framework's resource does not repeat the
// calls of the fast path.
func WithReadFaults(ctx context.Context) context.Context {
	return context.WithValue(ctx, readFaultsKey{}, map[string]error{})
}

// failedOnce makes an API call, unless the same request already made it without success: then it returns that error.
// The inventory does not cache errors, so the resource would otherwise repeat each call that failed in the fast path.
func failedOnce[T any](ctx context.Context, what string, read func(context.Context) (T, error)) (T, error) {
	faults, ok := ctx.Value(readFaultsKey{}).(map[string]error)
	if err := faults[what]; err != nil {
		var none T
		return none, err
	}
	result, err := read(ctx)
	if ok && err != nil {
		faults[what] = err
	}
	return result, err
}

// Labels returns the list of private labels, which the reads of a run share. A request makes a failing call only once.
func (s *Session) Labels(ctx context.Context) (*inventory.Snapshot, error) {
	return failedOnce(ctx, readLabels, s.Inventory.Labels)
}
