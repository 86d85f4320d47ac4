package client

import "context"

// variant is one way to call an endpoint whose method, path or id the documents
// do not show.
type variant struct {
	method string
	suffix string // behind the path
}

// findMethod tries the variants in order until one is answered by an endpoint:
// 404 NOT_FOUND says that none answers method and path, so that nothing
// happened. What worked is tried first from then on.
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
		if IsCode(err, CodeNotFound) {
			continue
		}
		if err == nil || !neverSent(err) {
			c.worked.mu.Lock()
			c.worked.variant[what] = v
			c.worked.mu.Unlock()
		}
		return err
	}
	return err
}
