package session

import (
	"context"

	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
)

type readFaultsKey struct{}

// The reads whose errors are kept.
const (
	readLabels  = "labels"
	readMembers = "members"
)

// WithReadFaults lets a request that was tried without the framework first keep the errors of its reads.
func WithReadFaults(ctx context.Context) context.Context {
	return context.WithValue(ctx, readFaultsKey{}, map[string]error{})
}

// failedOnce calls a read of the API, unless the same request did that and failed: then it returns that error. Errors
// are not cached, so the framework's resource would make each call again that the short path saw fail.
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

// Labels is the list of private labels that the reads of a run share. A request makes a call that failed only once.
func (s *Session) Labels(ctx context.Context) (*inventory.Snapshot, error) {
	return failedOnce(ctx, readLabels, s.Inventory.Labels)
}

// Members is the members list of a private label, like Labels.
func (s *Session) Members(ctx context.Context, labelID string) (*inventory.Members, error) {
	return failedOnce(ctx, readMembers, func(ctx context.Context) (*inventory.Members, error) { return s.Inventory.Members(ctx, labelID) })
}
