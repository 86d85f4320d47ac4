package simulator

import (
	"context"
)

// ctxMutex is a mutex whose wait ends with a context.
type ctxMutex chan struct{}

func newCtxMutex() ctxMutex {
	return make(ctxMutex, 1)
}

func (m ctxMutex) lock(ctx context.Context) error {
	select {
	case m <- struct{}{}: // immediately, even if the context has ended
		return nil
	default:
	}
	select {
	case m <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (m ctxMutex) unlock() {
	<-m
}
