package transport

import (
	"errors"
	"fmt"
	"net/http"
)

// State is what is known of a write.
type State int

const (
	// Unknown: it may be in effect. No read shows it.
	Unknown State = iota
	// Applied: it is in effect.
	Applied
	// Absent: it had no effect.
	Absent
	// Different: a read shows something else in its place.
	Different
)

// Outcome is what became of a write, as its response or one read shows it, or as Settle has settled it. The response
// decides if it is the one that the documentation describes, else reads that are newer than the write.
type Outcome struct {
	State State
	// ResponseLost: an attempt got no response, and may have taken effect.
	ResponseLost bool
	// Seen is what a read shows instead if Different or Unknown, in a sentence.
	Seen string
	// Reason is why a read shows that. "" is ReasonDifferent, or ReasonCheckFailed if Unknown.
	Reason Reason
	// Err is why the write is not known to be in effect: the API's rejection, or an *UnknownOutcomeError.
	Err error
}

// Done is the outcome of a write whose response is the proof.
func Done() Outcome {
	return Outcome{State: Applied}
}

// NotDone is the outcome of a write that was not sent, or that the API rejected.
func NotDone(err error) Outcome {
	return Outcome{State: Absent, Err: err}
}

// SeenIf is what a read shows of a write that is either in effect or not.
func SeenIf(applied bool) Outcome {
	if applied {
		return Outcome{State: Applied}
	}
	return Outcome{State: Absent}
}

// OutcomeOf returns what the response to a write shows: nothing, if the response was lost.
func OutcomeOf(op, subject string, lost bool, err error) Outcome {
	switch {
	case err == nil:
		return Outcome{State: Applied, ResponseLost: lost}
	case !MayHaveTakenEffect(err):
		return NotDone(err)
	default:
		unknown := &UnknownOutcomeError{Op: op, Subject: subject, Reason: ReasonLost, Seen: whatArrived(err), Err: err}
		return Outcome{State: Unknown, ResponseLost: true, Err: unknown}
	}
}

// whatArrived says what is known of the response to a write that may be in effect; nil is its success.
func whatArrived(err error) string {
	answer, answered := errors.AsType[*Error](err)
	said, isSaid := errors.AsType[*effectError](err)
	switch {
	case err == nil:
		return "The API accepted the call."
	case !answered, isSaid && said.may:
		return "Its response was lost."
	case answer.mayHaveTakenEffect():
		return "Its response does not show whether it took effect."
	default:
		return "The API rejected it."
	}
}

// firstFailure is the error of the call, nil if the API accepted it.
func (o Outcome) firstFailure() error {
	if doubt, ok := o.Err.(*UnknownOutcomeError); ok { //nolint:errorlint // of this outcome, not of one inside of it
		return doubt.Err
	}
	return o.Err
}

// IsSettled reports whether several reads have looked for the effect.
func (o Outcome) IsSettled() bool {
	doubt, unknown := errors.AsType[*UnknownOutcomeError](o.Err)
	return unknown && doubt.Reason != ReasonLost && doubt.Reason != ReasonCheckFailed
}

// NotSeen returns the outcome after new reads that do not show the effect. What several reads have shown before stays.
func (o Outcome) NotSeen() Outcome {
	doubt, unknown := errors.AsType[*UnknownOutcomeError](o.Err)
	if !unknown || o.IsSettled() {
		return o
	}
	if doubt.Err == nil {
		return Outcome{State: Unknown, Err: &UnknownOutcomeError{Op: doubt.Op, Subject: doubt.Subject, Reason: ReasonNotShown}}
	}
	return notSeen(doubt.Op, doubt.Subject, doubt.Err)
}

// notSeen is the outcome of a write whose response was lost, and which several reads do not show. They may be late.
func notSeen(op, subject string, err error) Outcome {
	return Outcome{State: Unknown, ResponseLost: true, Err: &UnknownOutcomeError{
		Op: op, Subject: subject, Reason: ReasonAbsent, Err: err,
		Seen: whatArrived(err) + " Later reads do not show its effect. Either it had none, or the API does not show it yet.",
	}}
}

// Reason is why the outcome of a write is unknown. Endpoints can define more.
type Reason string

// Reasons that no read has shown the outcome.
const (
	ReasonLost        Reason = "lost"         // nothing was read yet
	ReasonCanceled    Reason = "canceled"     // the run was canceled before the second attempt
	ReasonAbsent      Reason = "absent"       // the calls failed, and reads show the effect of none
	ReasonCheckFailed Reason = "check failed" // the read failed, too
	ReasonHidden      Reason = "hidden"       // no read can show it
	ReasonDifferent   Reason = "different"    // a read shows another object in its place
	ReasonConflict    Reason = "conflict"     // a read does not explain the rejection of the second attempt
	ReasonNotShown    Reason = "not shown"    // the API accepted it, and no read shows it yet
)

// UnknownOutcomeError: a write was sent, and neither its response nor a read shows its effect, or a read shows another
// object.
type UnknownOutcomeError struct {
	Op      string // "provision the private label"
	Subject string // host name, code or ID
	Reason  Reason
	Seen    string // what happened and what reads showed, in sentences
	Unread  error  // why the read that would show the outcome failed; nil for none
	Err     error  // the first failure; nil if the API accepted the call
}

func (e *UnknownOutcomeError) Error() string {
	if e.Unread == nil {
		return e.What()
	}
	return e.What() + " " + e.ReadFailure() + "."
}

// ReadFailure says why no read has shown the outcome, "" for none.
func (e *UnknownOutcomeError) ReadFailure() string {
	if e.Unread == nil {
		return ""
	}
	return "The read that would show the outcome failed (" + e.Unread.Error() + ")"
}

// What says what was sent and what reads showed.
func (e *UnknownOutcomeError) What() string {
	if e.Reason == ReasonNotShown {
		return fmt.Sprintf("the API accepted the call to %s %s, but no read afterwards shows it yet", e.Op, e.Subject)
	}
	return fmt.Sprintf("the API call to %s %s was sent, and its effect could not be confirmed. %s", e.Op, e.Subject, e.Seen)
}

func (e *UnknownOutcomeError) Unwrap() error {
	return e.Err
}

// IsUnknownOutcome reports whether a failed write may have taken effect, as far as reads could show it.
func IsUnknownOutcome(err error) bool {
	return errors.As(err, new(*UnknownOutcomeError))
}

// ContradictedError: the API accepted a call, but shows that it does not have its effect.
type ContradictedError struct {
	Op    string // "remove the member"
	Shown string // "its response shows the status Active"
	// Partly: a part of it is in effect, or may be.
	Partly bool
}

func (e *ContradictedError) Error() string {
	return fmt.Sprintf("the API accepted the call to %s, but %s", e.Op, e.Shown)
}

// effectError says whether the call that failed may have taken effect, independent of what the failure shows.
type effectError struct {
	err error
	// may: an earlier attempt may have taken effect. Else nothing was sent.
	may bool
}

func (e *effectError) Error() string {
	return e.err.Error()
}

func (e *effectError) Unwrap() error {
	return e.err
}

// NotSent returns an error for a request that was not sent: it had no effect.
func NotSent(err error) error {
	return &effectError{err: err}
}

// MayHaveTakenEffect reports whether a failed write may have taken effect.
func MayHaveTakenEffect(err error) bool {
	said, isSaid := errors.AsType[*effectError](err)
	answer, answered := errors.AsType[*Error](err)
	switch {
	case err == nil:
		return false
	case isSaid:
		return said.may
	case NeverSent(err), IsRateLimitError(err):
		return false
	default:
		return !answered || answer.mayHaveTakenEffect()
	}
}

// mayHaveTakenEffect reports whether the write behind a response may have taken effect.
func (e *Error) mayHaveTakenEffect() bool {
	switch e.Status {
	case http.StatusUnauthorized, http.StatusTooManyRequests:
		return false // rejected before it was processed
	default:
		return e.unreadable || e.Status >= http.StatusInternalServerError
	}
}
