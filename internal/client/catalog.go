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

// Kind is one of the two things of a reseller's catalog (§2.11). They have
// the same endpoints, below paths of their own.
type Kind struct {
	noun string // "package"
	path string // "packages"
	id   string // "packageId"
}

// The two kinds.
var (
	KindPackage = Kind{noun: "package", path: "packages", id: "packageId"}
	KindAddon   = Kind{noun: "add-on", path: "addons", id: "addonId"}
)

func (k Kind) String() string { return k.noun }

// MaxItems is the limit of each kind, deactivated items included (§8).
const MaxItems = 100

const (
	searchPageSize = 100 // the most that §4.21 allows
	maxSearchPages = 100 // a search without an end is a defect of the API
)

func (k Kind) route(action, method string, repeatable bool) route {
	path := reseller + "/billing/" + k.path
	if action != "" {
		path += "/" + action
	}
	return route{method: method, path: path, retryable: repeatable, billing: true}
}

// field of a response that holds one item: "package" or "addon".
func (k Kind) field() string { return strings.TrimSuffix(k.id, "Id") }

// rowNames are fields that rows of a search may be in, the likeliest first.
func (k Kind) rowNames() []string { return append([]string{k.path}, rowNames...) }

// rowNames of any search. Where the rows are is not documented.
var rowNames = []string{"rows", "items", "results", "result", "data", "list"}

// SearchItems returns all items of a kind whose code or name matches query, ""
// for all (§4.21). One call for each hundred.
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

// isLastPage reports whether a page of n rows ends a search of which read rows
// are read. A short page alone does not where the total is more: the API may give
// fewer rows than it was asked for.
func isLastPage(n, size, read, total int) bool {
	if total >= 0 {
		return read >= total
	}
	return n < size
}

// itemSet gathers the items of several pages, each once: rows that are written
// meanwhile can appear on two pages (§8).
type itemSet struct {
	kind  Kind
	items []Item
	seen  map[string]bool
}

// add returns how many rows are new.
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

// ItemRequest is what a create sends. Settings are sent unchanged, by the API's
// own names.
type ItemRequest struct {
	Code     string
	Name     string
	Currency string
	Settings map[string]json.RawMessage
}

// CreateItem creates a package or an add-on: its code is permanent (§4.21). It
// happens at most once: where the response is lost, a search for the code shows
// the outcome. A code that is in use returns 400 CODE_IN_USE.
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

// differs reports whether a response has another text than it should. One that it
// does not have says nothing.
func differs(have, want string) bool { return have != "" && have != want }

// created reads the response to a create. Where it has no ID that this version can
// find, a search for the code has.
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

// ErrNotReadAlone is the error of an item that cannot be read by itself in the
// ways that this version knows. A search still shows it.
var ErrNotReadAlone = errors.New("the item cannot be read by itself")

// GetItem reads one item by its ID (§4.21). The API documentation does not show
// the method: POST, then GET with the ID as a query. Nor does it show the body, so
// that a rejected request is ErrNotReadAlone and shows nothing about the item.
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

// ItemByCode returns the item with a code, without case; nil when there is none.
// It reads all items, one call for each hundred: whether a query finds codes is
// not documented.
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
	return nil, nil //nolint:nilnil // absence is an answer here, and every caller asks for it
}

// ItemChange is what an update changes; nil and empty fields are left as they are.
type ItemChange struct {
	Name     *string
	Active   *bool
	Settings map[string]json.RawMessage
}

// IsEmpty reports whether the change changes nothing.
func (c ItemChange) IsEmpty() bool { return c.Name == nil && c.Active == nil && len(c.Settings) == 0 }

// UpdateItem changes an item (§4.21); a retry succeeds (§7.4). The API
// documentation does not show its method: POST, PUT and PATCH are tried, since 404
// NOT_FOUND shows that nothing happened, and the one that worked is remembered.
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
