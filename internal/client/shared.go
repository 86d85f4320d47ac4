package client

import (
	"context"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"
)

// What the client of the Signing API has in common with this one.

// SettlePause lies between two looks for the effect of a call whose answer was
// lost.
const SettlePause = settlePause

// Settling is a context for those looks: it outlives a cancelled run by a
// minute.
func Settling(ctx context.Context) (context.Context, context.CancelFunc) { return settling(ctx) }

// RealClock is the clock of the machine.
func RealClock() Clock { return realClock{} }

// NewPooledTransport makes connections of its own.
func NewPooledTransport() http.RoundTripper { return newPooledTransport() }

// ParseBase reads an address that paths are put behind.
func ParseBase(address string) (*url.URL, error) { return parseBase(address) }

// NewCallTransport bounds one HTTP call, reads the whole of its answer, and
// lets a call that writes end although the run is cancelled (see CallContext).
func NewCallTransport(timeout time.Duration, next http.RoundTripper) http.RoundTripper {
	if timeout <= 0 {
		timeout = defaultRequestTimeout
	}
	return &timeoutTransport{timeout: timeout, next: &bufferTransport{limit: maxBody, next: next}}
}

// CallContext tells NewCallTransport what kind of call this is.
func CallContext(ctx context.Context, writes bool) context.Context {
	method := http.MethodGet
	if writes {
		method = http.MethodPost
	}
	return withCall(ctx, &call{route: route{method: method}})
}

// Decode classifies an answer that came through NewCallTransport and reads its
// data into out, nil to ignore it. The error is an *Error without the secrets,
// but for short ones in its code.
func Decode(op string, resp *http.Response, now time.Time, secrets Redactor, out any) error {
	return decode(op, resp.StatusCode, resp.Header, peek(resp), now, secrets, out)
}

// Peek returns the body of such an answer without using it up.
func Peek(resp *http.Response) []byte { return peek(resp) }

// Unreadable is the error for an answer that lacks what the endpoint answers,
// so that its effect is not known.
func Unreadable(op string, status int, message string) error {
	return &Error{Op: op, Status: status, Message: message, unreadable: true}
}

// NotSent marks a failure before the request left.
func NotSent(err error) error { return &notSentError{err} }

// NeverSent tells whether nothing can have reached the service.
func NeverSent(err error) bool { return neverSent(err) }

// BadCertificate tells whether the connection was not trusted: a repeat would
// meet the same.
func BadCertificate(err error) bool { return badCertificate(err) }

// MayHaveHappened tells whether a writing call that failed may have had its
// effect.
func MayHaveHappened(err error) bool { return doubtful(err) }

// RepeatPause is the pause before the next attempt: it grows with the failures
// before it, with jitter so that parallel calls do not come back in step.
func RepeatPause(failures int) time.Duration {
	grown := pauseAfter(failures)
	return grown/2 + rand.N(grown/2) //nolint:gosec // G404: jitter, not a secret
}

// LogSeconds is a wait as the log says it: in seconds, to a tenth.
func LogSeconds(wait time.Duration) float64 {
	return wait.Round(100 * time.Millisecond).Seconds()
}
