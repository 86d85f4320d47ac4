package session

import (
	"context"
)

type readFaultsKey struct{}

// The reads whose errors are kept.
const (
	ReadLabels  = "labels"
	ReadMembers = "members"
)

// WithReadFaults lets a request that was tried without the framework first keep the errors of its reads.
func WithReadFaults(ctx context.Context) context.Context {
	return context.WithValue(ctx, readFaultsKey{}, map[string]error{})
}

// FailedOnce calls a read of the API, unless the same request did that and failed: then it returns that error. Errors
// are not cached, so the framework's resource would make each call again that the short path saw fail.
func FailedOnce[T any](ctx context.Context, what string, read func(context.Context) (T, error)) (T, error) {
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
