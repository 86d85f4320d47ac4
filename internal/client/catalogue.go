package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Kind is one of the two things of a reseller's catalogue (§2.11). They have
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

// Item is a package or an add-on. The documents show code, name and currency;
// Settings holds whatever else the service tells, by its own names.
type Item struct {
	ID       string
	Code     string // upper case
	Name     string
	Currency string // ISO 4217
	Active   bool
	Settings map[string]json.RawMessage

	activeAs string // how this service spells the active flag
}

// MaxItems is the cap of each kind, deactivated ones included (§8).
const MaxItems = 100

const (
	searchPageSize = 100 // the most that §4.21 allows
	maxSearchPages = 100 // a search that goes on for ever is the service's mistake
)

func (k Kind) route(action, method string, repeatable bool) route {
	path := reseller + "/billing/" + k.path
	if action != "" {
		path += "/" + action
	}
	return route{method: method, path: path, repeatable: repeatable, billing: true}
}

// SearchItems returns all items of a kind whose code or name matches query, ""
// for all (§4.21). One call for each hundred.
func (c *Client) SearchItems(ctx context.Context, k Kind, query string) ([]Item, error) {
	var items []Item
	seen := map[string]bool{}
	op := "search the " + k.noun + "s"
	for page := 1; page <= maxSearchPages; page++ {
		var data json.RawMessage
		body := map[string]any{"query": query, "page": page, "pageSize": searchPageSize}
		if err := c.do(ctx, &call{op: op, route: k.route("search", http.MethodPost, true), body: body}, &data); err != nil {
			return nil, err
		}
		rows, total, err := readRows(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", op, err)
		}
		for _, row := range rows {
			item, err := readItem(k, row)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", op, err)
			}
			if !seen[item.ID] { // rows written meanwhile can appear on two pages (§8)
				seen[item.ID] = true
				items = append(items, item)
			}
		}
		if len(rows) < searchPageSize || total >= 0 && page*searchPageSize >= total {
			break
		}
	}
	return items, nil
}

// ItemRequest is what a create or an update sends. Settings are sent as they
// stand, by the service's own names.
type ItemRequest struct {
	Code     string
	Name     string
	Currency string
	Settings map[string]json.RawMessage
}

// CreateItem makes a package or an add-on: its code is for ever (§4.21). It
// happens at most once: a doubtful answer is settled by a search for the code.
// A code that is in use answers 400 CODE_IN_USE.
func (c *Client) CreateItem(ctx context.Context, k Kind, req ItemRequest) (item *Item, answerLost bool, err error) {
	op := "create the " + k.noun
	body := map[string]any{}
	for name, value := range req.Settings {
		body[name] = value
	}
	body["code"], body["name"], body["currency"] = req.Code, req.Name, req.Currency
	return settle(ctx, c.clock, deed[*Item]{
		op:      op,
		subject: req.Code,
		act: func(ctx context.Context) (*Item, error) {
			var data json.RawMessage
			if err := c.do(ctx, &call{op: op, route: k.route("", http.MethodPost, false), body: body}, &data); err != nil {
				return nil, err
			}
			return c.created(ctx, k, req, data)
		},
		look: func(ctx context.Context) (*Item, sighting, string, error) {
			item, err := c.ItemByCode(ctx, k, req.Code)
			switch {
			case err != nil || item == nil:
				return nil, notDone, "", err
			case item.Name != req.Name || !strings.EqualFold(item.Currency, req.Currency):
				return nil, somethingElse, fmt.Sprintf("The catalogue has the code %s, but with the name %q and the currency %s: somebody else made it. Import it if it is the right one.", item.Code, item.Name, item.Currency), nil
			default:
				return item, isDone, "", nil
			}
		},
		conflict: func(err error) bool { return IsCode(err, CodeCodeInUse) },
	})
}

// created reads the answer of a create; where it has no id that this version
// can find, a search for the code has.
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
		return nil, &Error{
			Status: http.StatusOK, Op: "create the " + k.noun, unreadable: true,
			Message: fmt.Sprintf("the answer to POST /billing/%s has no %s that this version can find, and a search does not show the code", k.path, k.id),
		}
	}
	return item, nil
}

// GetItem reads one item by its id (§4.21). The documents do not show the
// method: POST, then GET with the id as a query.
func (c *Client) GetItem(ctx context.Context, k Kind, id string) (*Item, error) {
	op := "read the " + k.noun
	var data json.RawMessage
	err := c.findMethod(ctx, "get", []variant{{method: http.MethodPost}, {method: http.MethodGet}}, func(v variant) error {
		request := &call{op: op, route: k.route("get", v.method, true)}
		if v.method == http.MethodGet {
			request.query = url.Values{k.id: {id}}
		} else {
			request.body = map[string]any{k.id: id}
		}
		return c.do(ctx, request, &data)
	})
	if err != nil {
		return nil, err
	}
	item, err := readItem(k, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	return &item, nil
}

// ItemByCode searches one code, without case; nil when there is none.
func (c *Client) ItemByCode(ctx context.Context, k Kind, code string) (*Item, error) {
	items, err := c.SearchItems(ctx, k, code)
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

// UpdateItem changes an item (§4.21); repeating it succeeds (§7.4). The
// documents do not show its method: POST, PUT and PATCH are tried, since 404
// NOT_FOUND says that nothing happened, and what worked is remembered.
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
		return c.do(ctx, &call{op: op, route: k.route("update", v.method, true), body: body}, nil)
	})
}

// The three spellings of the active flag that the client reads.
const (
	activeFlag   = "active"
	isActiveFlag = "isActive"
	statusFlag   = "status"
)

func (i Item) activeName() string {
	if i.activeAs == "" {
		return activeFlag
	}
	return i.activeAs
}

func (i Item) activeValue(active bool) any {
	switch {
	case i.activeAs != statusFlag:
		return active
	case active:
		return "Active"
	default:
		return "Inactive"
	}
}

// Matches tells whether a code or a name has a text in it, without case: what a
// search for it finds.
func (i Item) Matches(query string) bool {
	query = strings.ToUpper(query)
	return strings.Contains(strings.ToUpper(i.Code), query) || strings.Contains(strings.ToUpper(i.Name), query)
}

// readItem reads a package or an add-on wherever its id sits: `packageId` or
// `addonId` or `id`, at the top or one level down.
func readItem(k Kind, raw json.RawMessage) (Item, error) {
	fields, err := withID(k, raw)
	if err != nil {
		return Item{}, err
	}
	item := Item{Active: true, Settings: map[string]json.RawMessage{}}
	for name, value := range fields {
		switch name {
		case k.id, "id":
			_ = json.Unmarshal(value, &item.ID)
		case "code":
			_ = json.Unmarshal(value, &item.Code)
		case "name":
			_ = json.Unmarshal(value, &item.Name)
		case "currency":
			_ = json.Unmarshal(value, &item.Currency)
		case activeFlag, isActiveFlag:
			if json.Unmarshal(value, &item.Active) == nil {
				item.activeAs = name
			}
		case statusFlag:
			readStatus(&item, value)
		default:
			item.Settings[name] = value
		}
	}
	if named := fields[k.id]; named != nil {
		_ = json.Unmarshal(named, &item.ID) // beats a bare id beside it
	}
	return item, nil
}

// readStatus takes `status` for the active flag where nothing else is one.
func readStatus(i *Item, value json.RawMessage) {
	var word string
	if i.activeAs != "" || json.Unmarshal(value, &word) != nil {
		return
	}
	i.Active, i.activeAs = strings.EqualFold(word, "active"), statusFlag
}

func withID(k Kind, raw json.RawMessage) (map[string]json.RawMessage, error) {
	var top map[string]json.RawMessage
	if err := json.Unmarshal(raw, &top); err != nil {
		return nil, fmt.Errorf("the answer has no %s that this version can read: %w", k.noun, err)
	}
	if hasID(k, top) {
		return top, nil
	}
	for _, value := range top {
		var nested map[string]json.RawMessage
		if json.Unmarshal(value, &nested) == nil && hasID(k, nested) {
			return nested, nil
		}
	}
	return nil, fmt.Errorf("the answer has no %s that this version can find", k.id)
}

func hasID(k Kind, fields map[string]json.RawMessage) bool {
	for _, name := range []string{k.id, "id"} {
		var id string
		if json.Unmarshal(fields[name], &id) == nil && idForm.MatchString(id) {
			return true
		}
	}
	return false
}

// readRows finds the one array of a search's answer, and its total (-1 for none).
func readRows(data json.RawMessage) (rows []json.RawMessage, total int, err error) {
	if json.Unmarshal(data, &rows) == nil && rows != nil { // null is no list
		return rows, -1, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, 0, fmt.Errorf("the answer has no rows that this version can find: %w", err)
	}
	total = -1
	if json.Unmarshal(fields["total"], &total) != nil {
		total = -1
	}
	found := 0
	for _, value := range fields {
		var array []json.RawMessage
		if json.Unmarshal(value, &array) == nil && array != nil {
			rows, found = array, found+1
		}
	}
	if found == 1 {
		return rows, total, nil
	}
	for _, value := range fields {
		var nested map[string]json.RawMessage
		if found == 0 && json.Unmarshal(value, &nested) == nil && nested != nil {
			if rows, inner, err := readRows(value); err == nil {
				return rows, max(total, inner), nil
			}
		}
	}
	return nil, 0, fmt.Errorf("the answer has %d arrays where one of rows was expected", found)
}
