package transport

import (
	"cmp"
	"context"
	"time"
)

// A read may show a write late. Reads that do not show it are made again for settleTime, after pauses that double from
// firstPause.
const (
	settleTime = 30 * time.Second
	firstPause = time.Second
)

// Patience is how long reads wait for a write: settleTime, and no longer than MaxWait.
type Patience struct {
	Clock   Clock
	MaxWait time.Duration
}

// Limit is the longest time from the first read to the last one.
func (p Patience) Limit() time.Duration { return min(settleTime, p.MaxWait) }

// Pauses returns a function that waits before another read, and reports whether there may be one.
func (p Patience) Pauses() (wait func(context.Context) (bool, error)) {
	waited, next := time.Duration(0), firstPause
	return func(ctx context.Context) (bool, error) {
		pause := min(next, p.Limit()-waited)
		if pause <= 0 {
			return false, nil
		}
		waited += pause
		next *= 2
		return true, p.Clock.Sleep(ctx, pause)
	}
}

// reconcileGrace limits reads after cancellation. Before cancellation they are unlimited: a rate limit window may need a
// minute to reset.
const reconcileGrace = time.Minute

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
func Reconcile[T any](ctx context.Context, p Patience, w Write[T]) Result[T] {
	first := w.Send(ctx)
	if w.isKnown(first.Outcome, w.Proven) {
		return first
	}
	seen := w.Confirm(ctx, p, first.Outcome)
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
	seen = w.Confirm(ctx, p, sent)
	switch {
	case seen.State != Absent, second.State == Applied:
		return seen
	case second.State == Unknown:
		return w.unknown(first.Outcome, ReasonAbsent,
			"It was tried twice. After each failure, new reads for "+p.Limit().String()+" did not show it, so most likely it had no effect.")
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

// Confirm reads what a write has left, again and again if no read shows it.
func (w Write[T]) Confirm(ctx context.Context, p Patience, sent Outcome) Result[T] {
	sight, err := ReadUntil(ctx, p, w.Read, func(s Sight[T]) bool { return s.State == Applied || s.State == Different })
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
		return w.unknown(sent, ReasonNotShown, "")
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

// ReadUntil reads what a write has left until a read shows it, at longest for the time of the patience: a read may be older
// than the write. It completes after the run is canceled.
func ReadUntil[T any](ctx context.Context, p Patience, read func(context.Context) (T, error), shows func(T) bool) (seen T, err error) {
	reading, cancel := DetachedContext(ctx)
	defer cancel()
	for wait := p.Pauses(); ; {
		if seen, err = read(reading); err != nil || shows(seen) {
			return seen, err
		}
		more, err := wait(reading)
		if !more || err != nil {
			return seen, err
		}
	}
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
