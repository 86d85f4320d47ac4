package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Paths of the reseller and of one private label.
const (
	reseller     = "/console/:slug/reseller"
	privateLabel = reseller + "/private-labels/:tenantId"
)

// route is an endpoint with the rate limits and the retries of its calls.
type route struct {
	op         string // "provision the private label"
	method     string
	path       string // below the base URL; a call replaces `:slug` and every other element that begins with a colon
	retryable  bool   // a retry has no further effect (§7.4)
	billing    bool   // counts toward the billing limit instead of the console limit (§8)
	allocation bool   // counts toward the allocation limit, too
	upload     bool   // uses the upload URL (§4.7)
}

// get returns a read.
func get(op, path string) route {
	return route{op: op, method: http.MethodGet, path: path, retryable: true}
}

// post returns a write; §7.4 lists those that are safe to retry.
func post(op, path string, retryable bool) route {
	return route{op: op, method: http.MethodPost, path: path, retryable: retryable}
}

const repeatable, sentOnce = true, false

// toBilling returns the route with the billing limit instead of the console limit (§8).
func (r route) toBilling() route {
	r.billing = true
	return r
}

// of returns a call with the IDs of the path, in its order.
func (r route) of(ids ...string) *request { return &request{route: r, ids: ids} }

// limits returns the limits toward which the route counts, narrowest first (§8).
func (r route) limits() []transport.Limit {
	var out []transport.Limit
	if r.allocation {
		out = append(out, transport.LimitAllocation)
	}
	if r.billing {
		return append(out, transport.LimitBilling, transport.LimitTotal)
	}
	return append(out, transport.LimitConsole, transport.LimitTotal)
}

// idForm is the form of every ID (§2.1).
var idForm = regexp.MustCompile(`^[0-9a-f]{32}$`)

// maxSlug is the maximum length of a host name in bytes.
const maxSlug = 253

// fill returns the path with every element escaped.
func (r route) fill(slug string, ids []string) (string, error) {
	elements := strings.Split(r.path, "/")
	ids = append(ids, "") // a missing ID has no ID's form
	for i, element := range elements {
		name, isParam := strings.CutPrefix(element, ":")
		switch {
		case !isParam:
		case name == "slug":
			if strings.Trim(slug, ".") == "" || len(slug) > maxSlug { // escaping does not change "." and ".."
				return "", fmt.Errorf("%q is not a slug", transport.CutText(slug, maxSlug))
			}
			elements[i] = url.PathEscape(slug)
		case !idForm.MatchString(ids[0]):
			return "", fmt.Errorf("%q is not a %s, which has 32 lowercase hex characters", ids[0], name)
		default:
			elements[i], ids = ids[0], ids[1:]
		}
	}
	return strings.Join(elements, "/"), nil
}

// request is one call of a route.
type request struct {
	route
	ids   []string // of the path, in its order
	query url.Values
	body  any             // sent as JSON
	form  *transport.Form // sent instead of body

	uncertain bool // set by the call: a failed attempt may have taken effect
}

// call makes a call and reads `data` of its response.
func call[T any](ctx context.Context, c *Client, req *request, read func(data json.RawMessage) (T, error)) (out T, err error) {
	sent, data, err := c.send(ctx, req)
	if err != nil {
		return out, err
	}
	if out, err = read(data); err != nil {
		err = c.caller.Unreadable(sent, err.Error())
	}
	return out, err
}

// do makes a call and ignores the data of its response.
func (c *Client) do(ctx context.Context, req *request) error {
	_, _, err := c.send(ctx, req)
	return err
}

func (c *Client) send(ctx context.Context, req *request) (sent *transport.Call, data json.RawMessage, err error) {
	var slug string
	if strings.Contains(req.path, "/:slug/") {
		if slug, err = c.Slug(ctx); err != nil {
			return nil, nil, transport.NotSent(err)
		}
	}
	for {
		path, err := req.fill(slug, req.ids)
		if err != nil {
			return nil, nil, transport.NotSent(err)
		}
		sent = &transport.Call{
			Op: req.op, Method: req.method, Path: path, Route: req.path, Query: req.query, Body: req.body, Form: req.form,
			Limits: req.limits(), Retryable: req.retryable, Writes: req.method != http.MethodGet,
		}
		if req.upload {
			sent.Base = c.upload
		}
		data, err = c.caller.Do(ctx, sent)
		req.uncertain = req.uncertain || sent.Uncertain
		if slug == "" || !transport.IsCode(err, CodeForbidden) {
			return sent, data, err
		}
		// A remembered slug may be outdated (§2.1): it is read again once, and the call is made again if it changed.
		moved := c.slugMoved(ctx, slug)
		if moved == "" {
			return sent, data, err
		}
		slug = moved
	}
}

// whole reads a response of a documented type.
func whole[T any](data json.RawMessage) (*T, error) {
	out := new(T)
	if err := json.Unmarshal(data, out); err != nil {
		return nil, fmt.Errorf("the response's data cannot be read: %w", err)
	}
	if missing := missingField(reflect.ValueOf(out).Elem()); missing != "" {
		return nil, errNotFound(missing)
	}
	return out, nil
}

// missingField returns the first field with the tag `required` that a response lacks, in itself or in the rows of such a
// field; "" for none. A response without its list must not be read as an empty list, nor one without an ID as that of
// another object. `required:"id"` also checks the form of the ID.
func missingField(response reflect.Value) string {
	switch kind := response.Kind(); {
	case kind == reflect.Slice && response.Type().Elem().Kind() == reflect.Struct:
		for i := range response.Len() {
			if missing := missingField(response.Index(i)); missing != "" {
				return fmt.Sprintf("[%d].%s", i, missing)
			}
		}
	case kind == reflect.Struct:
		for field, value := range response.Fields() {
			name, required := field.Tag.Get("json"), field.Tag.Get("required")
			switch {
			case required == "":
			case value.IsZero(), required == "id" && !idForm.MatchString(value.String()):
				return name
			case missingField(value) != "":
				return name + missingField(value)
			}
		}
	}
	return ""
}

func errNotFound(field string) error {
	return errors.New("the response has no " + field + " that this version can find")
}

// Bucket is a rate limit toward which a read can count (§8).
type Bucket int

// The buckets of reads.
const (
	BucketConsole Bucket = iota
	BucketBilling
)

// Reserve waits until a call that counts toward one of the buckets may be sent, the first one if several are free. It
// reserves a place for the next call with the returned context, as Caller.Reserve does for sets of limits.
func (c *Client) Reserve(ctx context.Context, buckets ...Bucket) (reserved context.Context, bucket Bucket, release func(), err error) {
	// The dashboard call for the slug needs a place itself.
	if _, err := c.Slug(ctx); err != nil {
		return ctx, 0, func() {}, transport.NotSent(err)
	}
	var choices [][]transport.Limit
	for _, b := range buckets {
		choices = append(choices, route{billing: b == BucketBilling}.limits())
	}
	reserved, choice, release, err := c.caller.Reserve(ctx, choices...)
	if err != nil {
		return ctx, 0, release, err
	}
	return reserved, buckets[choice], release, nil
}
