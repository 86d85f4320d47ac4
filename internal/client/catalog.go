package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Kind is one of the two kinds of catalog items (§2.11). Both have the same endpoints, with different paths.
type Kind struct {
	noun string // "package"
	path string // "packages"
	id   string // "packageId"
}

// The two kinds of catalog items.
var (
	KindPackage = Kind{noun: "package", path: "packages", id: "packageId"}
	KindAddon   = Kind{noun: "add-on", path: "addons", id: "addonId"}
)

func (k Kind) String() string { return k.noun }

// MaxItems is the limit of each kind, deactivated items included (§8).
const MaxItems = 100

// route returns an endpoint of the kind, below its own path.
func (k Kind) route(op, method, below string, retryable bool) route {
	return route{op: op, method: method, path: reseller + "/billing/" + k.path + below, retryable: retryable, billing: true}
}

// Item is a package or an add-on. The API documentation shows code and name of both, and the currency of packages only.
// Settings holds all other fields of a response by their names.
type Item struct {
	ID       string
	Code     string // uppercase
	Name     string // "" if the response lacks it
	Currency string // ISO 4217; "" if the response lacks it
	Active   bool   // true if the response lacks it, see HasActive
	Settings map[string]json.RawMessage

	activeAs string // name of the active flag's field
}

// HasActive reports whether the response has the active flag.
func (i Item) HasActive() bool { return i.activeAs != "" }

// Matches reports whether the code or the name contains a text, ignoring case, as a search does.
func (i Item) Matches(query string) bool {
	return strings.Contains(strings.ToUpper(i.Code+"\n"+i.Name), strings.ToUpper(query))
}

// CompletedBy returns the item with the fields that it lacks copied from whole.
func (i Item) CompletedBy(whole *Item) *Item {
	out := i
	out.Code, out.Name, out.Currency = cmp.Or(i.Code, whole.Code), cmp.Or(i.Name, whole.Name), cmp.Or(i.Currency, whole.Currency)
	if !i.HasActive() {
		out.Active, out.activeAs = whole.Active, whole.activeAs
	}
	out.Settings = map[string]json.RawMessage{}
	maps.Copy(out.Settings, whole.Settings)
	maps.Copy(out.Settings, i.Settings)
	return &out
}

// SearchItems returns all items of a kind whose code or name matches query, "" for all (§4.21). It makes one API call
// for each hundred items.
func (c *Client) SearchItems(ctx context.Context, k Kind, query string) ([]Item, error) {
	r := k.route("search the "+k.noun+"s", http.MethodPost, "/search", true)
	items, _, err := readPages(r.op, math.MaxInt, func(i *Item) string { return i.ID }, func(number int) (page[Item], error) {
		body := map[string]any{"query": query, "page": number, "pageSize": pageSize}
		return call(ctx, c, &request{route: r, body: body}, pageOf(k.readItem, k.path))
	})
	return items, err
}

// ItemByCode returns the item with a code, ignoring case; nil if there is none. It reads all items, with one API call
// for each hundred: the API documentation does not say whether a query matches codes.
func (c *Client) ItemByCode(ctx context.Context, k Kind, code string) (*Item, error) {
	items, err := c.SearchItems(ctx, k, "")
	at := slices.IndexFunc(items, func(i Item) bool { return strings.EqualFold(i.Code, code) })
	if err != nil || at < 0 {
		return nil, err
	}
	return &items[at], nil
}

// ErrNotReadAlone: the API does not support reading one item in any way that this version knows. A search still shows
// the item.
var ErrNotReadAlone = errors.New("the item cannot be read by itself")

// GetItem reads one item by its ID (§4.21). The API documentation does not show the method: POST is tried, then GET
// with the ID as a query. It does not show the body either, so that a rejected request is ErrNotReadAlone and shows
// nothing about the item.
func (c *Client) GetItem(ctx context.Context, k Kind, id string) (*Item, error) {
	op := "read the " + k.noun
	var data json.RawMessage
	err := c.findVariant("get", getVariants, func(v variant) (err error) {
		req := &request{route: k.route(op, v.method, "/get", true), body: map[string]any{k.id: id}}
		if v.method == http.MethodGet {
			req.query, req.body = url.Values{k.id: {id}}, nil
		}
		data, err = call(ctx, c, req, anyShape)
		return err
	})
	if transport.IsStatus(err, http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed) {
		return nil, fmt.Errorf("%w: %w", ErrNotReadAlone, err)
	}
	if err != nil {
		return nil, err
	}
	item, err := k.readItem(data)
	if err != nil || item.ID != id {
		return nil, fmt.Errorf("%s: %w: the response does not have the item", op, ErrNotReadAlone)
	}
	return &item, nil
}

// ItemRequest is the request of a create. Settings are sent unchanged, by the API's field names.
type ItemRequest struct {
	Code     string
	Name     string
	Currency string // of a package; "" is not sent
	Settings map[string]json.RawMessage
}

// CreateItem creates a package or an add-on, whose code is permanent (§4.21). It takes effect at most once: if the
// response is lost, a search for the code shows the outcome. A code that is in use returns 400 CODE_IN_USE.
func (c *Client) CreateItem(ctx context.Context, k Kind, req ItemRequest) (item *Item, responseLost bool, err error) {
	r := k.route("create the "+k.noun, http.MethodPost, "", false)
	body := bodyOf(req.Settings)
	body["code"], body["name"] = req.Code, req.Name
	if req.Currency != "" {
		body["currency"] = req.Currency
	}
	return transport.Reconcile(ctx, c.caller.Clock(), transport.ReconciledOperation[*Item]{
		Op:      r.op,
		Subject: req.Code,
		Execute: func(ctx context.Context) (*Item, error) {
			data, err := call(ctx, c, &request{route: r, body: body}, anyShape)
			if err != nil {
				return nil, err
			}
			if made, err := k.readItem(data); err == nil {
				return made.CompletedBy(&Item{Code: strings.ToUpper(req.Code), Name: req.Name, Currency: req.Currency, Active: true}), nil
			}
			// The response has no ID that this version can find, but a search has it.
			made, err := c.ItemByCode(ctx, k, req.Code)
			if err == nil && made == nil {
				return nil, transport.Unreadable(r.op, http.StatusOK, noItemID(k))
			}
			return made, err
		},
		Check: func(ctx context.Context) (*Item, transport.Outcome, string, error) {
			found, err := c.ItemByCode(ctx, k, req.Code)
			switch {
			case err != nil || found == nil:
				return nil, transport.OutcomeAbsent, "", err
			case cmp.Or(found.Name, req.Name) != req.Name || !strings.EqualFold(cmp.Or(found.Currency, req.Currency), cmp.Or(req.Currency, found.Currency)):
				return nil, transport.OutcomeDifferent, otherItem(found), nil
			default:
				return found, transport.OutcomeApplied, "", nil
			}
		},
		Different:  ReasonMadeByOther,
		IsConflict: func(err error) bool { return transport.IsCode(err, CodeCodeInUse) },
	})
}

// ItemChange is what an update changes; nil and empty fields stay unchanged.
type ItemChange struct {
	Name     *string
	Active   *bool
	Settings map[string]json.RawMessage
}

// IsEmpty reports whether the change has no fields.
func (c ItemChange) IsEmpty() bool { return c.Name == nil && c.Active == nil && len(c.Settings) == 0 }

// UpdateItem changes an item (§4.21) and may be retried (§7.4). The API documentation does not show its method: POST,
// PUT and PATCH are tried, since 404 NOT_FOUND shows that the call had no effect, and the one that works is used from
// then on.
func (c *Client) UpdateItem(ctx context.Context, k Kind, item Item, change ItemChange) error {
	body := bodyOf(change.Settings)
	body[k.id] = item.ID
	if change.Name != nil {
		body["name"] = *change.Name
	}
	if change.Active != nil {
		name, value := item.activeField(*change.Active)
		body[name] = value
	}
	return c.findVariant("update", updateVariants, func(v variant) error {
		return c.do(ctx, &request{route: k.route("update the "+k.noun, v.method, "/update", true), body: body})
	})
}

// bodyOf returns a body with settings, which the API's own fields replace.
func bodyOf(settings map[string]json.RawMessage) map[string]any {
	body := map[string]any{}
	for name, value := range settings {
		body[name] = value
	}
	return body
}
