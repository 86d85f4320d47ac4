package transport

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"syscall"
	"time"
)

// maxBody is the maximum size of a response's body in bytes, for each call in flight. A list of 5,000 private labels
// has about 3 MB.
const maxBody = 16 << 20

// notSentError is a failure before the request was sent: it had no effect.
type notSentError struct{ err error }

func (e *notSentError) Error() string { return e.err.Error() }

func (e *notSentError) Unwrap() error { return e.err }

// NotSent returns an error for a request that was not sent.
func NotSent(err error) error { return &notSentError{err} }

// noTokenError: the call was not sent because no token could be obtained. The token exchange has its own retries, which
// those of the call must not multiply: the limit is five exchanges in 15 minutes.
type noTokenError struct{ err error }

func (e *noTokenError) Error() string { return e.err.Error() }

func (e *noTokenError) Unwrap() error { return e.err }

// brokenResponseError: the body of a response ended early. The request may have taken effect.
type brokenResponseError struct {
	status int
	err    error
}

func (e *brokenResponseError) Error() string {
	return fmt.Sprintf("the response (HTTP %d) was interrupted: %v", e.status, e.err)
}

func (e *brokenResponseError) Unwrap() error { return e.err }

// NeverSent reports whether the request cannot have reached the API.
func NeverSent(err error) bool {
	var (
		before *notSentError
		op     *net.OpError
		dns    *net.DNSError
	)
	switch {
	case errors.As(err, &before), errors.As(err, &dns), badCertificate(err), errors.Is(err, syscall.ECONNREFUSED):
		return true
	case errors.As(err, &op):
		return op.Op == "dial"
	default:
		return false
	}
}

// badCertificate reports whether the connection was not trusted or is not TLS. A retry would get the same error.
func badCertificate(err error) bool {
	var (
		cert   *tls.CertificateVerificationError
		record tls.RecordHeaderError
	)
	return errors.As(err, &cert) || errors.As(err, &record)
}

// countTransport counts the HTTP requests.
type countTransport struct {
	calls *atomic.Int64
	next  http.RoundTripper
}

func (t *countTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	t.calls.Add(1)
	return t.next.RoundTrip(req)
}

// bufferTransport reads the whole body, so that the retry layer sees a truncated response.
type bufferTransport struct {
	limit int64 // in bytes
	next  http.RoundTripper
}

func (t *bufferTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body, err := readUpTo(resp, t.limit)
	if closeErr := resp.Body.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return nil, &brokenResponseError{status: resp.StatusCode, err: err}
	}
	resp.Body = &wholeBody{Reader: bytes.NewReader(body), raw: body}
	return resp, nil
}

// readUpTo reads up to limit bytes. It does not read a body whose Content-Length is larger.
func readUpTo(resp *http.Response, limit int64) ([]byte, error) {
	tooLarge := fmt.Errorf("the body is larger than %d bytes", limit)
	if resp.ContentLength > limit {
		return nil, tooLarge
	}
	var body bytes.Buffer
	if resp.ContentLength > 0 {
		body.Grow(int(resp.ContentLength) + bytes.MinRead) // one allocation
	}
	_, err := body.ReadFrom(io.LimitReader(resp.Body, limit+1))
	if err == nil && int64(body.Len()) > limit {
		return nil, tooLarge
	}
	return body.Bytes(), err
}

// wholeBody is a body in memory, which peek can read without consuming it.
type wholeBody struct {
	*bytes.Reader
	raw []byte
}

func (*wholeBody) Close() error { return nil }

// peek returns the body of a response without consuming it.
func peek(resp *http.Response) []byte {
	if b, ok := resp.Body.(*wholeBody); ok {
		return b.raw
	}
	return nil
}

// timeoutTransport limits the time of one HTTP request. It completes a write after the run is canceled, because its
// outcome would otherwise be unknown.
type timeoutTransport struct {
	timeout time.Duration
	next    http.RoundTripper
}

func (t *timeoutTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	if callOf(ctx).Writes {
		if ctx.Err() != nil {
			return nil, &notSentError{ctx.Err()}
		}
		ctx = context.WithoutCancel(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, t.timeout)
	defer cancel() // the body has been read
	resp, err := t.next.RoundTrip(req.WithContext(ctx))
	if err != nil && errors.Is(err, context.DeadlineExceeded) && req.Context().Err() == nil {
		return nil, fmt.Errorf("no response within %s: %w", t.timeout, err)
	}
	return resp, err
}

// rateLimitTransport sends a request when the rate limits allow it.
type rateLimitTransport struct {
	limiter *rateLimiter
	isFinal func(*Call, *http.Response) bool
	next    http.RoundTripper
}

func (t *rateLimitTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	call := callOf(req.Context())
	if len(call.Limits) == 0 {
		return t.next.RoundTrip(req)
	}
	if !useReservation(req.Context(), call.Limits) {
		if _, err := t.limiter.acquire(req.Context(), call.Limits); err != nil {
			return nil, &notSentError{err}
		}
	}
	resp, err := t.next.RoundTrip(req)
	switch {
	case resp != nil:
		status := resp.StatusCode
		if status == http.StatusTooManyRequests && t.isFinal(call, resp) {
			status = http.StatusBadRequest // exhausts no limit
		}
		t.limiter.release(call.Limits, status, resp.Header)
	case NeverSent(err):
		t.limiter.cancel(call.Limits)
	default:
		t.limiter.release(call.Limits, 0, nil)
	}
	return resp, err
}

// authTransport adds the access token and records it in the call.
type authTransport struct {
	source *tokenSource
	next   http.RoundTripper
}

func (t *authTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	tok, err := t.source.token(req.Context())
	if err != nil {
		return nil, &notSentError{&noTokenError{err}}
	}
	callOf(req.Context()).token = tok.AccessToken
	req = req.Clone(req.Context()) // a RoundTripper must not change its request
	tok.SetAuthHeader(req)
	return t.next.RoundTrip(req)
}
