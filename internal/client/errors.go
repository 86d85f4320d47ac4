package client

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Error is an answer of the service that is not a success (§7).
type Error struct {
	Status     int           // HTTP status
	Code       string        // error.code, or the bare error's word (§7.3); empty when there was none
	Message    string        // error.message verbatim, or a cut excerpt of a body that is no JSON
	RetryAfter time.Duration // of a 429
	Op         string        // "provision the private label"
	RequestID  string        // of a failed token exchange, the only call with one (§4.1); "" for none

	// unreadable: the answer is not what the endpoint answers, so that its
	// effect is not known.
	unreadable bool
}

func (e *Error) Error() string {
	text := fmt.Sprintf("%s: HTTP %d", e.Op, e.Status)
	if e.Code != "" {
		text += " " + e.Code
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	if e.RequestID != "" {
		text += " (request ID " + e.RequestID + ")"
	}
	return text
}

// DoubtError: a writing call's outcome could not be settled by reading, or
// reading showed something else than what was asked for.
type DoubtError struct {
	Op      string // "provision the private label"
	Subject string // host, code or id
	Seen    string // what reading showed and what to do, in sentences
	Err     error  // the first failure
}

func (e *DoubtError) Error() string {
	return fmt.Sprintf("Whether the service did %s %s is not certain. %s", e.Op, e.Subject, e.Seen)
}

func (e *DoubtError) Unwrap() error { return e.Err }

// LimitError: a limit stays closed for longer than MaxWait allows (§8).
type LimitError struct {
	Limit   string    // "token exchange", "console", "billing", "allocation" or "total"
	Until   time.Time // when it opens
	Wait    time.Duration
	MaxWait time.Duration
	File    string // that keeps the limit closed for all processes; deleting it opens it. "" for none
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("the %s limit of the service is closed until %s (for another %s); at most %s may be waited",
		e.Limit, e.Until.UTC().Format(time.RFC3339), e.Wait.Round(time.Second), e.MaxWait)
}

// IsCode tells whether err carries one of the service's error codes.
func IsCode(err error, codes ...string) bool {
	var e *Error
	return errors.As(err, &e) && slices.Contains(codes, e.Code)
}

// IsStatus tells whether err is an answer with one of these HTTP statuses.
func IsStatus(err error, statuses ...int) bool {
	var e *Error
	return errors.As(err, &e) && slices.Contains(statuses, e.Status)
}

// IsDoubt tells whether a write may have happened although it failed.
func IsDoubt(err error) bool {
	var e *DoubtError
	return errors.As(err, &e)
}

// IsLimit tells whether a limit stays closed for longer than may be waited.
func IsLimit(err error) bool {
	var e *LimitError
	return errors.As(err, &e)
}

// MayBeGone tells whether err is what the service answers both for a label that
// is gone and for one that is another reseller's (§4). It proves neither: the
// list of labels has to judge.
func MayBeGone(err error) bool { return IsCode(err, CodeForbidden, CodeInvalidTarget) }

// isRateLimit: TOO_FREQUENT is a 429 that is no rate limit (§4.19).
func isRateLimit(status int, body []byte) bool {
	return status == http.StatusTooManyRequests && !strings.Contains(string(body), CodeTooFrequent)
}

// doubtful tells whether the effect of a writing call may have happened.
func doubtful(err error) bool {
	if err == nil || neverSent(err) {
		return false
	}
	var (
		e      *Error
		limit  *LimitError
		excess *ExcessError
	)
	if errors.As(err, &limit) || errors.As(err, &excess) {
		return false
	}
	if errors.As(err, &e) {
		if e.Status == http.StatusUnauthorized || e.Status == http.StatusTooManyRequests {
			return false // turned away at the door, in whatever words
		}
		return e.unreadable || e.Status >= http.StatusInternalServerError
	}
	return true // no answer at all
}
