package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// request is one call of a route.
type request struct {
	op    string // "provision the private label"
	route route
	ids   map[string]string
	query url.Values
	body  any             // sent as JSON
	form  *transport.Form // sent instead of body

	uncertain bool // a failed attempt may have taken effect
}

// do makes a call and decodes `data` of its response into out; nil ignores it.
func (c *Client) do(ctx context.Context, req *request, out any) error {
	if !req.route.needsSlug() {
		return c.send(ctx, req, "", out)
	}
	slug, err := c.Slug(ctx)
	if err != nil {
		return transport.NotSent(err)
	}
	err = c.send(ctx, req, slug, out)
	if !transport.IsCode(err, CodeForbidden) {
		return err
	}
	// A remembered slug may be outdated (§2.1): read it again once, and retry if it changed.
	moved, lookErr := c.slugMoved(ctx, slug)
	if lookErr != nil || moved == "" {
		return err
	}
	return c.send(ctx, req, moved, out)
}

func (c *Client) send(ctx context.Context, req *request, slug string, out any) error {
	call, err := req.call(slug)
	if err != nil {
		return transport.NotSent(err)
	}
	if req.route.upload {
		call.Base = c.upload
	}
	data, err := c.caller.Do(ctx, call)
	req.uncertain = req.uncertain || call.Uncertain
	if err != nil || out == nil {
		return err
	}
	if err := json.Unmarshal(data, out); err != nil {
		return c.caller.Unreadable(call, "the response's data cannot be read: "+err.Error())
	}
	if f, ok := out.(fieldChecker); ok && f.missingField() != "" {
		return c.caller.Unreadable(call, "the response has no "+f.missingField()+" that this version can find")
	}
	return nil
}

// call returns the request as a call of the transport.
func (r *request) call(slug string) (*transport.Call, error) {
	path, err := r.route.fill(slug, r.ids)
	return &transport.Call{
		Op: r.op, Method: r.route.method, Path: path, Route: r.route.path, Query: r.query, Body: r.body, Form: r.form,
		Limits: r.route.limits(), Retryable: r.route.retryable, Writes: r.route.method != http.MethodGet,
	}, err
}
