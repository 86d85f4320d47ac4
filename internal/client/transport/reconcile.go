package transport

import (
	"cmp"
	"context"
	"time"
)

// ReconcileInterval is the time between two reads: an effect may become visible late.
const ReconcileInterval = 2 * time.Second

// reconcileGrace limits reads after cancellation. Before cancellation they are unlimited: a rate limit window may need a
// minute to reset.
const reconcileGrace = time.Minute

// stillNot is what reads show of a removal that the API accepted.
const stillNot = "two reads afterwards do not show its effect"

// Write is a write whose effect can be read.
type Write[T any] struct {
	Op, Subject string
	Send        func(context.Context) Result[T]
	// Read reads without a cache what is in effect.
	Read func(context.Context) (Sight[T], error)
	// Proven: a success counts only if a read shows it, and so does a rejection that IsConflict.
	Proven bool
	// Resend: a write that reads do not show is sent once more. Send retries what may be retried.
	Resend bool
	// IsConflict reports whether a rejection may be caused by the effect of an earlier attempt.
	IsConflict func(error) bool
	// ConflictDetail is the meaning of a conflict that no read explains; "" if the rejection explains itself.
	ConflictDetail string
	// OtherReason is the reason of Different; "" is ReasonDifferent.
	OtherReason Reason
}

// Sight is what one read shows of a write.
type Sight[T any] struct {
	State State  // Unknown if it shows neither presence nor absence
	Value T      // if Applied
	Other string // what it shows instead if Different or Unknown, in a sentence
	// Reason is that of Unknown; "" is ReasonCheckFailed.
	Reason Reason
}

// SeenIf is the sight of a write that is either in effect or not.
func SeenIf(applied bool) Sight[struct{}] {
	if applied {
		return Sight[struct{}]{State: Applied}
	}
	return Sight[struct{}]{State: Absent}
}

// Reconcile sends a write. Where its response does not show the outcome, reads do. One that is absent may be sent once
// more.
func Reconcile[T any](ctx context.Context, clock Clock, w Write[T]) Result[T] {
	first := w.Send(ctx)
	if w.isKnown(first.Outcome, w.Proven) {
		return first
	}
	seen := w.Confirm(ctx, clock, first.Outcome)
	if seen.State != Absent || !w.Resend || first.State != Unknown {
		return seen
	}
	if ctx.Err() != nil {
		return w.unknown(first.Outcome, ReasonCanceled, "The run was canceled. A read does not show it.")
	}
	second := w.Send(ctx)
	if w.isKnown(second.Outcome, true) {
		return second
	}
	sent := first.Outcome
	if second.State == Applied { // it was accepted, and has to be proven
		sent = second.Outcome
	}
	seen = w.Confirm(ctx, clock, sent)
	switch {
	case seen.State != Absent, second.State == Applied:
		return seen
	case second.State == Unknown:
		return w.unknown(first.Outcome, ReasonAbsent,
			"It was tried twice. After each failure, two new reads did not show it, so most likely it had no effect.")
	case second.State == Absent && w.ConflictDetail != "":
		return w.unknown(second.Outcome, ReasonConflict, w.ConflictDetail)
	default:
		return Result[T]{Outcome: second.Outcome}
	}
}

// isKnown reports whether the response decides. A conflict counts only after an earlier attempt, or if it must be proven.
func (w Write[T]) isKnown(o Outcome, conflicts bool) bool {
	switch o.State {
	case Applied:
		return !w.Proven
	case Absent:
		return !conflicts || w.IsConflict == nil || !w.IsConflict(o.Err)
	default:
		return false
	}
}

// Confirm reads what a write has left, twice if the first read does not show it.
func (w Write[T]) Confirm(ctx context.Context, clock Clock, sent Outcome) Result[T] {
	sight, err := ReadTwice(ctx, clock, w.Read, func(s Sight[T]) bool { return s.State == Applied || s.State == Different })
	switch {
	case err != nil:
		const failed = " The read that would show the outcome failed ("
		return w.unknown(sent, ReasonCheckFailed, whatArrived(sent.firstFailure())+failed+err.Error()+").")
	case sight.State == Different:
		out := w.unknown(sent, cmp.Or(w.OtherReason, ReasonDifferent), sight.Other)
		out.State = Different
		return out
	case sight.State == Unknown:
		return w.unknown(sent, cmp.Or(sight.Reason, ReasonCheckFailed), whatArrived(sent.firstFailure())+" "+sight.Other)
	case sight.State == Applied:
		return Result[T]{Outcome{State: Applied, ResponseLost: sent.ResponseLost}, sight.Value}
	case sent.State == Applied:
		return Result[T]{Outcome: NotDone(&ContradictedError{Op: w.Op, Shown: stillNot})}
	default:
		return Result[T]{Outcome: NotDone(sent.firstFailure())}
	}
}

// firstFailure is the error of the call, nil if the API accepted it.
func (o Outcome) firstFailure() error {
	if doubt, ok := o.Err.(*UnknownOutcomeError); ok { //nolint:errorlint // of this outcome, not of one inside of it
		return doubt.Err
	}
	return o.Err
}

func (w Write[T]) unknown(sent Outcome, reason Reason, seen string) Result[T] {
	doubt := &UnknownOutcomeError{Op: w.Op, Subject: w.Subject, Reason: reason, Seen: seen, Err: sent.firstFailure()}
	return Result[T]{Outcome: Outcome{State: Unknown, ResponseLost: sent.ResponseLost, Err: doubt}}
}

// ReadTwice reads what a write has left, and once more after a pause if the first read does not show it: a read may be
// older than the write. It completes after the run is canceled.
func ReadTwice[T any](ctx context.Context, clock Clock, read func(context.Context) (T, error), shows func(T) bool) (seen T, err error) {
	reading, cancel := DetachedContext(ctx)
	defer cancel()
	if seen, err = read(reading); err != nil || shows(seen) {
		return seen, err
	}
	if err := clock.Sleep(reading, ReconcileInterval); err != nil {
		return seen, err
	}
	return read(reading)
}

// DetachedContext returns a context that ends reconcileGrace after the run is canceled, so that reads can complete.
func DetachedContext(ctx context.Context) (context.Context, context.CancelFunc) {
	detached, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(reconcileGrace, cancel) })
	return detached, func() {
		stop()
		cancel()
	}
}
