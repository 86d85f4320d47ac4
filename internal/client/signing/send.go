package signing

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// call is one request of an endpoint.
type call struct {
	op       string // "upload the document"
	endpoint endpoint
	query    url.Values
	body     any             // sent as JSON
	form     *transport.Form // sent instead of body
	secrets  []string

	writes     bool // continues after the run is canceled
	repeatable bool // a retry has no further effect
}

// do makes a call and returns `data` of its response, nil if there is none.
func (c *Client) do(ctx context.Context, op *call) (json.RawMessage, error) {
	sent := &transport.Call{
		Op: op.op, Method: op.endpoint.method, Base: c.baseOf(op.endpoint), Path: op.endpoint.path, Route: op.endpoint.path,
		Query: op.query, Body: op.body, Form: op.form,
		Retryable: op.repeatable, Writes: op.writes,
		Secrets: append([]string{c.cfg.UserAPIKey}, op.secrets...),
	}
	data, err := c.caller.Do(ctx, sent)
	if err != nil {
		return nil, newRedactor(sent.Secrets).error(err)
	}
	return data, nil
}

// baseOf returns the base URL of an endpoint: each family can have its own.
func (c *Client) baseOf(e endpoint) *url.URL {
	if strings.HasPrefix(e.path, "/signing-api/") {
		return c.api
	}
	return c.base
}

// isFinal reports whether a retry would get the same response: an API error, a status that shows that no endpoint
// processed the request, or an HTML page.
func isFinal(e *transport.Error) bool {
	return isDocumented(e) || notServed(e) || e.Status < http.StatusBadRequest
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
