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
func (p Patience) Limit() time.Duration {
	return min(settleTime, p.MaxWait)
}

// Pauses returns a function that waits before another read, and reports whether there may be one.
func (p Patience) Pauses() (wait func(context.Context) (bool, error)) {
	waited := time.Duration(0)
	next := firstPause
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

// readGrace limits reads after cancellation. Before cancellation they are unlimited: a rate limit window may need a
// minute to reset.
const readGrace = time.Minute

// Write is a write whose effect can be read.
type Write struct {
	Op, Subject string
	Send        func(context.Context) Outcome
	// Read reads without a cache what is in effect.
	Read func(context.Context) (Outcome, error)
	// Proven: a success counts only if a read shows it, and so does a rejection that IsConflict.
	Proven bool
	// Resend: a write that reads do not show is sent once more. Send retries what may be retried.
	Resend bool
	// IsConflict reports whether a rejection may be caused by the effect of an earlier attempt.
	IsConflict func(error) bool
	// ConflictDetail is the meaning of a conflict that no read explains; "" if the rejection explains itself.
	ConflictDetail string
}

// Settle sends a write. Where its response does not show the outcome, reads do. One that is absent may be sent once more.
func Settle(ctx context.Context, p Patience, w Write) Outcome {
	first := w.Send(ctx)
	if w.isKnown(first, w.Proven) {
		return first
	}
	seen := w.Confirm(ctx, p, first)
	if seen.State != Absent || first.State != Unknown {
		return seen
	}
	if !w.Resend {
		return notSeen(w.Op, w.Subject, first.firstFailure())
	}
	if ctx.Err() != nil {
		return w.unknown(first, Outcome{Reason: ReasonCanceled, Seen: "The run was canceled. A read does not show it."})
	}
	second := w.Send(ctx)
	if w.isKnown(second, true) {
		return second
	}
	sent := first
	if second.State == Applied { // it was accepted, and has to be proven
		sent = second
	}
	seen = w.Confirm(ctx, p, sent)
	switch {
	case seen.State != Absent, second.State == Applied:
		return seen
	case second.State == Unknown:
		return w.unknown(first, Outcome{
			Reason: ReasonAbsent,
			Seen: "It was tried twice. After each failure, new reads for " + p.Limit().String() + " did not show it. " +
				"Either it had no effect, or the API does not show it yet.",
		})
	case second.State == Absent && w.ConflictDetail != "":
		return w.unknown(second, Outcome{Reason: ReasonConflict, Seen: w.ConflictDetail})
	default:
		return second
	}
}

// isKnown reports whether the response decides. A conflict counts only after an earlier attempt, or if it must be proven.
func (w Write) isKnown(o Outcome, conflicts bool) bool {
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
func (w Write) Confirm(ctx context.Context, p Patience, sent Outcome) Outcome {
	seen, err := ReadUntil(ctx, p, w.Read, func(o Outcome) bool { return o.State == Applied || o.State == Different })
	arrived := whatArrived(sent.firstFailure())
	switch {
	case err != nil:
		doubt := &UnknownOutcomeError{Op: w.Op, Subject: w.Subject, Reason: ReasonCheckFailed, Seen: arrived, Unread: err, Err: sent.firstFailure()}
		return Outcome{ResponseLost: sent.ResponseLost, Err: doubt}
	case seen.State == Different:
		seen.Reason = cmp.Or(seen.Reason, ReasonDifferent)
		return w.unknown(sent, seen)
	case seen.State == Unknown:
		return w.unknown(sent, Outcome{Reason: cmp.Or(seen.Reason, ReasonCheckFailed), Seen: arrived + " " + seen.Seen})
	case seen.State == Applied:
		return Outcome{State: Applied, ResponseLost: sent.ResponseLost}
	case sent.State == Applied:
		return w.unknown(sent, Outcome{Reason: ReasonNotShown})
	default:
		return NotDone(sent.firstFailure())
	}
}

// unknown returns the outcome of a write that was sent, whose reads prove no effect.
func (w Write) unknown(sent, seen Outcome) Outcome {
	doubt := &UnknownOutcomeError{Op: w.Op, Subject: w.Subject, Reason: seen.Reason, Seen: seen.Seen, Err: sent.firstFailure()}
	return Outcome{State: seen.State, ResponseLost: sent.ResponseLost, Err: doubt}
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

// DetachedContext returns a context that ends readGrace after the run is canceled, so that reads can complete.
func DetachedContext(ctx context.Context) (context.Context, context.CancelFunc) {
	detached, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(readGrace, cancel) })
	return detached, func() {
		stop()
		cancel()
	}
}
