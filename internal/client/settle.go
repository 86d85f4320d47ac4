package client

import (
	"context"
	"time"
)

// settlePause lies between the two looks: an effect may show a moment late.
const settlePause = 2 * time.Second

// settleTime bounds the looking from the moment the run is cancelled. Before
// that a limit may take its minute to open.
const settleTime = time.Minute

// sighting is what reading shows of a deed whose answer was lost.
type sighting int

const (
	notDone sighting = iota
	isDone
	somethingElse
)

// deed is a call that must happen exactly once, and how to see whether it did.
type deed[T any] struct {
	op, subject string
	act         func(context.Context) (T, error)
	// look reads afresh; seen says in a sentence what it saw and what to do
	// where that is something else.
	look func(context.Context) (result T, is sighting, seen string, err error)
	// conflict: this refusal of the second try may come from the first one.
	conflict func(error) bool
	// conflictSeen is what a conflict means that reading does not explain; ""
	// where the refusal stands for itself.
	conflictSeen string
}

// settle does a deed. A doubtful answer is settled by reading, twice with a
// pause: done is taken over (lost is true), not done is tried once more, and
// anything else is an error that says what was seen.
func settle[T any](ctx context.Context, clock Clock, d deed[T]) (result T, lost bool, err error) {
	result, err = d.act(ctx)
	if !doubtful(err) {
		return result, false, err
	}
	first := err
	result, is, err := d.lookTwice(ctx, clock, first)
	if err != nil || is == isDone {
		return result, is == isDone, err
	}
	if ctx.Err() != nil {
		return result, false, &DoubtError{Op: d.op, Subject: d.subject, Seen: "The run was cancelled; reading does not show it. Plan again to see.", Err: first}
	}
	result, err = d.act(ctx)
	switch {
	case err == nil:
		return result, false, nil
	case d.conflict != nil && d.conflict(err), doubtful(err):
		again := err
		result, is, err = d.lookTwice(ctx, clock, first)
		if err != nil || is == isDone {
			return result, is == isDone, err
		}
		if !doubtful(again) {
			return result, false, d.conflicting(again)
		}
		return result, false, &DoubtError{Op: d.op, Subject: d.subject, Seen: "It was tried twice; after each failure two fresh reads did not show it, so most likely nothing was done. Plan again to see.", Err: first}
	default:
		return result, false, err
	}
}

func (d deed[T]) conflicting(refusal error) error {
	if d.conflictSeen == "" {
		return refusal
	}
	return &DoubtError{Op: d.op, Subject: d.subject, Seen: d.conflictSeen, Err: refusal}
}

// settling is a context that outlives a cancelled run by settleTime: it still
// wants to know what it made.
func settling(ctx context.Context) (context.Context, context.CancelFunc) {
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(settleTime, cancel) })
	return own, func() {
		stop()
		cancel()
	}
}

func (d deed[T]) lookTwice(ctx context.Context, clock Clock, first error) (result T, is sighting, err error) {
	looking, cancel := settling(ctx)
	defer cancel()
	for look := range 2 {
		if look > 0 {
			if err := clock.Sleep(looking, settlePause); err != nil {
				return result, notDone, d.unread(first, err)
			}
		}
		var seen string
		result, is, seen, err = d.look(looking)
		switch {
		case err != nil:
			return result, notDone, d.unread(first, err)
		case is == somethingElse:
			return result, is, &DoubtError{Op: d.op, Subject: d.subject, Seen: seen, Err: first}
		case is == isDone:
			return result, is, nil
		}
	}
	return result, notDone, nil
}

func (d deed[T]) unread(first, err error) error {
	return &DoubtError{
		Op: d.op, Subject: d.subject, Err: first,
		Seen: "The answer was lost, and reading whether it happened failed too (" + err.Error() + "). It may have been done: plan again to see before doing it by hand.",
	}
}
