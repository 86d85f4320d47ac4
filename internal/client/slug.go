package client

import (
	"context"
	"errors"
)

// ErrNoSlug: the dashboard has no slug.
var ErrNoSlug = errors.New("the dashboard shows no slug, so the API key acts for no reseller")

// slugState records the origin of the slug: only a remembered one may be outdated.
type slugState struct {
	value      string
	remembered bool // read from the token cache
	looked     bool // the dashboard was read because of a 403
}

// Slug returns the reseller's own host name, the `:slug` of its paths (§2.1): as configured, as stored with the token,
// or from one dashboard call (§4.2), which all callers and all processes with the same cache share.
func (c *Client) Slug(ctx context.Context) (string, error) {
	if known := c.knownSlug().value; known != "" {
		return known, nil
	}
	if err := c.slugLock.Acquire(ctx, 1); err != nil {
		return "", err
	}
	defer c.slugLock.Release(1)
	if known := c.knownSlug().value; known != "" {
		return known, nil
	}
	creds, err := c.caller.Credentials(ctx)
	if err != nil {
		return "", err
	}
	if creds.Slug != "" {
		c.setSlug(slugState{value: creds.Slug, remembered: true})
		return creds.Slug, nil
	}
	return c.findSlug(ctx)
}

// findSlug reads the dashboard, in one process at a time.
func (c *Client) findSlug(ctx context.Context) (string, error) {
	unlock, stored, err := c.caller.LockSlug(ctx)
	if err != nil {
		return "", err
	}
	defer unlock()
	if stored != "" {
		c.setSlug(slugState{value: stored, remembered: true})
		return stored, nil
	}
	slug, err := c.slugFromDashboard(ctx)
	if err != nil {
		return "", err
	}
	c.setSlug(slugState{value: slug})
	return slug, nil
}

func (c *Client) slugFromDashboard(ctx context.Context) (string, error) {
	d, err := c.Dashboard(ctx)
	if err != nil {
		return "", err
	}
	if d.Slug == nil || *d.Slug == "" {
		return "", ErrNoSlug
	}
	c.caller.RememberSlug(ctx, *d.Slug)
	return *d.Slug, nil
}

// slugMoved reads the dashboard once if a remembered slug may be outdated, and returns the new slug; "" if it did not
// change.
func (c *Client) slugMoved(ctx context.Context, used string) (string, error) {
	if err := c.slugLock.Acquire(ctx, 1); err != nil {
		return "", err
	}
	defer c.slugLock.Release(1)
	state := c.knownSlug()
	if state.value != used {
		return state.value, nil // another call has read it
	}
	if !state.remembered || state.looked {
		return "", nil
	}
	state.looked = true
	c.setSlug(state)
	slug, err := c.slugFromDashboard(ctx)
	if err != nil || slug == used {
		return "", err
	}
	state.value = slug
	c.setSlug(state)
	return slug, nil
}

func (c *Client) knownSlug() slugState {
	c.slugMu.Lock()
	defer c.slugMu.Unlock()
	return c.slug
}

func (c *Client) setSlug(s slugState) {
	c.slugMu.Lock()
	defer c.slugMu.Unlock()
	c.slug = s
}
