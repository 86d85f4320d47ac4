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
	"syscall"
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

// reply is an HTTP response with its whole body.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// attempt sends a call once, with an access token, when the rate limits allow it.
func (c *Caller) attempt(req *http.Request, call *Call) (*reply, error) {
	ctx := req.Context()
	creds, err := c.tokens.credentials(ctx)
	if err != nil {
		return nil, NotSent(&noTokenError{err})
	}
	call.token = creds.AccessToken
	req.Header.Set("Authorization", "Bearer "+creds.AccessToken)
	if len(call.Limits) == 0 {
		return c.send(req, call.Writes)
	}
	if !useReservation(ctx, call.Limits) {
		if _, err := c.limiter.acquire(ctx, call.Limits); err != nil {
			return nil, NotSent(err)
		}
	}
	r, err := c.send(req, call.Writes)
	switch {
	case err == nil:
		status := r.status
		if status == http.StatusTooManyRequests && c.isFinal(call, r) {
			status = http.StatusBadRequest // exhausts no limit
		}
		c.limiter.release(call.Limits, status, r.header)
	case NeverSent(err):
		c.limiter.cancel(call.Limits)
	default:
		c.limiter.release(call.Limits, 0, nil)
	}
	return r, err
}

// send makes an HTTP request and reads the whole body, so that a truncated response counts as lost. It follows no
// redirect, which would send the token to another host, or turn a POST into a GET. It completes a write after the run is
// canceled, because its outcome would otherwise be unknown.
func (c *Caller) send(req *http.Request, writes bool) (*reply, error) {
	ctx := req.Context()
	if writes {
		if ctx.Err() != nil {
			return nil, NotSent(ctx.Err())
		}
		ctx = context.WithoutCancel(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, c.cfg.RequestTimeout)
	defer cancel()
	c.calls.Add(1)
	r, err := roundTrip(c.cfg.Transport, req.WithContext(ctx), maxBody)
	if errors.Is(err, context.DeadlineExceeded) && req.Context().Err() == nil {
		err = fmt.Errorf("no response within %s: %w", c.cfg.RequestTimeout, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", req.Method, req.URL, err)
	}
	return r, nil
}

// roundTrip reads a body of up to limit bytes, and nothing of one whose Content-Length is larger.
func roundTrip(t http.RoundTripper, req *http.Request, limit int64) (*reply, error) {
	resp, err := t.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	var body bytes.Buffer
	if resp.ContentLength <= limit {
		body.Grow(int(max(0, resp.ContentLength)) + bytes.MinRead) // one allocation
		_, err = body.ReadFrom(io.LimitReader(resp.Body, limit+1))
	}
	if err == nil && max(resp.ContentLength, int64(body.Len())) > limit {
		err = fmt.Errorf("the body is larger than %d bytes", limit)
	}
	if err != nil {
		return nil, &brokenResponseError{status: resp.StatusCode, err: err}
	}
	return &reply{resp.StatusCode, resp.Header, body.Bytes()}, nil
}
