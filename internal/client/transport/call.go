package transport

import (
	"bytes"
	"context"
	"encoding/json"
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
	Route  string   // path without IDs, for the log
	Query  url.Values
	Body   any   // sent as JSON
	Form   *Form // sent instead of Body

	Limits    []Limit  // toward which the call counts, narrowest first; none: each 429 delays only this call
	Retryable bool     // a retry has no further effect
	Writes    bool     // the HTTP request is completed after the run is canceled
	Secrets   []string // of this call; redacted even if short

	// Set by the call.
	Status    int  // of the last response
	Uncertain bool // a failed attempt may have taken effect

	token string // of the last attempt
}

// Do makes a call and returns `data` of the response, nil if there is none.
func (c *Caller) Do(ctx context.Context, call *Call) (json.RawMessage, error) {
	ctx = c.Masked(ctx, call.Secrets...)
	policy := &retryPolicy{caller: c, call: call}
	resp, err := policy.do(ctx)
	if err != nil {
		err = fmt.Errorf("%s: %w", call.Op, call.Form.orReadError(err))
		if NeverSent(err) {
			return nil, c.redactor().Error(err) // a short secret could be part of it, as of a port
		}
		return nil, c.redactor(call.Secrets...).Error(err)
	}
	tflog.Debug(ctx, c.cfg.API+" call", map[string]any{"op": call.Op, "method": call.Method, "path": call.Route, "status": resp.status})
	call.Status = resp.status
	if resp.failed != nil {
		return nil, resp.failed
	}
	return resp.data, nil
}

// response is a decoded response.
type response struct {
	status int
	data   json.RawMessage
	failed *Error // nil for success
}

func (c *Caller) decode(call *Call, r *reply) response {
	body := withoutCredentials(r.body, c.cfg.APIKey, call.token)
	clean := c.redactor(call.Secrets...)
	data, failed := decode(call.Op, r.status, r.header, body, c.clock.Now(), clean)
	if failed != nil && !slices.Contains(c.cfg.Codes, failed.Code) {
		failed.Code = clean.Text(failed.Code)
	}
	return response{status: r.status, data: data, failed: failed}
}

// isFinal reports whether a retry would get the same error.
func (c *Caller) isFinal(call *Call, r *reply) bool {
	failed := c.decode(call, r).failed
	return failed != nil && c.cfg.IsFinal(failed)
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
	base := call.Base
	if base == nil {
		base = c.cfg.BaseURL
	}
	address := base.String() + call.Path
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
