package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

const (
	// Of a package as the API shows it.
	gold   = `{"packageId":"{other}","code":"GOLD","name":"Gold","currency":"EUR","isActive":false,"seats":5}`
	search = `{"packages":[` + gold + `],"total":1}`

	// Exchanges about packages and assignments, by name.
	itemScript = `
		created: POST {packages} -> 200 {"package":{"id":"{other}"}}
		lost: POST {packages} -> reset
		in use: POST {packages} -> 400 CODE_IN_USE
		none: POST {packages}/search -> 200 {"packages":[],"total":0}
		found: POST {packages}/search -> 200 ` + search + `

		no post: POST {packages}/update -> 404 NOT_FOUND
		updated: POST {packages}/update -> 200 {}
		put: PUT {packages}/update -> 200 {}
		shown: POST {packages}/get -> 200 {"packageId":"{other}","code":"GOLD","name":"New","price":5,"seats":5,"status":"Inactive"}
		lossy: POST {packages}/get -> 200 {"packageId":"{other}","code":"GOLD","name":"New"}
		no get: POST {packages}/get -> 404 NOT_FOUND
	`
)

func itemRequest() ItemRequest {
	return ItemRequest{Code: "gold", Name: "Gold", Currency: "EUR", Settings: map[string]any{"seats": json.RawMessage("5")}}
}

func TestReadRows(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]int{
		`[]`: 0, `[1,2]`: 2, `{"rows":[1],"total":7}`: 1, `{"page":{"rows":[1,2]},"total":2}`: 2, `{"rows":[],"total":0}`: 0,
		`{"rows":null}`: 0, `{"rows":null,"total":0}`: 0, `{"total":0}`: 0, `{"list":null,"rows":[1]}`: 1, `{"page":{"rows":null},"total":0}`: 0,
		// A response without rows is an error and not an empty list.
		`null`: -1, `{}`: -1, `7`: -1, `{"total":2}`: -1, `{"labels":null}`: -1, `{"a":[1],"b":[2]}`: -1, `{"page":{"a":[1],"b":[2]}}`: -1,
	} {
		got, err := pageOf(anyShape)(json.RawMessage(data))
		if (err != nil) != (want < 0) || err == nil && len(got.rows) != want {
			t.Errorf("%s: %d rows, %v", data, len(got.rows), err)
		}
	}
}

func FuzzReadRows(f *testing.F) {
	for _, seed := range []string{`null`, `[]`, search, `{"a":{"b":{"c":[{}]}}}`, `{"a":[],"b":[]}`, strings.Repeat(`{"rows":`, 60) + `1` + strings.Repeat(`}`, 60)} {
		f.Add(seed)
	}
	f.Fuzz(func(_ *testing.T, data string) {
		_, _ = pageOf(KindPackage.readItem, KindPackage.path)(json.RawMessage(data))
	})
}

func TestSearchItems(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t, itemScript+searchPage(0, 100, 150)+searchPage(99, 51, 150)+"POST {packages}/search -> 200 null; found")
	c, _ := dial(t, s)
	items, err := c.SearchItems(t.Context(), KindPackage, "")
	require.NoError(t, err, "%d items", len(items))
	assert.Len(t, items, 150)
	assert.JSONEq(t, `{"page":2,"pageSize":100,"query":""}`, s.Body(1))
	items, err = c.SearchItems(t.Context(), KindPackage, "")
	assert.Error(t, err, "null is read as %d items", len(items))
	item, err := c.ItemByCode(t.Context(), KindPackage, "Gold") // among all: the API documentation does not say whether a query matches codes
	require.NoError(t, err)
	assert.JSONEq(t, `{"page":1,"pageSize":100,"query":""}`, s.Body(3))
	assert.Equal(t, &Item{
		ID: transporttest.OtherID, Code: "GOLD", Name: "Gold", Currency: "EUR", activeAs: "isActive", Settings: map[string]json.RawMessage{"seats": json.RawMessage("5")},
	}, item)
}

func TestCreateItem(t *testing.T) {
	t.Parallel()
	texttable.Run(t, `
		it goes well            | created                          | done
		no id: a search         | POST {packages} -> 200 {}; found | done
		in use                  | in use                           | CODE_IN_USE
		lost, and there         | lost; none; found                | lost
		lost, in use, and there | lost; none x2; in use; found     | lost
		lost, and another's     | lost; POST {packages}/search -> 200 {"packages":[{"packageId":"{other}","code":"GOLD","name":"Other","currency":"EUR"}],"total":1} | doubt: …
	`, func(t *testing.T, row []string) {
		s := transporttest.Expect(t, itemScript+row[1])
		c, _ := dial(t, s, readTwice)
		item, o := c.CreateItem(t.Context(), KindPackage, itemRequest())
		wantOutcome(t, row[2], o)
		if o.Err == nil {
			assert.Equal(t, []string{transporttest.OtherID, "GOLD", "Gold", "EUR"}, []string{item.ID, item.Code, item.Name, item.Currency})
		}
		assert.JSONEq(t, `{"code":"gold","name":"Gold","currency":"EUR","seats":5}`, s.Body(0))
	})
}

// The name decides where the request, or the row that a search finds, has no currency.
func TestCreateItem_WithoutCurrency(t *testing.T) {
	t.Parallel()
	for currency, row := range map[string]string{"": gold, "EUR": `{"packageId":"{other}","code":"GOLD","name":"Gold"}`} {
		s := transporttest.Expect(t, itemScript+`lost; POST {packages}/search -> 200 {"packages":[`+row+`],"total":1}`)
		c, _ := dial(t, s)
		req := itemRequest()
		req.Currency = currency
		out, o := c.CreateItem(t.Context(), KindPackage, req)
		wantOutcome(t, "lost", o)
		assert.Equal(t, transporttest.OtherID, out.ID)
		assert.Equal(t, currency == "", out.Currency == "EUR", "found with %q", out.Currency)
		assert.Equal(t, currency != "", strings.Contains(s.Body(0), "currency"), "sent %s", s.Body(0))
	}
}

func TestUpdateItem_FindsMethod(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t, itemScript+"no post; put; shown; put; shown")
	c, _ := dial(t, s)
	for _, item := range []Item{{ID: transporttest.OtherID, activeAs: "status"}, {ID: transporttest.OtherID}} {
		change := ItemChange{Name: new("New"), Active: new(bool), Settings: itemRequest().Settings}
		require.NoError(t, c.UpdateItem(t.Context(), KindPackage, item, change).Err)
	}
	assert.JSONEq(t, `{"packageId":"`+transporttest.OtherID+`","name":"New","seats":5,"status":"Inactive"}`, s.Body(1))
	assert.JSONEq(t, `{"packageId":"`+transporttest.OtherID+`","name":"New","seats":5,"active":false}`, s.Body(3))
}

// A router's own 404 has a page, JSON of another form or nothing: no endpoint has this method, and nothing happened. A 404
// with a code of the API is that of an endpoint.
func TestFindForm_Router(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		"<html><h1>Not Found</h1></html>", "Cannot POST /console", "", `{"message":"Route POST:/x not found","error":"Not Found","statusCode":404}`,
		`{"timestamp":1,"status":404,"error":"Not Found"}`, `{"error":"not_found"}`, `{"status":"Err","error":{"code":"NOT_FOUND","message":""}}`, `[]`, `null`,
	} {
		c, _ := dial(t, transporttest.Expect(t, strings.ReplaceAll(itemScript+`
			POST {packages}/get -> none
			GET {packages}/get?packageId={other} -> 200 {"packageId":"{other}","code":"GOLD","name":"Old"}
			POST {packages}/update -> none
			PUT {packages}/update -> none
			PATCH {packages}/update -> 200 {}
			GET {packages}/get?packageId={other} -> 200 {"packageId":"{other}","code":"GOLD","name":"New"}
			DELETE {label}/package -> none
			POST {label}/package/remove -> 200 {}
			GET {label} -> 200 {detail}
		`, "-> none", "-> 404 body "+body)))
		item, err := c.GetItem(t.Context(), KindPackage, transporttest.OtherID)
		require.NoError(t, err, "get after %s", body)
		require.NoError(t, c.UpdateItem(t.Context(), KindPackage, *item, ItemChange{Name: new("New")}).Err, "update after %s", body)
		require.NoError(t, c.RemovePackage(t.Context(), transporttest.ID).Err, "removal after %s", body)
	}
	c, _ := dial(t, transporttest.Expect(t, "POST {packages}/get -> 404 PACKAGE_NOT_FOUND"))
	_, err := c.GetItem(t.Context(), KindPackage, transporttest.OtherID)
	require.ErrorIs(t, err, ErrNotReadAlone)
}

// What an update loses is an error that names it.
func TestUpdateItem_ReadsBack(t *testing.T) {
	t.Parallel()
	before := Item{
		ID: transporttest.OtherID, Code: "GOLD", Name: "Gold", Currency: "EUR", Active: true, activeAs: "active",
		Settings: settings(`{"price":5,"seats":[1, 2],"note":null}`),
	}
	change := ItemChange{Name: new("New"), Active: new(true), Settings: map[string]any{"seats": json.RawMessage("[1,3]")}}
	texttable.Run(t, `
		all of it | "name":"New","currency":"EUR","price":5,"seats":[1,3],"active":true   | done
		another   | "name":"New","currency":"EUR","price":6.0,"seats":[1,4],"active":true | show another value of seats.1
		no name   | "currency":"EUR","price":5,"seats":[1,3]                              | no longer show name
		little    | "name":"New","active":true                                            | no longer show currency, price, seats
		the old   | "name":"Gold","currency":"EUR","price":5,"seats":[1,2],"active":false | still show the old value of active, name, seats.1
		both      | "name":"Gold","currency":"EUR","seats":[1,3]                          | no longer show price and still show the old value of name
	`, func(t *testing.T, row []string) {
		script := itemScript + `read: POST {packages}/get -> 200 {"packageId":"{other}","code":"GOLD",` + row[1] + "}\nupdated; read"
		if row[2] != "done" {
			script += "; read"
		}
		c, _ := dial(t, transporttest.Expect(t, script), readTwice)
		wantOutcome(t, strings.Replace("… reads afterwards "+row[2]+" …", "… reads afterwards done …", "done", 1), c.UpdateItem(t.Context(), KindPackage, before, change))
	})
}

// settings returns the fields of an item.
func settings(object string) map[string]json.RawMessage {
	return anyjson.ReadObject(json.RawMessage(object))
}

// What an update loses of a nested object is named, too.
func TestUpdateItem_LosesNested(t *testing.T) {
	t.Parallel()
	texttable.Run(t, `
		done             | {"documents":100,"seats":5,"of":{"deep":1}} | {"documents":200,"seats":5,"of":{"deep":2}}    | {"documents":200,"seats":5,"of":{"deep":2}}           | map[]
		in other types   | {"documents":100,"seats":5,"of":{"deep":1}} | {"documents":200,"seats":5,"of":{"deep":2}}    | {"documents":"200","seats":5.0,"of":{"deep":2,"x":1}} | map[]
		a field less     | {"documents":100,"seats":5,"of":{"deep":1}} | {"documents":200,"seats":5,"of":{"deep":2}}    | {"documents":200,"of":{"deep":2}}                     | map[DROPPED:[included.seats]]
		as before        | {"documents":100,"seats":5,"of":{"deep":1}} | {"documents":200,"seats":5,"of":{"deep":2}}    | {"documents":100,"seats":5,"of":{"deep":1}}           | map[KEPT:[included.documents included.of.deep]]
		other values     | {"documents":100,"seats":5,"of":{"deep":1}} | {"documents":200,"seats":5,"of":{"deep":2}}    | {"documents":250,"seats":9,"of":{"deep":2}}           | map[OTHER:[included.documents]]
		an object less   | {"documents":100,"seats":5,"of":{"deep":1}} | {"documents":200,"seats":5,"of":{"deep":2}}    | {"documents":200,"seats":5}                           | map[DROPPED:[included.of]]
		null             | {"documents":100,"seats":5,"of":{"deep":1}} | {"documents":200,"seats":5,"of":{"deep":2}}    | null                                                  | map[DROPPED:[included]]
		without a change | {"documents":100,"seats":5,"of":{"deep":1}} |                                                | {"documents":100,"seats":5}                           | map[DROPPED:[included.of]]
		new fields       |                                             | {"montly":1,"tiers":[{"price":1},{"price":2}]} | {"tiers":[{"id":"x","price":1},{"id":"y","price":3}]} | map[MISSING:[included.montly] OTHER:[included.tiers.1.price]]
	`, func(t *testing.T, row []string) {
		change := ItemChange{Settings: map[string]any{}}
		for name, value := range included(row[2]) {
			change.Settings[name] = value
		}
		lost := lostBy(&Item{Settings: included(row[1])}, &Item{Settings: included(row[3])}, change)
		for _, names := range lost {
			slices.Sort(names)
		}
		words := strings.NewReplacer("DROPPED", lostDropped, "KEPT", lostKept, "OTHER", lostOther, "MISSING", lostMissing)
		assert.Equal(t, words.Replace(row[4]), fmt.Sprint(lost))
	})
}

// included returns the settings of an item with an object, and none for "".
func included(object string) map[string]json.RawMessage {
	if object == "" {
		return nil
	}
	return map[string]json.RawMessage{"included": json.RawMessage(object)}
}

func update(t *testing.T, c *Client, change ItemChange) transport.Outcome {
	t.Helper()
	item := Item{ID: transporttest.OtherID, Code: "GOLD", Name: "Gold", Settings: settings(`{"price":5}`)}
	return c.UpdateItem(t.Context(), KindPackage, item, change)
}

// The changed fields alone are sent where the whole item is rejected as invalid, and only they from then on.
func TestUpdateItem_ChangesAlone(t *testing.T) {
	t.Parallel()
	texttable.Run(t, `
		request   | 400 INVALID_REQUEST      | done
		data      | 400 INVALID_DATA         | done
		code      | 400 CODE_IN_USE          | done
		conflict  | 409 CONFLICT             | done
		entity    | 422 UNPROCESSABLE        | done
		item      | 404 ITEM_NOT_FOUND       | done
		forbidden | 403 FORBIDDEN            | FORBIDDEN
		token     | 400 JSON_WEB_TOKEN_ERROR | JSON_WEB_TOKEN_ERROR
		user      | 401 UNAUTHORIZED         | UNAUTHORIZED
		a page    | 413 page                 | HTTP 413
	`, func(t *testing.T, row []string) {
		script := itemScript + "POST {packages}/update -> " + row[1]
		if row[2] != "done" {
			c, _ := dial(t, transporttest.Expect(t, script))
			wantOutcome(t, row[2], update(t, c, ItemChange{Name: new("New")}))
			return
		}
		s := transporttest.Expect(t, script+"; updated; shown; updated; shown")
		c, _ := dial(t, s)
		for range 2 {
			wantOutcome(t, "done", update(t, c, ItemChange{Name: new("New")}))
		}
		assert.Len(t, transporttest.MustJSON(t, s.Body(3)), 2, "sent")
	})
}

// An API that loses what the changes alone omit is sent the whole item again.
func TestUpdateItem_WholeFirst(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t, itemScript+`rejected: POST {packages}/update -> 409 CODE_IN_USE
		rejected; updated; lossy x2; rejected; updated; lossy x2`)
	c, _ := dial(t, s, readTwice)
	for range 2 {
		wantOutcome(t, "… price …", update(t, c, ItemChange{Name: new("New")}))
	}
	assert.Contains(t, s.Body(4), `"price"`)
}

// An update sends neither times that the API sets nor IDs of other objects. What it has no more of them is no loss.
func TestUpdateItem_NeverSent(t *testing.T) {
	t.Parallel()
	read := transporttest.Named(t, `{"packageId":"{other}","code":"GOLD","name":"Gold","currency":"EUR","createdAt":1,"updatedAt":2,`+
		`"resellerId":"{id}","priceId":"price_1","included":{"planId":"{id}"}}`)
	item, err := KindPackage.readItem(json.RawMessage(read))
	require.NoError(t, err)
	after := strings.NewReplacer(`"Gold"`, `"New"`, `"createdAt":1,"updatedAt":2,`, "").Replace(read)
	s := transporttest.Expect(t, itemScript+"updated; POST {packages}/get -> 200 "+after)
	c, _ := dial(t, s)
	require.NoError(t, c.UpdateItem(t.Context(), KindPackage, item, ItemChange{Name: new("New")}).Err)
	assert.JSONEq(t, transporttest.Named(t, `{"packageId":"{other}","code":"GOLD","name":"New","currency":"EUR","priceId":"price_1","included":{"planId":"{id}"}}`), s.Body(0))
}

// An item that does not show its active flag is deactivated by the name that the API does not reject.
func TestUpdateItem_UnshownFlag(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t, itemScript+`rejected: POST {packages}/update -> 400 INVALID_REQUEST
		rejected x4; updated; POST {packages}/get -> 200 {"packageId":"{other}","code":"GOLD"}`)
	c, _ := dial(t, s)
	require.NoError(t, c.UpdateItem(t.Context(), KindPackage, Item{ID: transporttest.OtherID, Code: "GOLD"}, ItemChange{Active: new(bool)}).Err)
	for call, want := range map[int]string{0: `"active":false`, 2: `"isActive":false`, 4: `"status":"Inactive"`} {
		assert.Contains(t, s.Body(call), want, "call %d sent", call)
	}
}

func TestGetItem_FindsMethod(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t, itemScript+`
		found: GET {packages}/get?packageId={other} -> 200 {"package":{"packageId":"{other}","code":"GOLD","name":"Gold","currency":"EUR","isActive":false}}
		no get; found x2
	`)
	c, _ := dial(t, s)
	for range 2 {
		item, err := c.GetItem(t.Context(), KindPackage, transporttest.OtherID)
		require.NoError(t, err)
		assert.Equal(t, &Item{ID: transporttest.OtherID, Code: "GOLD", Name: "Gold", Currency: "EUR", activeAs: "isActive", Settings: item.Settings}, item)
		assert.Empty(t, item.Settings)
	}
}

// The API documentation does not show how to read one item: a rejection is about the request, not the item.
func TestGetItem_NotReadAlone(t *testing.T) {
	t.Parallel()
	texttable.Run(t, `
		no endpoint     | no get; GET {packages}/get?packageId={other} -> 404 NOT_FOUND | not read alone
		no method       | POST {packages}/get -> 405; GET {packages}/get?packageId={other} -> 405 | not read alone
		another request | POST {packages}/get -> 400 INVALID_REQUEST                    | not read alone
		another item    | POST {packages}/get -> 200 {"packageId":"{owner}"}            | not read alone
		no item         | POST {packages}/get -> 200 {}                                 | not read alone
		no scope        | POST {packages}/get -> 403 INSUFFICIENT_SCOPE                 | another cause
	`, func(t *testing.T, row []string) {
		c, _ := dial(t, transporttest.Expect(t, itemScript+row[1]))
		item, err := c.GetItem(t.Context(), KindPackage, transporttest.OtherID)
		require.Error(t, err, "got %+v", item)
		assert.Equal(t, row[2] == "not read alone", errors.Is(err, ErrNotReadAlone), "got %+v, %v", item, err)
	})
}

func TestItem_CompletedBy(t *testing.T) {
	t.Parallel()
	row := Item{ID: transporttest.OtherID, Code: "GOLD", Active: true, Settings: settings(`{"a":1}`)}
	whole := Item{ID: transporttest.OtherID, Code: "OLD", Name: "Gold", Currency: "EUR", activeAs: "isActive", Settings: settings(`{"a":2,"b":3}`)}
	want := Item{ID: transporttest.OtherID, Code: "GOLD", Name: "Gold", Currency: "EUR", activeAs: "isActive", Settings: settings(`{"a":1,"b":3}`)}
	assert.Equal(t, &want, row.CompletedBy(&whole))
	assert.Equal(t, settings(`{"a":1}`), row.Settings, "what is shared was changed")
	assert.Equal(t, settings(`{"a":2,"b":3}`), whole.Settings, "what is shared was changed")
}

// A failure shows nothing about the method: the next call tries all variants again.
func TestFindMethod_IgnoresFailures(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t, itemScript+`
		POST {packages}/update -> 500 INTERNAL_SERVER_ERROR
		no post; put; POST {packages}/get -> 500 INTERNAL_SERVER_ERROR # a read that fails shows nothing
	`)
	c, _ := dial(t, s, func(cfg *Config) { cfg.MaxRetries = 0 })
	for _, want := range []string{"doubt: … INTERNAL_SERVER_ERROR …", "done"} {
		wantOutcome(t, want, c.UpdateItem(t.Context(), KindPackage, Item{ID: transporttest.OtherID}, ItemChange{Name: new("New")}))
	}
}

func TestPointsLedger_Ends(t *testing.T) {
	t.Parallel()
	var rows []string
	for i := range pageSize {
		rows = append(rows, fmt.Sprintf(`{"id":"r%d","itemCode":"seats"}`, i))
	}
	full := `GET {label}/points?page=%d&pageSize=100 -> 200 {"rows":[` + strings.Join(rows, ",") + "]}\n"
	// A server that always returns the same page, without a total.
	c, _ := dial(t, transporttest.Expect(t, fmt.Sprintf(full, 1)+fmt.Sprintf(full, 2)))
	got, total, err := c.PointsLedger(t.Context(), transporttest.ID, "", 1000)
	require.NoError(t, err, "%d rows of %d", len(got), total)
	require.Len(t, got, pageSize, "rows of %d", total)
	assert.Equal(t, -1, total, "%d rows", len(got))
}

func TestAttachAndRemove(t *testing.T) {
	t.Parallel()
	const script = `
		attached: POST {label}/package/addons -> 200 {"outcome":"Attached"}
		attach lost: POST {label}/package/addons -> reset
		assign lost: POST {label}/package -> reset
		removed: DELETE {label}/package -> 200 {}
		remove lost: DELETE {label}/package -> reset
		detached: DELETE {label}/package/addons/{owner} -> 200 {}
		forbidden: GET {label} -> 403 FORBIDDEN

		none: GET {label} -> 200 {"tenantId":"{id}","assignment":null}
		bare: GET {label} -> 200 {"tenantId":"{id}","assignment":{"packageId":"{other}","packageCode":"GOLD","addons":[]}}
		two: GET {label} -> 200 {"tenantId":"{id}","assignment":{"packageId":"{other}","packageCode":"GOLD","addons":[{"subscriptionAddonId":"{owner}","addonId":"{other}","code":"PLUS","quantity":2}]}}
		three: GET {label} -> 200 {"tenantId":"{id}","assignment":{"packageId":"{other}","packageCode":"GOLD","addons":[{"subscriptionAddonId":"{owner}","addonId":"{other}","code":"PLUS","quantity":3}]}}
	`
	addon := AttachedAddon{SubscriptionAddonID: transporttest.OwnerID, AddonID: transporttest.OtherID, Code: "PLUS"}
	calls := map[string]func(*Client) transport.Outcome{
		"attach 2": func(c *Client) transport.Outcome {
			return c.AttachAddon(t.Context(), transporttest.ID, transporttest.OtherID, 2, nil)
		},
		"assign":       assigning(t, transporttest.OtherID),
		"assign owner": assigning(t, transporttest.OwnerID),
		"remove":       func(c *Client) transport.Outcome { return c.RemovePackage(t.Context(), transporttest.ID) },
		"detach":       func(c *Client) transport.Outcome { return c.RemoveAddon(t.Context(), transporttest.ID, addon) },
	}
	texttable.Run(t, `
		attach                        | attach 2     | attached                                                      | done
		attach, lost                  | attach 2     | attach lost; two                                              | lost
		attach, another many          | attach 2     | attach lost; three                                            | doubt: … quantity 3 of add-on …
		attach, once more             | attach 2     | attach lost; bare; none; attached                             | done
		an unknown outcome            | attach 2     | POST {label}/package/addons -> 200 {"outcome":"Perhaps"}; two | lost
		assign, lost                  | assign       | assign lost; bare                                             | lost
		assign, another               | assign owner | assign lost; two                                              | doubt: … has package GOLD …
		assign, lost, then there      | assign       | assign lost; none x2; POST {label}/package -> 400 ALREADY_ASSIGNED; bare | lost
		remove the package            | remove       | removed; none                                                 | done
		by the other method           | remove       | DELETE {label}/package -> 404 NOT_FOUND; POST {label}/package/remove -> 200 {}; none | done
		not the other method          | remove       | DELETE {label}/package -> 400 NOT_FOUND                       | NOT_FOUND
		removed, but still there      | remove       | removed; bare x2                                              | doubt: … but no read afterwards shows it yet …
		removed, without a body       | remove       | DELETE {label}/package -> 204; bare; none                     | done
		removed, shown late           | remove       | removed; bare; none                                           | done
		removed, not readable         | remove       | removed; forbidden; GET {label}/package -> 403 FORBIDDEN      | doubt: … FORBIDDEN …
		removed, detail rejected      | remove       | removed; forbidden; GET {label}/package -> 400 NOT_ASSIGNED   | done
		removal lost, detail rejected | remove       | remove lost; forbidden                                        | doubt: … FORBIDDEN …
		no package                    | remove       | DELETE {label}/package -> 400 NOT_ASSIGNED; none              | done
		removed, lost                 | remove       | remove lost; none                                             | lost
		remove the add-on             | detach       | detached; bare                                                | done
		by its other id               | detach       | DELETE {label}/package/addons/{owner} -> 400 ADDON_NOT_FOUND; DELETE {label}/package/addons/{other} -> 200 {}; none | done
		answered, but still there     | detach       | detached; two x2                                              | doubt: … but no read afterwards shows it yet …
		add-on removed, lost          | detach       | DELETE {label}/package/addons/{owner} -> reset; bare          | lost
		remove rejected               | detach       | DELETE {label}/package/addons/{owner} -> 403 FORBIDDEN        | FORBIDDEN
	`, func(t *testing.T, row []string) {
		c, _ := dial(t, transporttest.Expect(t, script+row[2]), readTwice)
		wantOutcome(t, row[3], calls[row[1]](c))
	})
}

func assigning(t *testing.T, packageID string) func(*Client) transport.Outcome {
	t.Helper()
	return func(c *Client) transport.Outcome {
		_, o := c.AssignPackage(t.Context(), transporttest.ID, packageID, nil)
		return o
	}
}

func TestFigures(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t, `
		GET {reseller}/usage?period=2026-09 -> 200 {"a":1}
		GET {reseller}/billing/quota -> 200 {"a":1}
		GET {reseller}/billing/points -> 403 INSUFFICIENT_SCOPE
	`)
	c, _ := dial(t, s)
	usage, errUsage := c.Usage(t.Context(), "2026-09")
	quota, errQuota := c.Quota(t.Context())
	_, errPoints := c.Points(t.Context())
	if string(usage) != `{"a":1}` || string(quota) != `{"a":1}` || errUsage != nil || errQuota != nil || !transport.IsCode(errPoints, CodeInsufficientScope) {
		t.Errorf("got %s, %v, %s, %v, %v", usage, errUsage, quota, errQuota, errPoints)
	}
}
