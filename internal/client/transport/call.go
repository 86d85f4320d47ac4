package transport

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
	"github.com/privatelabels/terraform-provider-reseller/internal/secrets"
)

// Request is one use of an endpoint. A call does not change it.
type Request struct {
	Op     string // "provision the private label"
	Method string
	Base   *url.URL // nil: the API's base URL
	Path   string   // escaped, below the base URL
	Route  string   // path without IDs, for the log and errors
	Query  url.Values
	Body   any   // sent as JSON
	Form   *Form // sent instead of Body

	Limits    []Limit  // toward which the call counts, narrowest first; none: each 429 delays only this call
	Place     *Place   // reserved for the first attempt; nil for none
	Retryable bool     // a retry has no further effect
	Writes    bool     // the HTTP request is completed after the run is canceled
	NeedsBody bool     // a success of a write without a body does not show its effect
	Secrets   []string // of this call; redacted even if short
}

// Response is a success. One to a write may have no body.
type Response struct {
	Data   json.RawMessage // `data`, nil if there is none
	Status int
	Lost   bool // the response to an earlier attempt was lost: it may have taken effect before this one
}

// maxBody is the maximum size of a response's body in bytes, for each call in flight. A list of 5,000 private labels
// has about 3 MB.
const maxBody = 16 << 20

// Do makes a call. After a write, MayHaveTakenEffect reports what an error means for its effect.
func (c *Caller) Do(ctx context.Context, r Request) (Response, error) {
	ctx = c.Masked(ctx, r.Secrets...)
	retries := &retryPolicy{caller: c, request: &r}
	for attempt := 1; ; attempt++ {
		req, token, err := c.prepare(ctx, &r)
		if err != nil { // an exchange has its own retries, which those of the call must not multiply
			return Response{}, retries.doubt(c.unanswered(&r, NotSent(err)))
		}
		sent := c.clock.Now()
		got, err := c.roundTrip(req, r.Writes)
		duration := c.clock.Now().Sub(sent)
		resp, failed := c.classify(&r, got, token)
		c.release(&r, got, failed)
		c.log(ctx, &r, attempt, duration, got)
		retry, err := retries.after(ctx, token, failed, err)
		switch {
		case retry:
		case err != nil:
			return Response{}, retries.doubt(c.unanswered(&r, err))
		case failed != nil:
			failed.Endpoint = r.Method + " " + r.Route
			return Response{}, retries.doubt(failed)
		default:
			resp.Lost = retries.lost
			return resp, nil
		}
	}
}

// prepare returns the HTTP request of one attempt and its token, when the rate limits allow to send it. It takes a place in
// each of them, which release returns.
func (c *Caller) prepare(ctx context.Context, r *Request) (req *http.Request, token string, err error) {
	if req, err = c.newRequest(ctx, r); err != nil {
		return nil, "", err
	}
	creds, err := c.tokens.credentials(ctx)
	if err != nil {
		return nil, "", err
	}
	req.Header.Set("Authorization", "Bearer "+creds.AccessToken)
	if len(r.Limits) > 0 && !r.Place.use(r.Limits) {
		_, err = c.limiter.acquire(ctx, r.Limits)
	}
	return req, creds.AccessToken, err
}

// unanswered returns the error of a call without a response. Where nothing was sent, a short secret could be part of
// any word, such as a port.
func (c *Caller) unanswered(r *Request, err error) error {
	err = fmt.Errorf("%s: %w", r.Op, r.Form.orReadError(err))
	if NeverSent(err) {
		return c.redactor().Error(err)
	}
	return c.redactor(r.Secrets...).Error(err)
}

// Unreadable returns the error for a response that lacks what the endpoint returns, so that its effect is unknown.
func (c *Caller) Unreadable(r Request, resp Response, message string) error {
	return Unreadable(r.Op, resp.Status, printable.Cut(c.redactor(r.Secrets...).Text(message), maxMessage))
}

// newRequest returns the HTTP request of one attempt.
func (c *Caller) newRequest(ctx context.Context, r *Request) (*http.Request, error) {
	var content io.Reader
	if r.Form == nil && r.Body != nil {
		body, err := anyjson.Encode(r.Body)
		if err != nil {
			return nil, err
		}
		content = bytes.NewReader(body)
	}
	address := cmp.Or(r.Base, c.cfg.BaseURL).String() + r.Path
	if len(r.Query) > 0 {
		address += "?" + r.Query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, address, content)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", c.cfg.UserAgent)
	switch {
	case r.Form != nil:
		req.Header.Set("Content-Type", r.Form.contentType)
		req.ContentLength = r.Form.size
		req.Body = r.Form.reader()
		req.GetBody = func() (io.ReadCloser, error) { return r.Form.reader(), nil }
	case content != nil:
		req.Header.Set("Content-Type", "application/json")
	}
	return req, nil
}

// reply is an HTTP response with its whole body.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// roundTrip makes an HTTP request and reads the whole body, so that a truncated response counts as lost. It follows no
// redirect, which would send the token to another host, or turn a POST into a GET. It completes a write after the run is
// canceled, because its outcome would otherwise be unknown.
func (c *Caller) roundTrip(req *http.Request, writes bool) (*reply, error) {
	ctx := req.Context()
	if writes {
		if ctx.Err() != nil {
			return nil, NotSent(ctx.Err())
		}
		ctx = context.WithoutCancel(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, c.cfg.RequestTimeout)
	defer cancel()
	var whole *reply
	resp, err := c.cfg.Transport.RoundTrip(req.WithContext(ctx)) //nolint:bodyclose // readWhole does
	if err == nil {
		whole, err = readWhole(resp, maxBody)
	}
	if errors.Is(err, context.DeadlineExceeded) && req.Context().Err() == nil {
		err = fmt.Errorf("no response within %s: %w", c.cfg.RequestTimeout, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", req.Method, req.URL, err)
	}
	return whole, nil
}

// classify decodes a response, nil for none. failed is an error of the API.
func (c *Caller) classify(r *Request, got *reply, token string) (resp Response, failed *Error) {
	if got == nil {
		return resp, nil
	}
	resp.Status = got.status
	if r.Writes && !r.NeedsBody && isSuccess(got.status) && len(bytes.TrimSpace(got.body)) == 0 {
		return resp, nil // accepted: a retry would send it again
	}
	clean := c.redactor(r.Secrets...)
	body := secrets.Without(got.body, c.cfg.APIKey, token)
	resp.Data, failed = decode(r.Op, got.status, got.header, body, c.clock.Now(), clean)
	if failed != nil && !slices.Contains(c.cfg.Codes, failed.Code) {
		failed.Code = clean.Text(failed.Code)
	}
	return resp, failed
}

// release returns the places of an attempt, and lets the rate limits see its response.
func (c *Caller) release(r *Request, got *reply, failed *Error) {
	switch {
	case len(r.Limits) == 0:
	case got == nil:
		c.limiter.finish(r.Limits, 0, nil)
	case failed != nil && c.cfg.IsFinal(failed):
		c.limiter.finish(r.Limits, http.StatusBadRequest, got.header) // even a 429 exhausts no limit
	default:
		c.limiter.finish(r.Limits, got.status, got.header)
	}
}

// log writes one line for an attempt.
func (c *Caller) log(ctx context.Context, r *Request, number int, duration time.Duration, got *reply) {
	fields := map[string]any{
		"op": r.Op, "method": r.Method, "path": r.Route, "attempt": number, "milliseconds": duration.Milliseconds(), "status": 0,
	}
	if got != nil {
		fields["status"] = got.status
		if remaining, ok := headerInt(got.header, "RateLimit-Remaining"); ok && len(r.Limits) > 0 {
			fields["limit"] = whichLimit(r.Limits, got.header).String()
			fields["remaining"] = remaining
		}
	}
	tflog.Debug(ctx, c.cfg.API+" call", fields)
}

// readWhole reads a body of up to limit bytes, and nothing of one whose Content-Length is larger.
func readWhole(resp *http.Response, limit int64) (_ *reply, err error) {
	defer func() { _ = resp.Body.Close() }()
	var body bytes.Buffer
	if resp.ContentLength <= limit {
		body.Grow(int(max(0, resp.ContentLength)) + bytes.MinRead) // one allocation
		_, err = body.ReadFrom(io.LimitReader(resp.Body, limit+1))
	}
	if err == nil && max(resp.ContentLength, int64(body.Len())) > limit {
		err = fmt.Errorf("the body is larger than %d bytes", limit)
	}
	if err != nil { // the request may have taken effect
		return nil, fmt.Errorf("the response (HTTP %d) was interrupted: %w", resp.StatusCode, err)
	}
	return &reply{resp.StatusCode, resp.Header, body.Bytes()}, nil
}
