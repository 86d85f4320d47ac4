package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
)

// Paths of the reseller and of one private label.
const (
	reseller     = "/console/:slug/reseller"
	privateLabel = reseller + "/private-labels/:tenantId"
)

// request is one use of an endpoint. Its Route is the path with parameters that begin with a colon; its Path has the IDs
// of a call, and the slug once it is sent.
type request transport.Request

// Limits toward which a call counts, narrowest first (§8).
var (
	consoleLimits    = []transport.Limit{transport.LimitConsole, transport.LimitTotal}
	billingLimits    = []transport.Limit{transport.LimitBilling, transport.LimitTotal}
	allocationLimits = []transport.Limit{transport.LimitAllocation, transport.LimitBilling, transport.LimitTotal}
)

// get returns a read.
func get(op, path string) request {
	return request{Op: op, Method: http.MethodGet, Route: path, Limits: consoleLimits, Retryable: true}
}

// post returns a write; §7.4 lists those that are safe to retry.
func post(op, path string, retryable bool) request {
	return request{Op: op, Method: http.MethodPost, Route: path, Limits: consoleLimits, Retryable: retryable, Writes: true}
}

// postRead returns a read with the method POST.
func postRead(op, path string) request {
	r := get(op, path)
	r.Method = http.MethodPost
	return r
}

const repeatable, sentOnce = true, false

// remove returns a write with the method DELETE.
func remove(op, path string, retryable bool) request {
	r := post(op, path, retryable)
	r.Method = http.MethodDelete
	return r
}

// toward returns the request with other limits than those of the console.
func (r request) toward(limits []transport.Limit) request {
	r.Limits = limits
	return r
}

// withIDs returns a call with the IDs of the path, in its order.
func (r request) withIDs(ids ...string) request {
	elements := strings.Split(r.Route, "/")
	for i, element := range elements {
		if strings.HasPrefix(element, ":") && element != slugParameter && len(ids) > 0 {
			elements[i] = url.PathEscape(ids[0])
			ids = ids[1:]
		}
	}
	r.Path = strings.Join(elements, "/")
	return r
}

// with returns a call with a body.
func (r request) with(body any) request {
	r.Body = body
	return r
}

// query returns a call with a parameter, without it if its value is "".
func (r request) query(name, value string) request {
	r.Query = url.Values{}
	if value != "" {
		r.Query.Set(name, value)
	}
	return r
}

const (
	slugParameter = ":slug"
	maxSlug       = 253 // maximum length of a host name in bytes
)

// idForm is the form of every ID (§2.1).
var idForm = regexp.MustCompile(`^[0-9a-f]{32}$`)

// fill completes the path with the slug, and checks every ID in it.
func (r request) fill(slug string) (request, error) {
	elements := strings.Split(cmp.Or(r.Path, r.Route), "/")
	for i, parameter := range strings.Split(r.Route, "/") {
		switch {
		case parameter == slugParameter:
			if strings.Trim(slug, ".") == "" || len(slug) > maxSlug { // escaping does not change "." and ".."
				return r, fmt.Errorf("%q is not a slug", printable.Cut(slug, maxSlug))
			}
			elements[i] = url.PathEscape(slug)
		case strings.HasPrefix(parameter, ":") && !idForm.MatchString(elements[i]):
			id, _ := url.PathUnescape(elements[i])
			return r, fmt.Errorf("%q is not a %s, which has 32 lowercase hex characters", strings.TrimPrefix(id, parameter), parameter[1:])
		}
	}
	r.Path = strings.Join(elements, "/")
	return r, nil
}

// do makes a call with the reseller's slug, and reads `data` of its response. lost: an earlier attempt may have taken
// effect. A remembered slug may be outdated (§2.1): it is read again once, and the call is made again if it changed.
func do[T any](ctx context.Context, c *Client, req request, read func(data json.RawMessage) (T, error)) (out T, lost bool, err error) {
	var slug string
	if strings.Contains(req.Route, "/"+slugParameter+"/") {
		slug, err = c.Slug(ctx)
	}
	if err == nil {
		req, err = req.fill(slug)
	}
	if err != nil {
		return out, false, transport.NotSent(err)
	}
	req.Place = c.place
	resp, err := c.caller.Do(ctx, transport.Request(req))
	switch {
	case slug != "" && transport.IsCode(err, CodeForbidden) && c.slugMoved(ctx, slug):
		return do(ctx, c, req, read)
	case err != nil:
		return out, false, err
	}
	if out, err = read(resp.Data); err != nil {
		err = c.caller.Unreadable(transport.Request(req), resp, err.Error())
	}
	return out, resp.Lost, err
}

// fetch makes a call that reads.
func fetch[T any](ctx context.Context, c *Client, req request, read func(data json.RawMessage) (T, error)) (T, error) {
	out, _, err := do(ctx, c, req, read)
	return out, err
}

// write makes a call that writes. Its response is the proof.
func write[T any](
	ctx context.Context, c *Client, req request, subject string, read func(data json.RawMessage) (T, error),
) (out T, o transport.Outcome) {
	out, lost, err := do(ctx, c, req, read)
	return out, transport.OutcomeOf(req.Op, subject, lost, err)
}

// writeOnly makes a call that writes, of whose response only the success counts.
func writeOnly(ctx context.Context, c *Client, req request, subject string) transport.Outcome {
	_, o := write(ctx, c, req, subject, ignored)
	return o
}

// ignored reads nothing of a response.
func ignored(json.RawMessage) (struct{}, error) {
	return struct{}{}, nil
}

// whole reads a response of a documented type.
func whole[T any](data json.RawMessage) (*T, error) {
	out := new(T)
	if err := anyjson.Read(data, out); err != nil {
		return nil, fmt.Errorf("the response's data cannot be read: %w", err)
	}
	if missing := missingField(reflect.ValueOf(out), needAlways); missing != "" {
		return nil, errNotFound(missing)
	}
	return out, nil
}

// rowsIn reads the rows of a documented type in a field of a response.
func rowsIn[T any](field string) func(data json.RawMessage) ([]T, error) {
	return func(data json.RawMessage) (rows []T, err error) {
		raw, ok := anyjson.ReadObject(data)[field]
		if !ok {
			return nil, errNotFound(field)
		}
		if err := anyjson.Read(raw, &rows); err != nil {
			return nil, fmt.Errorf("the response's %s cannot be read: %w", field, err)
		}
		if missing := missingField(reflect.ValueOf(rows), needAlways); missing != "" {
			return nil, errNotFound(field + missing)
		}
		return rows, nil
	}
}

// need is the value of the tag `required`: what a field of a response is needed for.
type need string

const (
	needAlways need = "true" // no response can be used without it
	needID     need = "id"   // as needAlways, and it has the form of an ID
	needStep   need = "step" // what an apply does depends on it
	needShown  need = "shown"
)

// missingField returns the first field that a response lacks although it is needed, in itself, in its objects and in the
// rows of such a field; "" for none. A response without its list must not be read as an empty list, nor one without an ID as
// that of another object.
func missingField(response reflect.Value, needs ...need) string {
	switch kind := response.Kind(); {
	case kind == reflect.Pointer && !response.IsNil():
		return missingField(response.Elem(), needs...)
	case kind == reflect.Slice && response.Type().Elem().Kind() == reflect.Struct:
		for i := range response.Len() {
			if missing := missingField(response.Index(i), needs...); missing != "" {
				return fmt.Sprintf("[%d].%s", i, missing)
			}
		}
	case kind == reflect.Struct:
		for field, value := range response.Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			required := need(field.Tag.Get("required"))
			isID := required == needID
			if (isID || slices.Contains(needs, required)) && (value.IsZero() || isID && !idForm.MatchString(value.String())) {
				return name
			}
			if missing := missingField(value, needs...); missing != "" && !field.Anonymous { // of an embedded one, nothing is needed
				return joinField(name, missing)
			}
		}
	}
	return ""
}

// joinField is the name of a field in another one. A row begins with its number.
func joinField(outer, inner string) string {
	if strings.HasPrefix(inner, "[") {
		return outer + inner
	}
	return outer + "." + inner
}

func errNotFound(field string) error {
	return errors.New("the response has no " + field + " that this version can find")
}

// errLacks is the error of a response that can be used, but not for a step that depends on a field.
func errLacks(r request, field string) error {
	return transport.Unreadable(r.Op, http.StatusOK, errNotFound(field).Error())
}

// Bucket is a rate limit toward which a read can count (§8).
type Bucket int

// The buckets of reads.
const (
	BucketConsole Bucket = iota
	BucketBilling
)

// Reads are those for which a place can be reserved.
type Reads interface {
	GetPrivateLabel(ctx context.Context, labelID string) (*PrivateLabel, error)
	GetAssignment(ctx context.Context, labelID string) (*Assignment, error)
	ListMembers(ctx context.Context, labelID string) ([]Member, error)
}

// Place is reserved for one of its reads, which does not wait for the rate limit then.
type Place struct {
	Reads
	Bucket  Bucket
	Release func() // returns a place that no call has used; it may be called several times
}

// Reserve waits until a call that counts toward one of the buckets may be sent, the first one if several are free, and
// reserves its place, as Caller.Reserve does for sets of limits.
func (c *Client) Reserve(ctx context.Context, buckets ...Bucket) (Place, error) {
	// The dashboard call for the slug needs a place itself.
	if _, err := c.Slug(ctx); err != nil {
		return Place{}, transport.NotSent(err)
	}
	var choices [][]transport.Limit
	for _, b := range buckets {
		choices = append(choices, [][]transport.Limit{consoleLimits, billingLimits}[b])
	}
	place, err := c.caller.Reserve(ctx, choices...)
	if err != nil {
		return Place{}, err
	}
	return Place{&Client{c.connection, place}, buckets[place.Choice], place.Release}, nil
}
