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
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/forms"
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

func (k Kind) String() string {
	return k.noun
}

// MaxItems is the limit of each kind, deactivated items included (§8).
const MaxItems = 100

// route returns a path below that of the kind.
func (k Kind) route(below string) string {
	return reseller + "/billing/" + k.path + below
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
func (i Item) HasActive() bool {
	return i.activeAs != ""
}

// Matches reports whether the code or the name contains a text, ignoring case.
func (i Item) Matches(query string) bool {
	return strings.Contains(strings.ToUpper(i.Code+"\n"+i.Name), strings.ToUpper(query))
}

// CompletedBy returns the item with the fields that it lacks copied from whole.
func (i Item) CompletedBy(whole *Item) *Item {
	out := i
	out.Code = cmp.Or(i.Code, whole.Code)
	out.Name = cmp.Or(i.Name, whole.Name)
	out.Currency = cmp.Or(i.Currency, whole.Currency)
	if !i.HasActive() {
		out.Active = whole.Active
		out.activeAs = whole.activeAs
	}
	out.Settings = map[string]json.RawMessage{}
	maps.Copy(out.Settings, whole.Settings)
	maps.Copy(out.Settings, i.Settings)
	return &out
}

// SearchItems returns all items of a kind whose code or name matches query, "" for all (§4.21). It makes one API call
// for each hundred items.
func (c *Client) SearchItems(ctx context.Context, k Kind, query string) ([]Item, error) {
	r := postRead("search the "+k.noun+"s", k.route("/search")).toward(billingLimits)
	items, _, err := readPages(r.Op, math.MaxInt, func(i *Item) string { return i.ID }, func(number int) (page[Item], error) {
		body := map[string]any{"query": query, "page": number, "pageSize": pageSize}
		return fetch(ctx, c, r.with(body), pageOf(k.readItem, k.path))
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
	err := c.findForm("get", forms.Get.Forms, func(f forms.Form) (err error) {
		req := get(op, k.route("/get")).toward(billingLimits).query(k.id, id)
		if f.Method == http.MethodPost {
			req = postRead(op, req.Route).toward(billingLimits).with(map[string]any{k.id: id})
		}
		data, err = fetch(ctx, c, req, anyShape)
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
	Settings map[string]any
}

// CreateItem creates a package or an add-on, whose code is permanent (§4.21). It takes effect at most once: if the
// response is lost, a search for the code shows the outcome. A code that is in use returns 400 CODE_IN_USE.
func (c *Client) CreateItem(ctx context.Context, k Kind, req ItemRequest) (made *Item, o transport.Outcome) {
	r := post("create the "+k.noun, k.route(""), sentOnce).toward(billingLimits)
	body := map[string]any{}
	maps.Copy(body, req.Settings)
	body["code"] = req.Code
	body["name"] = req.Name
	if req.Currency != "" {
		body["currency"] = req.Currency
	}
	creation := transport.Write{
		Op:      r.Op,
		Subject: req.Code,
		Send: func(ctx context.Context) (o transport.Outcome) {
			made, o = write(ctx, c, r.with(body), req.Code, k.readCreated(req))
			return o
		},
		Read: func(ctx context.Context) (transport.Outcome, error) {
			found, err := c.ItemByCode(ctx, k, req.Code)
			switch {
			case err != nil || found == nil:
				return transport.SeenIf(false), err
			case cmp.Or(found.Name, req.Name) != req.Name || !strings.EqualFold(cmp.Or(found.Currency, req.Currency), cmp.Or(req.Currency, found.Currency)):
				return transport.Outcome{State: transport.Different, Seen: otherItem(found), Reason: ReasonMadeByOther}, nil
			default:
				made = found
				return transport.SeenIf(true), nil
			}
		},
		Resend:     true,
		IsConflict: func(err error) bool { return transport.IsCode(err, CodeCodeInUse) },
	}
	o = transport.Settle(ctx, c.caller.Patience(), creation)
	if o.State == transport.Applied && made == nil { // a search has the ID that the response lacks
		if o = creation.Confirm(ctx, c.caller.Patience(), o); o.State == transport.Absent {
			o = transport.OutcomeOf(r.Op, req.Code, false, transport.Unreadable(r.Op, http.StatusOK, noItemID(k)))
		}
	}
	return made, o
}

// readCreated reads the response to a create, which may be of any shape; nil if it has no ID that this version can find.
func (k Kind) readCreated(req ItemRequest) func(data json.RawMessage) (*Item, error) {
	return func(data json.RawMessage) (*Item, error) {
		if _, err := anyShape(data); err != nil {
			return nil, err
		}
		item, err := k.readItem(data)
		if err != nil {
			return nil, nil //nolint:nilerr,nilnil // a search has it
		}
		return item.CompletedBy(&Item{Code: strings.ToUpper(req.Code), Name: req.Name, Currency: req.Currency, Active: true}), nil
	}
}

// ItemChange is what an update changes; nil and empty fields stay unchanged.
type ItemChange struct {
	Name     *string
	Active   *bool
	Settings map[string]any
}

// IsEmpty reports whether the change has no fields.
func (c ItemChange) IsEmpty() bool {
	return c.Name == nil && c.Active == nil && len(c.Settings) == 0
}

// UpdateItem changes an item (§4.21), which has to be read whole, and may be retried (§7.4). The API documentation does not
// show its method, nor what becomes of the fields that an update omits: see updateBody. A field that the API then lacks,
// or keeps at its old value, is an error that names it.
func (c *Client) UpdateItem(ctx context.Context, k Kind, item Item, change ItemChange) transport.Outcome {
	o, body := c.sendUpdate(ctx, k, item, change)
	if o.State != transport.Applied {
		return o
	}
	if lost := c.readUpdated(ctx, k, &item, change); lost != "" {
		// Not Different: a new look at the settings that change could find nothing left to do.
		return transport.NotDone(&transport.ContradictedError{
			Op: "update the " + k.noun, Shown: "reads afterwards " + lost + " (dropped, or not shown yet)", Partly: true,
		})
	}
	if !body.Whole {
		c.worked.Store(endpointBody, body)
	}
	return o
}
