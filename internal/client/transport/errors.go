package transport

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"
	"syscall"
	"time"
)

// Error is a response of the API that is not a success (§7).
type Error struct {
	Status     int           // HTTP status
	Code       string        // error.code, or the word of a bare error (§7.3); "" if there is none
	Message    string        // error.message on one line, or an excerpt of a body that is not JSON
	RetryAfter time.Duration // 0 if the response has none
	Op         string        // "provision the private label"
	Endpoint   string        // method and path without IDs; "" for a token exchange
	RequestID  string        // of a failed token exchange, the only call with one (§4.1); "" if there is none
	GivenToken *GivenToken   // configured access token that the API rejected; nil for none
	NotShown   bool          // this run has provisioned the private label that the API rejects, and no read has shown it

	unreadable bool // not a response that the endpoint documents, so that its effect is unknown
	notJSON    bool
}

// IsPage reports whether the body is not JSON, such as the page of a gateway between the provider and the API.
func (e *Error) IsPage() bool {
	return e.notJSON
}

// GivenToken is a configured access token, which is not renewed.
type GivenToken struct {
	Origin    string // "the environment variable RESELLER_ACCESS_TOKEN"
	KeyUnused bool   // an API key is configured, too
}

// Advice says what to do about a rejected one.
func (t *GivenToken) Advice() string {
	text := "The access token comes from " + t.Origin + ". An access token is valid for one hour. "
	if t.KeyUnused {
		return text + "It takes precedence over the API key, which was not used. Remove the access token to use the API key, or set a new access token."
	}
	return text + "Set a new access token, or remove it and set an API key, which the provider exchanges itself."
}

// Codes of access tokens and their exchange (§4.1, §5.5).
const (
	CodeInvalidRequestGrant = "invalid_request"
	CodeInvalidClient       = "invalid_client"
	CodeJSONWebTokenError   = "JSON_WEB_TOKEN_ERROR"
)

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

// RateLimitError: a rate limit stays exhausted for longer than MaxWait (§8).
type RateLimitError struct {
	Limit   string    // "token exchange", "console", "billing", "allocation" or "total"
	Until   time.Time // when it resets
	Wait    time.Duration
	MaxWait time.Duration
}

func (e *RateLimitError) Error() string {
	return fmt.Sprintf("the %q rate limit is exhausted and resets at %s (in %s); max_wait allows %s",
		e.Limit, e.Until.UTC().Format(time.RFC3339), e.Wait.Round(time.Second), e.MaxWait)
}

// Unreadable returns the error for a response that lacks what the endpoint returns, so that its effect is unknown.
func Unreadable(op string, status int, message string) error {
	return &Error{Op: op, Status: status, Message: message, unreadable: true}
}

// IsCode reports whether err has one of the API's error codes.
func IsCode(err error, codes ...string) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && slices.Contains(codes, e.Code)
}

// IsStatus reports whether err is a response with one of these HTTP statuses.
func IsStatus(err error, statuses ...int) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && slices.Contains(statuses, e.Status)
}

// retryAfterOf returns how long the API asks to wait; 0 if it does not.
func retryAfterOf(err error) time.Duration {
	e, answered := errors.AsType[*Error](err)
	if !answered {
		return 0
	}
	return e.RetryAfter
}

// IsRateLimitError reports whether a rate limit stays exhausted for longer than MaxWait.
func IsRateLimitError(err error) bool {
	return errors.As(err, new(*RateLimitError))
}

// NeverSent reports whether the request cannot have reached the API.
func NeverSent(err error) bool {
	if said, isSaid := errors.AsType[*effectError](err); isSaid {
		return !said.may
	}
	op, isOp := errors.AsType[*net.OpError](err)
	return errors.As(err, new(*net.DNSError)) || badCertificate(err) || errors.Is(err, syscall.ECONNREFUSED) || isOp && op.Op == "dial"
}

// badCertificate reports whether the connection was not trusted or is not TLS. A retry would get the same error.
func badCertificate(err error) bool {
	return errors.As(err, new(*tls.CertificateVerificationError)) || errors.As(err, new(tls.RecordHeaderError))
}
