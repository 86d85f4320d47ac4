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

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// Call is one use of an endpoint.
type Call struct {
	Op     string // "provision the private label"
	Method string
	Base   *url.URL // nil: the API's base URL
	Path   string   // escaped, below the base URL
	Route  string   // path without IDs, for the log and errors
	Query  url.Values
	Body   any   // sent as JSON
	Form   *Form // sent instead of Body

	Limits    []Limit  // toward which the call counts, narrowest first; none: each 429 delays only this call
	Retryable bool     // a retry has no further effect
	Writes    bool     // the HTTP request is completed after the run is canceled
	Secrets   []string // of this call; redacted even if short

	// Set by the call.
	Status    int    // of the last response
	Uncertain bool   // a failed attempt may have taken effect
	token     string // of the last attempt
}

// maxBody is the maximum size of a response's body in bytes, for each call in flight. A list of 5,000 private labels
// has about 3 MB.
const maxBody = 16 << 20

// Do makes a call and returns `data` of the response, nil if there is none.
func (c *Caller) Do(ctx context.Context, call *Call) (json.RawMessage, error) {
	ctx = c.Masked(ctx, call.Secrets...)
	retries := &retryPolicy{caller: c, call: call}
	for {
		req, err := c.newRequest(ctx, call)
		if err != nil {
			return nil, c.unanswered(call, NotSent(err))
		}
		creds, err := c.tokens.credentials(ctx)
		if err != nil { // the exchange has its own retries, which those of the call must not multiply
			return nil, c.unanswered(call, NotSent(err))
		}
		call.token = creds.AccessToken
		req.Header.Set("Authorization", "Bearer "+call.token)
		data, failed, err := c.attempt(req, call)
		retry := false
		switch {
		case err != nil:
			retry = retries.afterFailure(ctx, err)
		case failed != nil:
			retry, err = retries.afterResponse(ctx, failed)
		default:
			c.tokens.prove(call.token)
		}
		if retry {
			if err = retries.wait(ctx); err == nil {
				continue
			}
		}
		if err != nil {
			return nil, c.unanswered(call, err)
		}
		tflog.Debug(ctx, c.cfg.API+" call", map[string]any{"op": call.Op, "method": call.Method, "path": call.Route, "status": call.Status})
		if failed != nil {
			failed.Endpoint = call.Method + " " + call.Route
			return nil, failed
		}
		return data, nil
	}
}

// unanswered returns the error of a call without a response. Where nothing was sent, a short secret could be part of
// any word, such as a port.
func (c *Caller) unanswered(call *Call, err error) error {
	err = fmt.Errorf("%s: %w", call.Op, call.Form.orReadError(err))
	if NeverSent(err) {
		return c.redactor().Error(err)
	}
	return c.redactor(call.Secrets...).Error(err)
}

// Unreadable returns the error for a response that lacks what the endpoint returns, so that its effect is unknown.
func (c *Caller) Unreadable(call *Call, message string) error {
	return Unreadable(call.Op, call.Status, CutText(c.redactor(call.Secrets...).Text(message), maxMessage))
}

// newRequest returns the HTTP request of one attempt.
func (c *Caller) newRequest(ctx context.Context, call *Call) (*http.Request, error) {
	var content io.Reader
	if call.Form == nil && call.Body != nil {
		body, err := EncodeJSON(call.Body)
		if err != nil {
			return nil, err
		}
		content = bytes.NewReader(body)
	}
	address := cmp.Or(call.Base, c.cfg.BaseURL).String() + call.Path
	if len(call.Query) > 0 {
		address += "?" + call.Query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, call.Method, address, content)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", c.cfg.UserAgent)
	switch {
	case call.Form != nil:
		req.Header.Set("Content-Type", call.Form.contentType)
		req.ContentLength, req.Body = call.Form.size, call.Form.reader()
		req.GetBody = func() (io.ReadCloser, error) { return call.Form.reader(), nil }
	case content != nil:
		req.Header.Set("Content-Type", "application/json")
	}
	return req, nil
}

// EncodeJSON returns JSON in which <, > and & are not escaped, without a final newline.
func EncodeJSON(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimRight(buf.Bytes(), "\n"), err
}

// attempt sends a request when the rate limits allow it, and decodes the response. failed is an error of the API.
func (c *Caller) attempt(req *http.Request, call *Call) (data json.RawMessage, failed *Error, err error) {
	ctx, limited := req.Context(), len(call.Limits) > 0
	if limited && !useReservation(ctx, call.Limits) {
		if _, err := c.limiter.acquire(ctx, call.Limits); err != nil {
			return nil, nil, NotSent(err)
		}
	}
	status, header := 0, http.Header(nil)
	r, err := c.send(req, call.Writes)
	if err == nil {
		clean := c.redactor(call.Secrets...)
		body := withoutCredentials(r.body, c.cfg.APIKey, call.token)
		data, failed = decode(call.Op, r.status, r.header, body, c.clock.Now(), clean)
		if failed != nil && !slices.Contains(c.cfg.Codes, failed.Code) {
			failed.Code = clean.Text(failed.Code)
		}
		call.Status, status, header = r.status, r.status, r.header
		if failed != nil && c.cfg.IsFinal(failed) {
			status = http.StatusBadRequest // even a 429 exhausts no limit
		}
	}
	if limited {
		c.limiter.release(call.Limits, status, header)
	}
	return data, failed, err
}

// reply is an HTTP response with its whole body.
type reply struct {
	status int
	header http.Header
	body   []byte
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
	if err != nil { // the request may have taken effect
		return nil, fmt.Errorf("the response (HTTP %d) was interrupted: %w", resp.StatusCode, err)
	}
	return &reply{resp.StatusCode, resp.Header, body.Bytes()}, nil
}
