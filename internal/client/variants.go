package client

import (
	"context"
	"errors"
	"net/http"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// variant is one way to call an endpoint whose method, path or ID the API documentation does not show.
type variant struct {
	method string
	suffix string // appended to the path
}

// findMethod tries the variants in order until an endpoint responds: 404 NOT_FOUND and 405 show that no endpoint has
// this method and path, so that the call had no effect. The variant that works is used from then on.
func (c *Client) findMethod(ctx context.Context, what string, variants []variant, try func(variant) error) error {
	c.worked.mu.Lock()
	first, known := c.worked.variant[what]
	c.worked.mu.Unlock()
	if known {
		return try(first)
	}
	var err error
	for _, v := range variants {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		err = try(v)
		if transport.IsCode(err, CodeNotFound) || transport.IsStatus(err, http.StatusMethodNotAllowed) {
			continue
		}
		if endpointResponded(err) {
			c.worked.mu.Lock()
			c.worked.variant[what] = v
			c.worked.mu.Unlock()
		}
		return err
	}
	return err
}

// endpointResponded reports whether an endpoint responded, with success or with one of its own errors. A failed
// connection shows nothing.
func endpointResponded(err error) bool {
	var e *transport.Error
	return err == nil || errors.As(err, &e) && e.Code != "" && e.Status < http.StatusInternalServerError
}
