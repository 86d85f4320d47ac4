package client

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Error is an answer of the service that is not a success.
type Error struct {
	Status     int           // HTTP status
	Code       string        // error.code, or the bare error text; empty when the body was no JSON
	Message    string        // error.message verbatim, or a cut excerpt of a body that is no JSON
	RetryAfter time.Duration // of a 429
	Op         string        // "provision private label"
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: HTTP %d %s: %s", e.Op, e.Status, e.Code, e.Message)
}

// DoubtError: a writing call's outcome could not be settled by reading, or
// reading showed something else than what was asked for.
type DoubtError struct {
	Op      string // "provision private label"
	Subject string // host, code or id
	Seen    string // what reading showed, as a sentence
	Err     error  // the first failure
}

func (e *DoubtError) Error() string { return e.Op + " " + e.Subject + ": " + e.Seen }
func (e *DoubtError) Unwrap() error { return e.Err }

// LimitError: a limit stays closed for longer than MaxWait allows.
type LimitError struct {
	Limit   string    // "token exchange", "console", "billing", "allocation", "total"
	Until   time.Time // when it opens
	Wait    time.Duration
	MaxWait time.Duration
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("the %s limit is closed until %s", e.Limit, e.Until.UTC().Format(time.RFC3339))
}

// IsCode tells whether err carries one of the service's error codes.
func IsCode(err error, codes ...string) bool {
	var e *Error
	return errors.As(err, &e) && slices.Contains(codes, e.Code)
}

// Codes of the service (§7.2).
const (
	CodeForbidden           = "FORBIDDEN"
	CodeInsufficientScope   = "INSUFFICIENT_SCOPE"
	CodeInvalidTarget       = "INVALID_TARGET"
	CodeHostTaken           = "HOST_TAKEN"
	CodeSuspendedByPlatform = "SUSPENDED_BY_PLATFORM"
)
