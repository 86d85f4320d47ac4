package inventory

import "context"

// Age says how old a response may be.
type Age int

const (
	// Cached is any response of this run, with this run's own writes. It is for texts, and for rules that the API or a
	// later look enforces.
	Cached Age = iota + 1
	// Current is a response since the last write of this run.
	Current
	// Fresh is a response to a call that begins now.
	Fresh
)

// Phase is what Terraform does with an object. It refreshes, plans and applies each object once, in this order.
type Phase int

// The phases.
const (
	Refresh Phase = iota + 1
	Plan
	Apply
)

// reader is a request about one object. A cached response answers each object once, independent of its age: a second
// request of the same phase, a refresh after a plan or an apply, and an apply after a refresh show that time has passed.
type reader struct {
	phase  Phase
	object string
}

type readerKey struct{}

// WithReader makes all reads of a request those of one reader, which ReadBy names.
func WithReader(ctx context.Context) context.Context {
	return context.WithValue(ctx, readerKey{}, &reader{})
}

// ReadBy names the object that a request is about. Without a name, a request shares responses until a write.
func ReadBy(ctx context.Context, phase Phase, object string) context.Context {
	by, _ := ctx.Value(readerKey{}).(*reader)
	switch {
	case by == nil:
		return context.WithValue(ctx, readerKey{}, &reader{phase, object})
	case by.phase == 0:
		*by = reader{phase, object}
	}
	return ctx
}

// readerOf returns nil for a request without a name.
func readerOf(ctx context.Context) *reader {
	by, _ := ctx.Value(readerKey{}).(*reader)
	if by == nil || by.phase == 0 {
		return nil
	}
	return by
}
