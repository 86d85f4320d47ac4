package transport

import (
	"cmp"
	"context"
	"time"
)

// ReconcileInterval is the time between two checks: an effect may become visible late.
const ReconcileInterval = 2 * time.Second

// reconcileGrace limits reconciliation after cancellation. Before cancellation it is unlimited: a rate limit window may
// need a minute to reset.
const reconcileGrace = time.Minute

// Outcome is what a read shows about an operation whose response was lost.
type Outcome int

// The outcomes.
const (
	OutcomeAbsent Outcome = iota
	OutcomeApplied
	OutcomeDifferent
)

// ReconciledOperation is a write that must take effect exactly once, and whose outcome can be read.
type ReconciledOperation[T any] struct {
	Op, Subject string
	Execute     func(context.Context) (T, error)
	// Check reads without a cache. With OutcomeDifferent, different describes in a sentence what it read.
	Check func(context.Context) (result T, is Outcome, different string, err error)
	// Different is the reason of OutcomeDifferent; "" is ReasonDifferent.
	Different Reason
	// IsConflict reports whether the rejection of the second attempt may be caused by the first one.
	IsConflict func(error) bool
	// ConflictDetail is the meaning of a conflict that no read explains; "" if the rejection explains itself.
	ConflictDetail string
}

// Reconcile executes an operation. If its outcome is unknown, it reads twice, ReconcileInterval apart: an applied
// operation is adopted (lost is true), an absent one is executed once more, and anything else is an
// *UnknownOutcomeError.
func Reconcile[T any](ctx context.Context, clock Clock, o ReconciledOperation[T]) (result T, lost bool, err error) {
	result, err = o.Execute(ctx)
	if !MayHaveTakenEffect(err) {
		return result, false, err
	}
	first := err
	result, is, err := o.checkTwice(ctx, clock, first)
	if err != nil || is == OutcomeApplied {
		return result, is == OutcomeApplied, err
	}
	if ctx.Err() != nil {
		return result, false, o.unknown(ReasonCanceled, "The run was canceled. A read does not show it.", first)
	}
	result, err = o.Execute(ctx)
	switch {
	case err == nil:
		return result, false, nil
	case o.IsConflict != nil && o.IsConflict(err), MayHaveTakenEffect(err):
		again := err
		result, is, err = o.checkTwice(ctx, clock, first)
		if err != nil || is == OutcomeApplied {
			return result, is == OutcomeApplied, err
		}
		if !MayHaveTakenEffect(again) {
			return result, false, o.conflicting(again)
		}
		return result, false, o.unknown(ReasonAbsent,
			"It was tried twice. After each failure, two new reads did not show it, so most likely it had no effect.", first)
	default:
		return result, false, err
	}
}

func (o ReconciledOperation[T]) unknown(reason Reason, seen string, err error) error {
	return &UnknownOutcomeError{Op: o.Op, Subject: o.Subject, Reason: reason, Seen: seen, Err: err}
}

func (o ReconciledOperation[T]) conflicting(rejection error) error {
	if o.ConflictDetail == "" {
		return rejection
	}
	return o.unknown(ReasonConflict, o.ConflictDetail, rejection)
}

// DetachedContext returns a context that ends reconcileGrace after the run is canceled, so that reconciliation can
// complete.
func DetachedContext(ctx context.Context) (context.Context, context.CancelFunc) {
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(reconcileGrace, cancel) })
	return own, func() {
		stop()
		cancel()
	}
}

func (o ReconciledOperation[T]) checkTwice(ctx context.Context, clock Clock, first error) (result T, is Outcome, err error) {
	checking, cancel := DetachedContext(ctx)
	defer cancel()
	for check := range 2 {
		if check > 0 {
			if err := clock.Sleep(checking, ReconcileInterval); err != nil {
				return result, OutcomeAbsent, o.checkFailed(first, err)
			}
		}
		var different string
		result, is, different, err = o.Check(checking)
		switch {
		case err != nil:
			return result, OutcomeAbsent, o.checkFailed(first, err)
		case is == OutcomeDifferent:
			return result, is, o.unknown(cmp.Or(o.Different, ReasonDifferent), different, first)
		case is == OutcomeApplied:
			return result, is, nil
		}
	}
	return result, OutcomeAbsent, nil
}

func (o ReconciledOperation[T]) checkFailed(first, err error) error {
	return o.unknown(ReasonCheckFailed, "The response was lost, and the read that would show the outcome failed, too ("+err.Error()+").", first)
}
