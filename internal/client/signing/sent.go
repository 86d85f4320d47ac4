package signing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

const opSent = "list the sent documents"

// SentDocuments returns `data` of the list of documents that the user sent in a domain, as normalized JSON (Signing API
// §4.2). The domain "" is the personal account.
//
// The API documentation shows neither the method nor family B's path: each variant is tried until an endpoint responds,
// which is used from then on. 404, 405 and 501 show that there is none; so do a redirect and an HTML page, which a web
// application returns for any path.
func (c *Client) SentDocuments(ctx context.Context, domain string) (json.RawMessage, error) {
	c.sentMu.Lock()
	worked := c.sentRoute
	c.sentMu.Unlock()
	if worked != nil {
		return c.sentFrom(ctx, *worked, domain)
	}
	var none error
	for _, e := range c.routes.sent {
		data, err := c.sentFrom(ctx, e, domain)
		if isElsewhere(err) {
			if none == nil || notServed(none) { // another error is more specific
				none = err
			}
			continue
		}
		if err == nil || isDocumented(err) {
			c.sentMu.Lock()
			c.sentRoute = &e
			c.sentMu.Unlock()
		}
		return data, err
	}
	return nil, fmt.Errorf("no address that this version knows has the list of sent documents, from %s on: %w", c.routes.sent[0], none)
}

func (c *Client) sentFrom(ctx context.Context, e endpoint, domain string) (json.RawMessage, error) {
	op := &call{op: opSent, endpoint: e, repeatable: true}
	if e.method == http.MethodPost {
		op.body = ofDomain{jsonDomain(domain)}
	} else {
		op.query = url.Values{"domain": {formDomain(domain)}}
	}
	data, err := c.do(ctx, op)
	if err != nil {
		return nil, err
	}
	return normalize(opSent, data)
}

// ofDomain is the request body with a domain; null is the personal account, as in an upload.
type ofDomain struct {
	Domain *string `json:"domain"`
}

// isElsewhere reports whether no endpoint of the API sent the response.
func isElsewhere(err error) bool {
	e, answered := errors.AsType[*transport.Error](err)
	switch {
	case !answered, isDocumented(err):
		return false
	case e.Status < http.StatusBadRequest:
		return e.Code == ""
	default:
		return transport.IsStatus(e, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented)
	}
}
