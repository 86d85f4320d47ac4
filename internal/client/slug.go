package client

import (
	"context"
	"errors"
)

// slugState is where the slug came from: only a remembered one may be old.
type slugState struct {
	value      string
	remembered bool // read from the cache in this process
	looked     bool // the dashboard was asked because of a 403
}

// Slug is the reseller's own domain, the `:slug` of its paths (§2.1): as
// configured, as remembered beside the token, or from one dashboard call
// (§4.2), which the callers of this process share.
func (c *Client) Slug(ctx context.Context) (string, error) {
	c.slugMu.Lock()
	defer c.slugMu.Unlock()
	if c.slug.value != "" {
		return c.slug.value, nil
	}
	creds, err := c.tokens.credentials(ctx)
	if err != nil {
		return "", err
	}
	if creds.Slug != "" {
		c.slug = slugState{value: creds.Slug, remembered: true}
		return creds.Slug, nil
	}
	slug, err := c.slugFromDashboard(ctx)
	if err != nil {
		return "", err
	}
	c.slug.value = slug
	return slug, nil
}

func (c *Client) slugFromDashboard(ctx context.Context) (string, error) {
	d, err := c.Dashboard(ctx)
	if err != nil {
		return "", err
	}
	if d.Slug == nil || *d.Slug == "" {
		return "", errors.New("the dashboard names no slug: the key acts for no reseller, or set `slug` in the provider block")
	}
	c.tokens.rememberSlug(ctx, *d.Slug)
	return *d.Slug, nil
}

// slugMoved asks the dashboard once whether a remembered slug is an old one;
// "" when it is not.
func (c *Client) slugMoved(ctx context.Context, used string) (string, error) {
	c.slugMu.Lock()
	defer c.slugMu.Unlock()
	if c.slug.value != used {
		return c.slug.value, nil // another call found out meanwhile
	}
	if !c.slug.remembered || c.slug.looked {
		return "", nil
	}
	c.slug.looked = true
	slug, err := c.slugFromDashboard(ctx)
	if err != nil || slug == used {
		return "", err
	}
	c.slug.value = slug
	return slug, nil
}
