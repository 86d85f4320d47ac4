package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
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

const (
	searchPageSize = 100 // maximum of §4.21
	maxSearchPages = 100 // a search that does not end is a defect of the API
)

func (k Kind) route(action, method string, repeatable bool) route {
	path := reseller + "/billing/" + k.path
	if action != "" {
		path += "/" + action
	}
	return route{method: method, path: path, retryable: repeatable, billing: true}
}

// field returns the field of a response that holds one item: "package" or "addon".
func (k Kind) field() string { return strings.TrimSuffix(k.id, "Id") }

// rowNames returns the fields that may hold the rows of a search, the most probable first.
func (k Kind) rowNames() []string { return append([]string{k.path}, rowNames...) }

// rowNames of any search. The API documentation does not show the field.
var rowNames = []string{"rows", "items", "results", "result", "data", "list"}

// SearchItems returns all items of a kind whose code or name matches query, "" for all (§4.21). It makes one API call
// for each hundred items.
func (c *Client) SearchItems(ctx context.Context, k Kind, query string) ([]Item, error) {
	op := "search the " + k.noun + "s"
	found := itemSet{kind: k, seen: map[string]bool{}}
	read := 0
	for page := 1; page <= maxSearchPages; page++ {
		var data json.RawMessage
		body := map[string]any{"query": query, "page": page, "pageSize": searchPageSize}
		if err := c.do(ctx, &request{op: op, route: k.route("search", http.MethodPost, true), body: body}, &data); err != nil {
			return nil, err
		}
		rows, total, err := readRows(data, k.rowNames()...)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", op, err)
		}
		if page == 1 && len(rows) == 0 && total > 0 {
			return nil, fmt.Errorf("%s: the response has a total of %d and no rows that this version can find", op, total)
		}
		added, err := found.add(rows)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", op, err)
		}
		if read += len(rows); added == 0 || isLastPage(len(rows), searchPageSize, read, total) {
			break
		}
	}
	return found.items, nil
}

// isLastPage reports whether a page of n rows ends a search after read rows. A short page does not end it if the total
// is larger: the API may return fewer rows than requested.
func isLastPage(n, size, read, total int) bool {
	if total >= 0 {
		return read >= total
	}
	return n < size
}

// itemSet collects the items of several pages without duplicates: rows that are written during the search can appear on
// two pages (§8).
type itemSet struct {
	kind  Kind
	items []Item
	seen  map[string]bool
}

// add returns the number of new rows.
func (s *itemSet) add(rows []json.RawMessage) (added int, err error) {
	for _, row := range rows {
		item, err := readItem(s.kind, row)
		if err != nil {
			return added, err
		}
		if s.seen[item.ID] {
			continue
		}
		s.seen[item.ID] = true
		s.items = append(s.items, item)
		added++
	}
	return added, nil
}

// ItemRequest is the request of a create. Settings are sent unchanged, by the API's field names.
type ItemRequest struct {
	Code     string
	Name     string
	Currency string
	Settings map[string]json.RawMessage
}

// CreateItem creates a package or an add-on, whose code is permanent (§4.21). It takes effect at most once: if the
// response is lost, a search for the code shows the outcome. A code that is in use returns 400 CODE_IN_USE.
func (c *Client) CreateItem(ctx context.Context, k Kind, req ItemRequest) (item *Item, responseLost bool, err error) {
	op := "create the " + k.noun
	body := map[string]any{}
	for name, value := range req.Settings {
		body[name] = value
	}
	body["code"], body["name"], body["currency"] = req.Code, req.Name, req.Currency
	return transport.Reconcile(ctx, c.caller.Clock(), transport.ReconciledOperation[*Item]{
		Op:      op,
		Subject: req.Code,
		Execute: func(ctx context.Context) (*Item, error) {
			var data json.RawMessage
			if err := c.do(ctx, &request{op: op, route: k.route("", http.MethodPost, false), body: body}, &data); err != nil {
				return nil, err
			}
			return c.created(ctx, k, req, data)
		},
		Check: func(ctx context.Context) (*Item, transport.Outcome, string, error) {
			item, err := c.ItemByCode(ctx, k, req.Code)
			switch {
			case err != nil || item == nil:
				return nil, transport.OutcomeAbsent, "", err
			case differs(item.Name, req.Name) || differs(strings.ToUpper(item.Currency), strings.ToUpper(req.Currency)):
				return nil, transport.OutcomeDifferent, otherItem(item), nil
			default:
				return item, transport.OutcomeApplied, "", nil
			}
		},
		Different:  ReasonMadeByOther,
		IsConflict: func(err error) bool { return transport.IsCode(err, CodeCodeInUse) },
	})
}

// differs reports whether a field of a response differs from the expected text. A missing field does not differ.
func differs(have, want string) bool { return have != "" && have != want }

// created decodes the response to a create. If it has no recognized ID, a search for the code finds the ID.
func (c *Client) created(ctx context.Context, k Kind, req ItemRequest, data json.RawMessage) (*Item, error) {
	if item, err := readItem(k, data); err == nil {
		if item.Code == "" {
			item.Code = strings.ToUpper(req.Code)
		}
		if item.Name == "" {
			item.Name = req.Name
		}
		if item.Currency == "" {
			item.Currency = req.Currency
		}
		return &item, nil
	}
	item, err := c.ItemByCode(ctx, k, req.Code)
	if err != nil {
		return nil, err
	}
	if item == nil {
		return nil, transport.Unreadable("create the "+k.noun, http.StatusOK,
			fmt.Sprintf("the response to POST /billing/%s has no %s that this version can find, and a search does not show the code", k.path, k.id))
	}
	return item, nil
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
	err := c.findMethod(ctx, "get", []variant{{method: http.MethodPost}, {method: http.MethodGet}}, func(v variant) error {
		request := &request{op: op, route: k.route("get", v.method, true)}
		if v.method == http.MethodGet {
			request.query = url.Values{k.id: {id}}
		} else {
			request.body = map[string]any{k.id: id}
		}
		return c.do(ctx, request, &data)
	})
	if transport.IsStatus(err, http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed) {
		return nil, fmt.Errorf("%w: %w", ErrNotReadAlone, err)
	}
	if err != nil {
		return nil, err
	}
	item, err := readItem(k, data)
	if err != nil || item.ID != id {
		return nil, fmt.Errorf("%s: %w: the response does not have the item", op, ErrNotReadAlone)
	}
	return &item, nil
}

// ItemByCode returns the item with a code, ignoring case; nil if there is none. It reads all items, with one API call
// for each hundred: the API documentation does not say whether a query matches codes.
func (c *Client) ItemByCode(ctx context.Context, k Kind, code string) (*Item, error) {
	items, err := c.SearchItems(ctx, k, "")
	if err != nil {
		return nil, err
	}
	for i := range items {
		if strings.EqualFold(items[i].Code, code) {
			return &items[i], nil
		}
	}
	return nil, nil //nolint:nilnil // absence is a result here, and every caller checks for it
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
	body := map[string]any{}
	for name, value := range change.Settings {
		body[name] = value
	}
	body[k.id] = item.ID
	if change.Name != nil {
		body["name"] = *change.Name
	}
	if change.Active != nil {
		body[item.activeName()] = item.activeValue(*change.Active)
	}
	op := "update the " + k.noun
	return c.findMethod(ctx, "update", []variant{
		{method: http.MethodPost}, {method: http.MethodPut}, {method: http.MethodPatch},
	}, func(v variant) error {
		return c.do(ctx, &request{op: op, route: k.route("update", v.method, true), body: body}, nil)
	})
}
