package client

import (
	"context"
	"errors"
)

// ErrNoSlug: the dashboard has no slug.
var ErrNoSlug = errors.New("the dashboard shows no slug, so the API key acts for no reseller")

// slugState is the slug and whether it may be outdated: it was read from the token cache, and no 403 has led to another
// look at the dashboard.
type slugState struct {
	value         string
	maybeOutdated bool
}

// Slug returns the reseller's own host name, the `:slug` of its paths (§2.1): as configured, as stored with the token,
// or from one dashboard call (§4.2), which all callers and all processes with the same cache share.
func (c *Client) Slug(ctx context.Context) (string, error) {
	if known := c.slug.Load().value; known != "" {
		return known, nil
	}
	if err := c.slugLock.Acquire(ctx, 1); err != nil {
		return "", err
	}
	defer c.slugLock.Release(1)
	if known := c.slug.Load().value; known != "" {
		return known, nil
	}
	creds, err := c.caller.Credentials(ctx)
	if err != nil {
		return "", err
	}
	stored := creds.Slug
	if stored == "" {
		var unlock func()
		if unlock, stored, err = c.caller.LockSlug(ctx); err != nil {
			return "", err
		}
		defer unlock()
	}
	if stored != "" {
		c.slug.Store(&slugState{value: stored, maybeOutdated: true})
		return stored, nil
	}
	slug, err := c.slugFromDashboard(ctx)
	if err == nil {
		c.slug.Store(&slugState{value: slug})
	}
	return slug, err
}

func (c *Client) slugFromDashboard(ctx context.Context) (string, error) {
	d, err := c.Dashboard(ctx)
	if err == nil && (d.Slug == nil || *d.Slug == "") {
		err = ErrNoSlug
	}
	if err != nil {
		return "", err
	}
	c.caller.RememberSlug(ctx, *d.Slug)
	return *d.Slug, nil
}

// slugMoved reports whether the reseller has another slug than the one that was used. It reads the dashboard once if the
// remembered slug may be outdated.
func (c *Client) slugMoved(ctx context.Context, used string) bool {
	if c.slugLock.Acquire(ctx, 1) != nil {
		return false
	}
	defer c.slugLock.Release(1)
	state := *c.slug.Load()
	if state.value != used || !state.maybeOutdated {
		return state.value != used // another call has read it
	}
	now, err := c.slugFromDashboard(ctx)
	if err != nil {
		now = used
	}
	c.slug.Store(&slugState{value: now})
	return now != used
}
