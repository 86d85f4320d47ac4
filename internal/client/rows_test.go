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

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

const (
	reqPackages = "POST /console/reseller.example/reseller/billing/packages"
	reqSearch   = reqPackages + "/search"
	reqUpdate   = "/console/reseller.example/reseller/billing/packages/update"
	reqGet      = "/console/reseller.example/reseller/billing/packages/get"
	reqAssign   = transporttest.ReqProvision + "/" + transporttest.ID + "/package"
	reqLedger   = "GET /console/reseller.example/reseller/private-labels/" + transporttest.ID + "/points?page="

	gold   = `{"packageId":"` + transporttest.OtherID + `","code":"GOLD","name":"Gold","currency":"EUR","isActive":false,"seats":5}`
	search = `{"packages":[` + gold + `],"total":1}`
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
	s := transporttest.Expect(t, transporttest.Step{Request: reqSearch, Answer: searchPage(0, 100, 150)}, transporttest.Step{Request: reqSearch, Answer: searchPage(99, 51, 150)}, transporttest.Step{Request: reqSearch, Answer: transporttest.OK(`null`)}, transporttest.Step{Request: reqSearch, Answer: transporttest.OK(search)})
	c, _ := dial(t, s)
	items, err := c.SearchItems(t.Context(), KindPackage, "")
	require.NoError(t, err, "%d items", len(items))
	assert.Len(t, items, 150)
	assert.JSONEq(t, `{"page":2,"pageSize":100,"query":""}`, s.Body(1))
	items, err = c.SearchItems(t.Context(), KindPackage, "")
	assert.Error(t, err, "null is read as %d items", len(items))
	item, err := c.ItemByCode(t.Context(), KindPackage, "Gold") // among all: the API documentation does not say whether a query matches codes
	assert.JSONEq(t, `{"page":1,"pageSize":100,"query":""}`, s.Body(3))
	if err != nil || item == nil || item.ID != transporttest.OtherID || item.Active || string(item.Settings["seats"]) != "5" || item.activeAs != "isActive" {
		t.Errorf("got %+v, %v", item, err)
	}
}

func TestCreateItem(t *testing.T) {
	t.Parallel()
	notFound, found := transporttest.Step{Request: reqSearch, Answer: transporttest.OK(`{"packages":[],"total":0}`)}, transporttest.Step{Request: reqSearch, Answer: transporttest.OK(search)}
	lost := transporttest.Step{Request: reqPackages, Answer: transporttest.Reset}
	for _, tc := range []struct {
		name        string
		steps       []transporttest.Step
		lost, doubt bool
		code        string
	}{
		{name: "it goes well", steps: []transporttest.Step{{Request: reqPackages, Answer: transporttest.OK(`{"package":{"id":"` + transporttest.OtherID + `"}}`)}}},
		{name: "no id: a search finds it", steps: []transporttest.Step{{Request: reqPackages, Answer: transporttest.OK(`{}`)}, found}},
		{name: "in use", steps: []transporttest.Step{{Request: reqPackages, Answer: transporttest.Reject(400, CodeCodeInUse)}}, code: CodeCodeInUse},
		{name: "lost, and there", steps: []transporttest.Step{lost, notFound, found}, lost: true},
		{name: "lost, in use, and there", steps: []transporttest.Step{lost, notFound, notFound, {Request: reqPackages, Answer: transporttest.Reject(400, CodeCodeInUse)}, found}, lost: true},
		{name: "lost, and another's", steps: []transporttest.Step{lost, {Request: reqSearch, Answer: transporttest.OK(strings.Replace(search, `"Gold"`, `"Other"`, 1))}}, doubt: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := transporttest.Expect(t, tc.steps...)
			c, _ := dial(t, s, readTwice)
			item, o := c.CreateItem(t.Context(), KindPackage, itemRequest())
			responseLost, err := o.ResponseLost, o.Err
			var doubt *transport.UnknownOutcomeError
			switch {
			case tc.code != "" && transport.IsCode(err, tc.code), tc.doubt && errors.As(err, &doubt):
			case err != nil || tc.code != "" || tc.doubt:
				t.Errorf("got %v", err)
			case item.ID != transporttest.OtherID || item.Code != "GOLD" || item.Name != "Gold" || item.Currency != "EUR" || responseLost != tc.lost:
				t.Errorf("got %+v, %v", item, responseLost)
			}
			assert.JSONEq(t, `{"code":"gold","name":"Gold","currency":"EUR","seats":5}`, s.Body(0))
		})
	}
}

// The name decides where the request, or the row that a search finds, has no currency.
func TestCreateItem_WithoutCurrency(t *testing.T) {
	t.Parallel()
	for currency, rows := range map[string]string{"": search, "EUR": strings.Replace(search, `"currency":"EUR",`, ``, 1)} {
		s := transporttest.Expect(t, transporttest.Step{Request: reqPackages, Answer: transporttest.Reset}, transporttest.Step{Request: reqSearch, Answer: transporttest.OK(rows)})
		c, _ := dial(t, s)
		req := itemRequest()
		req.Currency = currency
		out, o := c.CreateItem(t.Context(), KindPackage, req)
		require.NoError(t, o.Err)
		require.True(t, o.ResponseLost)
		assert.Equal(t, transporttest.OtherID, out.ID)
		assert.Equal(t, currency == "", out.Currency == "EUR", "found with %q", out.Currency)
		assert.Equal(t, currency != "", strings.Contains(s.Body(0), "currency"), "sent %s", s.Body(0))
	}
}

func updating(answer transporttest.Answer) transporttest.Step {
	return transporttest.Step{Request: "POST " + reqUpdate, Answer: answer}
}

func TestUpdateItem_FindsMethod(t *testing.T) {
	t.Parallel()
	shown := transporttest.Step{Request: "POST " + reqGet, Answer: transporttest.OK(`{"packageId":"` + transporttest.OtherID + `","code":"GOLD","name":"New","seats":5,"status":"Inactive"}`)}
	put := transporttest.Step{Request: "PUT " + reqUpdate, Answer: transporttest.OK(`{}`)}
	s := transporttest.Expect(t, transporttest.Step{Request: "POST " + reqUpdate, Answer: transporttest.Reject(404, CodeNotFound)}, put, shown, put, shown)
	c, _ := dial(t, s)
	name, active := "New", false
	for _, item := range []Item{{ID: transporttest.OtherID, activeAs: "status"}, {ID: transporttest.OtherID}} {
		require.NoError(t, c.UpdateItem(t.Context(), KindPackage, item, ItemChange{Name: &name, Active: &active, Settings: itemRequest().Settings}).Err)
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
		none := transporttest.Reply(404, body)
		remove := "DELETE " + strings.TrimPrefix(reqAssign, "POST ")
		s := transporttest.Serve(t, transporttest.Replies{
			"POST " + reqGet: {none}, "GET " + reqGet + "?packageId=" + transporttest.OtherID: {transporttest.OK(`{"packageId":"` + transporttest.OtherID + `","code":"GOLD","name":"New"}`)},
			"POST " + reqUpdate: {none}, "PUT " + reqUpdate: {none}, "PATCH " + reqUpdate: {transporttest.OK(`{}`)},
			remove: {none}, reqAssign + "/remove": {transporttest.OK(`{}`)}, transporttest.ReqDetail: {transporttest.OK(transporttest.Detail)},
		})
		c, _ := dial(t, s)
		item, err := c.GetItem(t.Context(), KindPackage, transporttest.OtherID)
		require.NoError(t, err, "get after %s", body)
		name := "New"
		require.NoError(t, c.UpdateItem(t.Context(), KindPackage, *item, ItemChange{Name: &name}).Err, "update after %s", body)
		require.NoError(t, c.RemovePackage(t.Context(), transporttest.ID).Err, "removal after %s", body)
		assert.Equal(t, 1, s.Count(remove), "after %s", body)
	}
	c, _ := dial(t, transporttest.Expect(t, transporttest.Step{Request: "POST " + reqGet, Answer: transporttest.Reject(404, "PACKAGE_NOT_FOUND")}))
	_, err := c.GetItem(t.Context(), KindPackage, transporttest.OtherID)
	require.ErrorIs(t, err, ErrNotReadAlone)
}

// What an update loses is an error that names it.
func TestUpdateItem_ReadsBack(t *testing.T) {
	t.Parallel()
	raw := func(text string) json.RawMessage { return json.RawMessage(text) }
	before := Item{ID: transporttest.OtherID, Code: "GOLD", Name: "Gold", Currency: "EUR", Active: true, activeAs: "active", Settings: map[string]json.RawMessage{
		"price": raw("5"), "seats": raw("[1, 2]"), "note": raw("null"),
	}}
	name, active := "New", true
	change := ItemChange{Name: &name, Active: &active, Settings: map[string]any{"seats": raw("[1,3]")}}
	for fields, want := range map[string]string{
		`"name":"New","currency":"EUR","price":5,"seats":[1,3],"active":true`:   "",
		`"name":"New","currency":"EUR","price":6.0,"seats":[1,4],"active":true`: "show another value of seats.1",
		`"currency":"EUR","price":5,"seats":[1,3]`:                              "no longer show name",
		`"name":"New","active":true`:                                            "no longer show currency, price, seats",
		`"name":"Gold","currency":"EUR","price":5,"seats":[1,2],"active":false`: "still show the old value of active, name, seats.1",
		`"name":"Gold","currency":"EUR","seats":[1,3]`:                          "no longer show price and still show the old value of name",
	} {
		read := transporttest.Step{Request: "POST " + reqGet, Answer: transporttest.OK(`{"packageId":"` + transporttest.OtherID + `","code":"GOLD",` + fields + `}`)}
		steps := []transporttest.Step{{Request: "POST " + reqUpdate, Answer: transporttest.OK(`{}`)}, read}
		if want != "" {
			steps = append(steps, read)
		}
		c, _ := dial(t, transporttest.Expect(t, steps...), readTwice)
		err := c.UpdateItem(t.Context(), KindPackage, before, change).Err
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), "reads afterwards "+want) {
			t.Errorf("%s: %v", fields, err)
		}
	}
}

// What an update loses of a nested object is named, too.
func TestUpdateItem_LosesNested(t *testing.T) {
	t.Parallel()
	settings := func(included string) map[string]json.RawMessage {
		return map[string]json.RawMessage{"included": json.RawMessage(included)}
	}
	before := &Item{Settings: settings(`{"documents":100,"seats":5,"of":{"deep":1}}`)}
	change := ItemChange{Settings: map[string]any{"included": json.RawMessage(`{"documents":200,"seats":5,"of":{"deep":2}}`)}}
	for after, want := range map[string]map[string][]string{
		`{"documents":200,"seats":5,"of":{"deep":2}}`:           {},
		`{"documents":"200","seats":5.0,"of":{"deep":2,"x":1}}`: {},
		`{"documents":200,"of":{"deep":2}}`:                     {lostDropped: {"included.seats"}},
		`{"documents":100,"seats":5,"of":{"deep":1}}`:           {lostKept: {"included.documents", "included.of.deep"}},
		`{"documents":250,"seats":9,"of":{"deep":2}}`:           {lostOther: {"included.documents"}},
		`{"documents":200,"seats":5}`:                           {lostDropped: {"included.of"}},
		`null`:                                                  {lostDropped: {"included"}},
	} {
		lost := lostBy(before, &Item{Settings: settings(after)}, change)
		for _, names := range lost {
			slices.Sort(names)
		}
		assert.Equal(t, want, lost, after)
	}
	lost := lostBy(before, &Item{Settings: settings(`{"documents":100,"seats":5}`)}, ItemChange{})
	assert.Equal(t, map[string][]string{lostDropped: {"included.of"}}, lost, "an unchanged object")
	added := ItemChange{Settings: map[string]any{"montlyPrice": json.RawMessage("4900"), "tiers": json.RawMessage(`[{"price":1},{"price":2}]`)}}
	lost = lostBy(&Item{}, &Item{Settings: map[string]json.RawMessage{"tiers": json.RawMessage(`[{"id":"x","price":1},{"id":"y","price":3}]`)}}, added)
	assert.Equal(t, map[string][]string{lostMissing: {"montlyPrice"}, lostOther: {"tiers.1.price"}}, lost, "fields that the item did not have")
}

// The changed fields alone are sent where the whole item is rejected as invalid, and only they from then on.
func TestUpdateItem_ChangesAlone(t *testing.T) {
	t.Parallel()
	shown := transporttest.Step{Request: "POST " + reqGet, Answer: transporttest.OK(`{"packageId":"` + transporttest.OtherID + `","code":"GOLD","name":"New","price":5}`)}
	item := Item{ID: transporttest.OtherID, Code: "GOLD", Name: "Gold", Settings: map[string]json.RawMessage{"price": json.RawMessage("5")}}
	name := "New"
	for rejection, alone := range map[string]bool{
		"400 " + CodeInvalidRequest: true, "400 " + CodeInvalidData: true, "400 " + CodeCodeInUse: true, "409 CONFLICT": true, "422 UNPROCESSABLE": true, "404 ITEM_NOT_FOUND": true,
		"403 " + CodeForbidden: false, "400 " + transport.CodeJSONWebTokenError: false, "401 " + CodeUnauthorized: false,
	} {
		var status int
		var code string
		_, err := fmt.Sscan(rejection, &status, &code)
		require.NoError(t, err)
		steps := []transporttest.Step{updating(transporttest.Reject(status, code))}
		if alone {
			steps = append(steps, updating(transporttest.OK(`{}`)), shown, updating(transporttest.OK(`{}`)), shown)
		}
		s := transporttest.Expect(t, steps...)
		c, _ := dial(t, s)
		err = c.UpdateItem(t.Context(), KindPackage, item, ItemChange{Name: &name}).Err
		if alone && err == nil {
			err = c.UpdateItem(t.Context(), KindPackage, item, ItemChange{Name: &name}).Err
			assert.Len(t, transporttest.MustJSON(t, s.Body(3)), 2, "%s: sent", rejection)
		}
		assert.Equal(t, alone, err == nil, "%s: %v", rejection, err)
	}
}

// A gateway's page is about no field, and an API that loses what the changes alone omit is sent the whole item again.
func TestUpdateItem_WholeFirst(t *testing.T) {
	t.Parallel()
	name := "New"
	item := Item{ID: transporttest.OtherID, Code: "GOLD", Name: "Gold", Settings: map[string]json.RawMessage{"price": json.RawMessage("5")}}
	c, _ := dial(t, transporttest.Expect(t, updating(transporttest.HTML(413))))
	require.True(t, transport.IsStatus(c.UpdateItem(t.Context(), KindPackage, item, ItemChange{Name: &name}).Err, 413))
	lossy := transporttest.Step{Request: "POST " + reqGet, Answer: transporttest.OK(`{"packageId":"` + transporttest.OtherID + `","code":"GOLD","name":"New"}`)}
	rejected, done := updating(transporttest.Reject(409, CodeCodeInUse)), updating(transporttest.OK(`{}`))
	s := transporttest.Expect(t, rejected, done, lossy, lossy, rejected, done, lossy, lossy)
	c, _ = dial(t, s, readTwice)
	for range 2 {
		err := c.UpdateItem(t.Context(), KindPackage, item, ItemChange{Name: &name}).Err
		require.ErrorContains(t, err, "price")
	}
	assert.Contains(t, s.Body(4), `"price"`)
}

// An update sends neither times that the API sets nor IDs of other objects. What it has no more of them is no loss.
func TestUpdateItem_NeverSent(t *testing.T) {
	t.Parallel()
	const read = `{"packageId":"` + transporttest.OtherID + `","code":"GOLD","name":"Gold","currency":"EUR","createdAt":1,"updatedAt":2,"resellerId":"` + transporttest.ID + `","priceId":"price_1","included":{"planId":"` + transporttest.ID + `"}}`
	item, err := KindPackage.readItem(json.RawMessage(read))
	require.NoError(t, err)
	name := "New"
	after := strings.NewReplacer(`"Gold"`, `"New"`, `"createdAt":1,"updatedAt":2,`, "").Replace(read)
	s := transporttest.Expect(t, updating(transporttest.OK(`{}`)), transporttest.Step{Request: "POST " + reqGet, Answer: transporttest.OK(after)})
	c, _ := dial(t, s)
	require.NoError(t, c.UpdateItem(t.Context(), KindPackage, item, ItemChange{Name: &name}).Err)
	want := map[string]any{
		"packageId": transporttest.OtherID, "code": "GOLD", "name": "New", "currency": "EUR", "priceId": "price_1", "included": map[string]any{"planId": transporttest.ID},
	}
	assert.Equal(t, want, transporttest.MustJSON(t, s.Body(0)))
}

// An item that does not show its active flag is deactivated by the name that the API does not reject.
func TestUpdateItem_UnshownFlag(t *testing.T) {
	t.Parallel()
	rejected, done := updating(transporttest.Reject(400, CodeInvalidRequest)), updating(transporttest.OK(`{}`))
	shown := transporttest.Step{Request: "POST " + reqGet, Answer: transporttest.OK(`{"packageId":"` + transporttest.OtherID + `","code":"GOLD"}`)}
	s := transporttest.Expect(t, rejected, rejected, rejected, rejected, done, shown)
	c, _ := dial(t, s)
	require.NoError(t, c.UpdateItem(t.Context(), KindPackage, Item{ID: transporttest.OtherID, Code: "GOLD"}, ItemChange{Active: new(bool)}).Err)
	for call, want := range map[int]string{0: `"active":false`, 2: `"isActive":false`, 4: `"status":"Inactive"`} {
		assert.Contains(t, s.Body(call), want, "call %d sent", call)
	}
}

func TestGetItem_FindsMethod(t *testing.T) {
	t.Parallel()
	found := transporttest.OK(`{"package":{"packageId":"` + transporttest.OtherID + `","code":"GOLD","name":"Gold","currency":"EUR","isActive":false}}`)
	s := transporttest.Expect(t, transporttest.Step{Request: "POST " + reqGet, Answer: transporttest.Reject(404, CodeNotFound)}, transporttest.Step{Request: "GET " + reqGet + "?packageId=" + transporttest.OtherID, Answer: found}, transporttest.Step{Request: "GET " + reqGet + "?packageId=" + transporttest.OtherID, Answer: found})
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
	asked := "GET " + reqGet + "?packageId=" + transporttest.OtherID
	for name, tc := range map[string]struct {
		steps []transporttest.Step
		alone bool // the error has another cause
	}{
		"no endpoint":     {[]transporttest.Step{{Request: "POST " + reqGet, Answer: transporttest.Reject(404, CodeNotFound)}, {Request: asked, Answer: transporttest.Reject(404, CodeNotFound)}}, false},
		"no method":       {[]transporttest.Step{{Request: "POST " + reqGet, Answer: transporttest.Reply(405, ``)}, {Request: asked, Answer: transporttest.Reply(405, ``)}}, false},
		"another request": {[]transporttest.Step{{Request: "POST " + reqGet, Answer: transporttest.Reject(400, CodeInvalidRequest)}}, false},
		"another item":    {[]transporttest.Step{{Request: "POST " + reqGet, Answer: transporttest.OK(`{"packageId":"` + transporttest.OwnerID + `"}`)}}, false},
		"no item":         {[]transporttest.Step{{Request: "POST " + reqGet, Answer: transporttest.OK(`{}`)}}, false},
		"no scope":        {[]transporttest.Step{{Request: "POST " + reqGet, Answer: transporttest.Reject(403, CodeInsufficientScope)}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := dial(t, transporttest.Expect(t, tc.steps...))
			item, err := c.GetItem(t.Context(), KindPackage, transporttest.OtherID)
			require.Error(t, err, "got %+v", item)
			assert.NotEqual(t, tc.alone, errors.Is(err, ErrNotReadAlone), "got %+v, %v", item, err)
		})
	}
}

func TestItem_CompletedBy(t *testing.T) {
	t.Parallel()
	row := Item{ID: transporttest.OtherID, Code: "GOLD", Active: true, Settings: map[string]json.RawMessage{"a": json.RawMessage("1")}}
	whole := Item{ID: transporttest.OtherID, Code: "OLD", Name: "Gold", Currency: "EUR", activeAs: "isActive", Settings: map[string]json.RawMessage{"a": json.RawMessage("2"), "b": json.RawMessage("3")}}
	got := row.CompletedBy(&whole)
	if got.Code != "GOLD" || got.Name != "Gold" || got.Currency != "EUR" || got.Active || got.activeAs != "isActive" || string(got.Settings["a"]) != "1" || string(got.Settings["b"]) != "3" {
		t.Errorf("got %+v", got)
	}
	require.Len(t, row.Settings, 1, "what is shared was changed")
	require.Len(t, whole.Settings, 2, "what is shared was changed")
	assert.Equal(t, "2", string(whole.Settings["a"]), "what is shared was changed")
}

// A failure shows nothing about the method: the next call tries all variants again.
func TestFindMethod_IgnoresFailures(t *testing.T) {
	t.Parallel()
	missing := transporttest.Reject(404, CodeNotFound)
	s := transporttest.Expect(t, transporttest.Step{Request: "POST " + reqUpdate, Answer: transporttest.Reject(500, CodeInternal)}, transporttest.Step{Request: "POST " + reqUpdate, Answer: missing}, transporttest.Step{Request: "PUT " + reqUpdate, Answer: transporttest.OK(`{}`)},
		transporttest.Step{Request: "POST " + reqGet, Answer: transporttest.Reject(500, CodeInternal)}) // a read that fails shows nothing
	c, _ := dial(t, s, func(cfg *Config) { cfg.MaxRetries = 0 })
	name := "New"
	err := c.UpdateItem(t.Context(), KindPackage, Item{ID: transporttest.OtherID}, ItemChange{Name: &name}).Err
	assert.True(t, transport.IsCode(err, CodeInternal), err)
	assert.NoError(t, c.UpdateItem(t.Context(), KindPackage, Item{ID: transporttest.OtherID}, ItemChange{Name: &name}).Err)
}

func TestPointsLedger_Ends(t *testing.T) {
	t.Parallel()
	var rows []string
	for i := range pageSize {
		rows = append(rows, fmt.Sprintf(`{"id":"r%d","itemCode":"seats"}`, i))
	}
	full := transporttest.OK(`{"rows":[` + strings.Join(rows, ",") + `]}`)
	// A server that always returns the same page, without a total.
	s := transporttest.Expect(t, transporttest.Step{Request: reqLedger + "1&pageSize=100", Answer: full}, transporttest.Step{Request: reqLedger + "2&pageSize=100", Answer: full})
	c, _ := dial(t, s)
	got, total, err := c.PointsLedger(t.Context(), transporttest.ID, "", 1000)
	require.NoError(t, err, "%d rows of %d", len(got), total)
	require.Len(t, got, pageSize, "rows of %d", total)
	assert.Equal(t, -1, total, "%d rows", len(got))
}

func TestAttachAndRemove(t *testing.T) {
	t.Parallel()
	const attach, remove = reqAssign + "/addons", "DELETE /console/reseller.example/reseller/private-labels/" + transporttest.ID + "/package"
	const packageRead = "GET /console/reseller.example/reseller/private-labels/" + transporttest.ID + "/package"
	with := func(quantity int) transporttest.Step {
		return transporttest.Step{Request: transporttest.ReqDetail, Answer: transporttest.OK(fmt.Sprintf(`{"tenantId":%q,"assignment":{"packageId":%q,"packageCode":"GOLD","addons":[{"subscriptionAddonId":%q,"addonId":%q,"code":"PLUS","quantity":%d}]}}`, transporttest.ID, transporttest.OtherID, transporttest.OwnerID, transporttest.OtherID, quantity))}
	}
	bare := transporttest.Step{Request: transporttest.ReqDetail, Answer: transporttest.OK(`{"tenantId":"` + transporttest.ID + `","assignment":{"packageId":"` + transporttest.OtherID + `","packageCode":"GOLD","addons":[]}}`)}
	without := transporttest.Step{Request: transporttest.ReqDetail, Answer: transporttest.OK(`{"tenantId":"` + transporttest.ID + `","assignment":null}`)}
	fine := transporttest.OK(`{"outcome":"Attached"}`)
	addon := AttachedAddon{SubscriptionAddonID: transporttest.OwnerID, AddonID: transporttest.OtherID, Code: "PLUS"}
	for name, tc := range map[string]struct {
		steps []transporttest.Step
		call  func(*Client) transport.Outcome
		lost  bool
		fails string // part of the error
	}{
		"attach":                        {[]transporttest.Step{{Request: attach, Answer: fine}}, attaching(t, 2), false, ""},
		"attach, lost":                  {[]transporttest.Step{{Request: attach, Answer: transporttest.Reset}, with(2)}, attaching(t, 2), true, ""},
		"attach, another many":          {[]transporttest.Step{{Request: attach, Answer: transporttest.Reset}, with(3)}, attaching(t, 2), false, "quantity 3 of add-on"},
		"attach, once more":             {[]transporttest.Step{{Request: attach, Answer: transporttest.Reset}, bare, without, {Request: attach, Answer: fine}}, attaching(t, 2), false, ""},
		"an unknown outcome":            {[]transporttest.Step{{Request: attach, Answer: transporttest.OK(`{"outcome":"Perhaps"}`)}, with(2)}, attaching(t, 2), true, ""},
		"assign, lost":                  {[]transporttest.Step{{Request: reqAssign, Answer: transporttest.Reset}, bare}, assigning(t, transporttest.OtherID), true, ""},
		"assign, another":               {[]transporttest.Step{{Request: reqAssign, Answer: transporttest.Reset}, with(1)}, assigning(t, transporttest.OwnerID), false, "has package GOLD"},
		"assign, lost, then there":      {[]transporttest.Step{{Request: reqAssign, Answer: transporttest.Reset}, without, without, {Request: reqAssign, Answer: transporttest.Reject(400, CodeAlreadyAssigned)}, bare}, assigning(t, transporttest.OtherID), true, ""},
		"remove the package":            {[]transporttest.Step{{Request: remove, Answer: transporttest.OK(`{}`)}, without}, func(c *Client) transport.Outcome { return c.RemovePackage(t.Context(), transporttest.ID) }, false, ""},
		"by the other method":           {[]transporttest.Step{{Request: remove, Answer: transporttest.Reject(404, CodeNotFound)}, {Request: reqAssign + "/remove", Answer: transporttest.OK(`{}`)}, without}, func(c *Client) transport.Outcome { return c.RemovePackage(t.Context(), transporttest.ID) }, false, ""},
		"not the other method":          {[]transporttest.Step{{Request: remove, Answer: transporttest.Reject(400, CodeNotFound)}}, func(c *Client) transport.Outcome { return c.RemovePackage(t.Context(), transporttest.ID) }, false, CodeNotFound},
		"removed, but still there":      {[]transporttest.Step{{Request: remove, Answer: transporttest.OK(`{}`)}, bare, bare}, func(c *Client) transport.Outcome { return c.RemovePackage(t.Context(), transporttest.ID) }, false, "but no read afterwards shows it yet"},
		"removed, without a body":       {[]transporttest.Step{{Request: remove, Answer: transporttest.Reply(204, "")}, bare, without}, func(c *Client) transport.Outcome { return c.RemovePackage(t.Context(), transporttest.ID) }, false, ""},
		"removed, shown late":           {[]transporttest.Step{{Request: remove, Answer: transporttest.OK(`{}`)}, bare, without}, func(c *Client) transport.Outcome { return c.RemovePackage(t.Context(), transporttest.ID) }, false, ""},
		"removed, not readable":         {[]transporttest.Step{{Request: remove, Answer: transporttest.OK(`{}`)}, {Request: transporttest.ReqDetail, Answer: transporttest.Reject(403, CodeForbidden)}, {Request: packageRead, Answer: transporttest.Reject(403, CodeForbidden)}}, func(c *Client) transport.Outcome { return c.RemovePackage(t.Context(), transporttest.ID) }, false, CodeForbidden},
		"removed, detail rejected":      {[]transporttest.Step{{Request: remove, Answer: transporttest.OK(`{}`)}, {Request: transporttest.ReqDetail, Answer: transporttest.Reject(403, CodeForbidden)}, {Request: packageRead, Answer: transporttest.Reject(400, CodeNotAssigned)}}, func(c *Client) transport.Outcome { return c.RemovePackage(t.Context(), transporttest.ID) }, false, ""},
		"removal lost, detail rejected": {[]transporttest.Step{{Request: remove, Answer: transporttest.Reset}, {Request: transporttest.ReqDetail, Answer: transporttest.Reject(403, CodeForbidden)}}, func(c *Client) transport.Outcome { return c.RemovePackage(t.Context(), transporttest.ID) }, true, CodeForbidden},
		"no package":                    {[]transporttest.Step{{Request: remove, Answer: transporttest.Reject(400, CodeNotAssigned)}, without}, func(c *Client) transport.Outcome { return c.RemovePackage(t.Context(), transporttest.ID) }, false, ""},
		"removed, lost":                 {[]transporttest.Step{{Request: remove, Answer: transporttest.Reset}, without}, func(c *Client) transport.Outcome { return c.RemovePackage(t.Context(), transporttest.ID) }, true, ""},
		"remove the add-on":             {[]transporttest.Step{{Request: remove + "/addons/" + transporttest.OwnerID, Answer: transporttest.OK(`{}`)}, bare}, func(c *Client) transport.Outcome { return c.RemoveAddon(t.Context(), transporttest.ID, addon) }, false, ""},
		"by its other id": {[]transporttest.Step{{Request: remove + "/addons/" + transporttest.OwnerID, Answer: transporttest.Reject(400, CodeAddonNotFound)}, {Request: remove + "/addons/" + transporttest.OtherID, Answer: transporttest.OK(`{}`)}, without}, func(c *Client) transport.Outcome {
			return c.RemoveAddon(t.Context(), transporttest.ID, addon)
		}, false, ""},
		"answered, but still there": {[]transporttest.Step{{Request: remove + "/addons/" + transporttest.OwnerID, Answer: transporttest.OK(`{}`)}, with(2), with(2)}, func(c *Client) transport.Outcome { return c.RemoveAddon(t.Context(), transporttest.ID, addon) }, false, "but no read afterwards shows it yet"},
		"add-on removed, lost":      {[]transporttest.Step{{Request: remove + "/addons/" + transporttest.OwnerID, Answer: transporttest.Reset}, bare}, func(c *Client) transport.Outcome { return c.RemoveAddon(t.Context(), transporttest.ID, addon) }, true, ""},
		"remove rejected":           {[]transporttest.Step{{Request: remove + "/addons/" + transporttest.OwnerID, Answer: transporttest.Reject(403, CodeForbidden)}}, func(c *Client) transport.Outcome { return c.RemoveAddon(t.Context(), transporttest.ID, addon) }, false, CodeForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := dial(t, transporttest.Expect(t, tc.steps...), readTwice)
			got := tc.call(c)
			if got.State == transport.Applied && got.ResponseLost != tc.lost || (got.Err != nil) != (tc.fails != "") || got.Err != nil && !strings.Contains(got.Err.Error(), tc.fails) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func attaching(t *testing.T, quantity float64) func(*Client) transport.Outcome {
	t.Helper()
	return func(c *Client) transport.Outcome {
		return c.AttachAddon(t.Context(), transporttest.ID, transporttest.OtherID, quantity, nil)
	}
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
	const base = "GET /console/reseller.example/reseller"
	s := transporttest.Expect(t, transporttest.Step{Request: base + "/usage?period=2026-09", Answer: transporttest.OK(`{"a":1}`)}, transporttest.Step{Request: base + "/billing/quota", Answer: transporttest.OK(`{"a":1}`)}, transporttest.Step{Request: base + "/billing/points", Answer: transporttest.Reject(403, CodeInsufficientScope)})
	c, _ := dial(t, s)
	usage, errUsage := c.Usage(t.Context(), "2026-09")
	quota, errQuota := c.Quota(t.Context())
	_, errPoints := c.Points(t.Context())
	if string(usage) != `{"a":1}` || string(quota) != `{"a":1}` || errUsage != nil || errQuota != nil || !transport.IsCode(errPoints, CodeInsufficientScope) {
		t.Errorf("got %s, %v, %s, %v, %v", usage, errUsage, quota, errQuota, errPoints)
	}
}
