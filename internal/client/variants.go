package client

import (
	"context"
	"errors"
	"net/http"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// variant is one way to call an endpoint whose method, path or id the documents
// do not show.
type variant struct {
	method string
	suffix string // behind the path
}

// findMethod tries the variants in order until one is answered by an endpoint:
// 404 NOT_FOUND says that none answers method and path, as 405 does, so that
// nothing happened. What worked is tried first from then on.
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
		if answersMethod(err) {
			c.worked.mu.Lock()
			c.worked.variant[what] = v
			c.worked.mu.Unlock()
		}
		return err
	}
	return err
}

// answersMethod reports whether an endpoint answered: with success, or with one
// of its own errors. A failure on the way says nothing.
func answersMethod(err error) bool {
	var e *transport.Error
	return err == nil || errors.As(err, &e) && e.Code != "" && e.Status < http.StatusInternalServerError
}
