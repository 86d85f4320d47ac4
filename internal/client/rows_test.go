package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

const (
	reqPackages = "POST /console/reseller.example/reseller/billing/packages"
	reqSearch   = reqPackages + "/search"
	reqUpdate   = "/console/reseller.example/reseller/billing/packages/update"
	reqAssign   = reqProvision + "/" + testID + "/package"
	reqLedger   = "GET /console/reseller.example/reseller/private-labels/" + testID + "/points?page="

	gold   = `{"packageId":"` + otherID + `","code":"GOLD","name":"Gold","currency":"EUR","isActive":false,"seats":5}`
	search = `{"packages":[` + gold + `],"total":1}`
)

func itemRequest() ItemRequest {
	return ItemRequest{Code: "gold", Name: "Gold", Currency: "EUR", Settings: map[string]json.RawMessage{"seats": json.RawMessage("5")}}
}

func TestReadRows(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]int{
		`[]`: 0, `[1,2]`: 2, `{"rows":[1],"total":7}`: 1, `{"page":{"rows":[1,2]},"total":2}`: 2, `{"rows":[],"total":0}`: 0,
		// What has no rows must not be read as none.
		`null`: -1, `{}`: -1, `7`: -1, `{"rows":null}`: -1, `{"a":[1],"b":[2]}`: -1, `{"page":{"a":[1],"b":[2]}}`: -1,
	} {
		rows, _, err := readRows(json.RawMessage(data))
		if (err != nil) != (want < 0) || err == nil && len(rows) != want {
			t.Errorf("%s: %d rows, %v", data, len(rows), err)
		}
	}
}

func FuzzReadRows(f *testing.F) {
	for _, seed := range []string{`null`, `[]`, search, `{"a":{"b":{"c":[{}]}}}`, `{"a":[],"b":[]}`, strings.Repeat(`{"rows":`, 60) + `1` + strings.Repeat(`}`, 60)} {
		f.Add(seed)
	}
	f.Fuzz(func(_ *testing.T, data string) {
		rows, _, err := readRows(json.RawMessage(data), KindPackage.rowNames()...)
		if err != nil {
			return
		}
		for _, row := range rows {
			_, _ = readItem(KindPackage, row)
		}
	})
}

func TestSearchItems(t *testing.T) {
	t.Parallel()
	page := func(from, n, total int) answer {
		rows := make([]string, n)
		for i := range rows {
			rows[i] = fmt.Sprintf(`{"id":"%032x","code":"C%d"}`, from+i, from+i)
		}
		return ok(fmt.Sprintf(`{"items":[%s],"total":%d}`, strings.Join(rows, ","), total))
	}
	s := serve(t, step{reqSearch, page(0, 100, 150)}, step{reqSearch, page(99, 51, 150)}, step{reqSearch, ok(`null`)}, step{reqSearch, ok(search)})
	c, _ := dial(t, s)
	items, err := c.SearchItems(t.Context(), KindPackage, "")
	if err != nil || len(items) != 150 {
		t.Errorf("%d items: %v", len(items), err)
	}
	if got := mustJSON(t, s.body(1)); got["page"] != 2.0 || got["pageSize"] != 100.0 || got["query"] != "" {
		t.Errorf("sent %v", got)
	}
	if items, err := c.SearchItems(t.Context(), KindPackage, ""); err == nil {
		t.Errorf("null is read as %d items", len(items))
	}
	item, err := c.ItemByCode(t.Context(), KindPackage, "Gold")
	if err != nil || item == nil || item.ID != otherID || item.Active || string(item.Settings["seats"]) != "5" || item.activeName() != "isActive" {
		t.Errorf("got %+v, %v", item, err)
	}
}

func TestCreateItem(t *testing.T) {
	t.Parallel()
	none, found := step{reqSearch, ok(`{"packages":[],"total":0}`)}, step{reqSearch, ok(search)}
	lost := step{reqPackages, reset}
	for _, tc := range []struct {
		name        string
		steps       []step
		lost, doubt bool
		code        string
	}{
		{name: "it goes well", steps: []step{{reqPackages, ok(`{"package":{"id":"` + otherID + `"}}`)}}},
		{name: "no id: a search finds it", steps: []step{{reqPackages, ok(`{}`)}, found}},
		{name: "in use", steps: []step{{reqPackages, refuse(400, CodeCodeInUse)}}, code: CodeCodeInUse},
		{name: "lost, and there", steps: []step{lost, none, found}, lost: true},
		{name: "lost, in use, and there", steps: []step{lost, none, none, {reqPackages, refuse(400, CodeCodeInUse)}, found}, lost: true},
		{name: "lost, and another's", steps: []step{lost, {reqSearch, ok(strings.Replace(search, `"Gold"`, `"Other"`, 1))}}, doubt: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, tc.steps...)
			c, _ := dial(t, s)
			item, answerLost, err := c.CreateItem(t.Context(), KindPackage, itemRequest())
			var doubt *UnknownOutcomeError
			switch {
			case tc.code != "" && IsCode(err, tc.code), tc.doubt && errors.As(err, &doubt):
			case err != nil || tc.code != "" || tc.doubt:
				t.Errorf("got %v", err)
			case item.ID != otherID || item.Code != "GOLD" || item.Name != "Gold" || item.Currency != "EUR" || answerLost != tc.lost:
				t.Errorf("got %+v, %v", item, answerLost)
			}
			if got := mustJSON(t, s.body(0)); got["code"] != "gold" || got["seats"] != 5.0 {
				t.Errorf("sent %v", got)
			}
		})
	}
}

func TestUpdateItemFindsItsMethod(t *testing.T) {
	t.Parallel()
	missing := refuse(404, CodeNotFound)
	s := serve(t, step{"POST " + reqUpdate, missing}, step{"PUT " + reqUpdate, ok(`{}`)}, step{"PUT " + reqUpdate, ok(`{}`)})
	c, _ := dial(t, s)
	name, active := "New", false
	for _, item := range []Item{{ID: otherID, activeAs: statusFlag}, {ID: otherID}} {
		if err := c.UpdateItem(t.Context(), KindPackage, item, ItemChange{Name: &name, Active: &active, Settings: itemRequest().Settings}); err != nil {
			t.Fatal(err)
		}
	}
	if got := mustJSON(t, s.body(1)); got["status"] != "Inactive" || got["name"] != "New" || got["packageId"] != otherID || got["seats"] != 5.0 {
		t.Errorf("sent %v", got)
	}
	if got := mustJSON(t, s.body(2)); got["active"] != false {
		t.Errorf("sent %v", got)
	}
}

func TestGetItemFindsItsMethod(t *testing.T) {
	t.Parallel()
	reqGet := strings.Replace(reqUpdate, "/update", "/get", 1)
	found := ok(`{"package":{"packageId":"` + otherID + `","code":"GOLD","name":"Gold","currency":"EUR","isActive":false}}`)
	s := serve(t, step{"POST " + reqGet, refuse(404, CodeNotFound)}, step{"GET " + reqGet + "?packageId=" + otherID, found}, step{"GET " + reqGet + "?packageId=" + otherID, found})
	c, _ := dial(t, s)
	for range 2 {
		item, err := c.GetItem(t.Context(), KindPackage, otherID)
		if err != nil {
			t.Fatal(err)
		}
		if item.ID != otherID || item.Code != "GOLD" || item.Active {
			t.Errorf("item %+v", item)
		}
	}
}

// How an item is read by itself is not documented: a rejection is the request's.
func TestGetItem_NotReadAlone(t *testing.T) {
	t.Parallel()
	reqGet := strings.Replace(reqUpdate, "/update", "/get", 1)
	asked := "GET " + reqGet + "?packageId=" + otherID
	for name, tc := range map[string]struct {
		steps []step
		alone bool // the error is of something else
	}{
		"no endpoint":     {[]step{{"POST " + reqGet, refuse(404, CodeNotFound)}, {asked, refuse(404, CodeNotFound)}}, false},
		"no method":       {[]step{{"POST " + reqGet, reply(405, ``)}, {asked, reply(405, ``)}}, false},
		"another request": {[]step{{"POST " + reqGet, refuse(400, CodeInvalidRequest)}}, false},
		"another item":    {[]step{{"POST " + reqGet, ok(`{"packageId":"` + ownerID + `"}`)}}, false},
		"no item":         {[]step{{"POST " + reqGet, ok(`{}`)}}, false},
		"no scope":        {[]step{{"POST " + reqGet, refuse(403, CodeInsufficientScope)}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := dial(t, serve(t, tc.steps...))
			if item, err := c.GetItem(t.Context(), KindPackage, otherID); err == nil || errors.Is(err, ErrNotReadAlone) == tc.alone {
				t.Errorf("got %+v, %v", item, err)
			}
		})
	}
}

func TestItem_CompletedBy(t *testing.T) {
	t.Parallel()
	row := Item{ID: otherID, Code: "GOLD", Active: true, Settings: map[string]json.RawMessage{"a": json.RawMessage("1")}}
	whole := Item{ID: otherID, Code: "OLD", Name: "Gold", Currency: "EUR", activeAs: isActiveFlag, Settings: map[string]json.RawMessage{"a": json.RawMessage("2"), "b": json.RawMessage("3")}}
	got := row.CompletedBy(&whole)
	if got.Code != "GOLD" || got.Name != "Gold" || got.Currency != "EUR" || got.Active || got.activeName() != isActiveFlag || string(got.Settings["a"]) != "1" || string(got.Settings["b"]) != "3" {
		t.Errorf("got %+v", got)
	}
	if len(row.Settings) != 1 || len(whole.Settings) != 2 || string(whole.Settings["a"]) != "2" {
		t.Error("what is shared was changed")
	}
}

// A failure says nothing about the method: the next call tries all again.
func TestMethodIsNotLearntFromAFailure(t *testing.T) {
	t.Parallel()
	missing := refuse(404, CodeNotFound)
	s := serve(t, step{"POST " + reqUpdate, refuse(500, CodeInternal)}, step{"POST " + reqUpdate, missing}, step{"PUT " + reqUpdate, ok(`{}`)})
	c, _ := dial(t, s, func(cfg *Config) { cfg.MaxRetries = 0 })
	name := "New"
	if err := c.UpdateItem(t.Context(), KindPackage, Item{ID: otherID}, ItemChange{Name: &name}); !IsCode(err, CodeInternal) {
		t.Errorf("%v", err)
	}
	if err := c.UpdateItem(t.Context(), KindPackage, Item{ID: otherID}, ItemChange{Name: &name}); err != nil {
		t.Error(err)
	}
}

func TestConfirmation(t *testing.T) {
	t.Parallel()
	const key = "confirmation-key-0001"
	ask := step{reqAssign, ok(`{"outcome":"ConfirmationRequired","confirmation":{"key":"` + key + `","expiresAt":1},"warnings":[{"itemCode":"seats","requested":5,"remaining":3,"excess":2}]}`)}
	done := step{reqAssign, ok(`{"outcome":"Assigned","assignmentId":"` + otherID + `"}`)}
	yes, no := func([]Warning) bool { return true }, func([]Warning) bool { return false }
	exceeds := func(err error) bool {
		_, ok := errors.AsType[*ExcessError](err)
		return ok
	}
	for _, tc := range []struct {
		name    string
		steps   []step
		consent Consent
		check   func(error) bool
	}{
		{"it fits", []step{done}, nil, func(err error) bool { return err == nil }},
		{"consent", []step{ask, done}, yes, func(err error) bool { return err == nil }},
		{"no consent", []step{ask}, no, func(err error) bool { return exceeds(err) && strings.Contains(err.Error(), "excess 2") }},
		{"nobody to ask", []step{ask}, nil, exceeds},
		{"the key is too old", []step{ask, {reqAssign, refuse(400, CodeConfirmationExpired)}, ask, done}, yes, func(err error) bool { return err == nil }},
		{"other numbers each time", []step{ask, ask, ask, ask, ask}, yes, func(err error) bool { return err != nil && !MayHaveTakenEffect(err) }},
		{"the key is said back", []step{ask, {reqAssign, reply(400, `{"status":"Err","error":{"code":"CONFIRMATION_INVALID","message":"no `+key+`"}}`)}}, yes, func(err error) bool {
			return IsCode(err, CodeConfirmationInvalid) && !strings.Contains(err.Error(), key)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, tc.steps...)
			c, _ := dial(t, s)
			ctx, log := logged(t)
			if _, _, err := c.AssignPackage(ctx, testID, otherID, tc.consent); !tc.check(err) {
				t.Errorf("got %v", err)
			}
			if strings.Contains(log.String(), key) {
				t.Errorf("the log shows the key: %s", log)
			}
			for i, st := range tc.steps {
				got := mustJSON(t, s.body(i))
				sent, want := got["confirmationKey"], any(nil)
				if i > 0 && strings.Contains(tc.name+fmt.Sprint(i), "too old2") {
					want = nil
				} else if i > 0 {
					want = key
				}
				if sent != want || got["packageId"] != otherID {
					t.Errorf("%s %d sent %v", st.request, i, got)
				}
			}
		})
	}
}

func TestPointsLedgerEnds(t *testing.T) {
	t.Parallel()
	var rows []string
	for i := range ledgerPageSize {
		rows = append(rows, fmt.Sprintf(`{"id":"r%d","itemCode":"seats"}`, i))
	}
	full := ok(`{"rows":[` + strings.Join(rows, ",") + `]}`)
	// A service that answers the same page for ever, without a total.
	s := serve(t, step{reqLedger + "1&pageSize=100", full}, step{reqLedger + "2&pageSize=100", full})
	c, _ := dial(t, s)
	got, total, err := c.PointsLedger(t.Context(), testID, "", 1000)
	if err != nil || len(got) != ledgerPageSize || total != -1 {
		t.Errorf("%d rows of %d: %v", len(got), total, err)
	}
}

func TestAttachAndRemove(t *testing.T) {
	t.Parallel()
	const attach, remove = reqAssign + "/addons", "DELETE /console/reseller.example/reseller/private-labels/" + testID + "/package"
	with := func(quantity int) step {
		return step{reqDetail, ok(fmt.Sprintf(`{"tenantId":%q,"assignment":{"packageId":%q,"packageCode":"GOLD","addons":[{"subscriptionAddonId":%q,"addonId":%q,"code":"PLUS","quantity":%d}]}}`, testID, otherID, ownerID, otherID, quantity))}
	}
	bare := step{reqDetail, ok(`{"tenantId":"` + testID + `","assignment":{"packageId":"` + otherID + `","addons":[]}}`)}
	without := step{reqDetail, ok(`{"tenantId":"` + testID + `","assignment":null}`)}
	fine := ok(`{"outcome":"Attached"}`)
	addon := AttachedAddon{SubscriptionAddonID: ownerID, AddonID: otherID, Code: "PLUS"}
	for name, tc := range map[string]struct {
		steps []step
		call  func(*Client) (bool, error)
		lost  bool
		fails string // part of the error
	}{
		"attach":                   {[]step{{attach, fine}}, attaching(t, 2), false, ""},
		"attach, lost":             {[]step{{attach, reset}, with(2)}, attaching(t, 2), true, ""},
		"attach, another many":     {[]step{{attach, reset}, with(3)}, attaching(t, 2), false, "has 3 of the add-on"},
		"attach, once more":        {[]step{{attach, reset}, bare, without, {attach, fine}}, attaching(t, 2), false, ""},
		"an unknown outcome":       {[]step{{attach, ok(`{"outcome":"Perhaps"}`)}, with(2)}, attaching(t, 2), true, ""},
		"assign, lost":             {[]step{{reqAssign, reset}, bare}, assigning(t, otherID), true, ""},
		"assign, another":          {[]step{{reqAssign, reset}, with(1)}, assigning(t, ownerID), false, "has the package GOLD"},
		"assign, lost, then there": {[]step{{reqAssign, reset}, without, without, {reqAssign, refuse(400, CodeAlreadyAssigned)}, bare}, assigning(t, otherID), true, ""},
		"remove the package":       {[]step{{remove, ok(`{}`)}}, func(c *Client) (bool, error) { return c.RemovePackage(t.Context(), testID) }, false, ""},
		"by the other method":      {[]step{{remove, refuse(404, CodeNotFound)}, {reqAssign + "/remove", ok(`{}`)}}, func(c *Client) (bool, error) { return c.RemovePackage(t.Context(), testID) }, false, ""},
		"no package":               {[]step{{remove, refuse(400, CodeNotAssigned)}}, func(c *Client) (bool, error) { return c.RemovePackage(t.Context(), testID) }, false, ""},
		"removed, lost":            {[]step{{remove, reset}, without}, func(c *Client) (bool, error) { return c.RemovePackage(t.Context(), testID) }, true, ""},
		"remove the add-on":        {[]step{{remove + "/addons/" + ownerID, ok(`{}`)}, bare}, func(c *Client) (bool, error) { return c.RemoveAddon(t.Context(), testID, addon) }, false, ""},
		"by its other id": {[]step{{remove + "/addons/" + ownerID, refuse(400, CodeAddonNotFound)}, {remove + "/addons/" + otherID, ok(`{}`)}, without}, func(c *Client) (bool, error) {
			return c.RemoveAddon(t.Context(), testID, addon)
		}, false, ""},
		"answered, but still there": {[]step{{remove + "/addons/" + ownerID, ok(`{}`)}, with(2)}, func(c *Client) (bool, error) { return c.RemoveAddon(t.Context(), testID, addon) }, false, "still shows"},
		"add-on removed, lost":      {[]step{{remove + "/addons/" + ownerID, reset}, bare}, func(c *Client) (bool, error) { return c.RemoveAddon(t.Context(), testID, addon) }, true, ""},
		"remove refused":            {[]step{{remove + "/addons/" + ownerID, refuse(403, CodeForbidden)}}, func(c *Client) (bool, error) { return c.RemoveAddon(t.Context(), testID, addon) }, false, CodeForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := dial(t, serve(t, tc.steps...))
			lost, err := tc.call(c)
			if lost != tc.lost || (err != nil) != (tc.fails != "") || err != nil && !strings.Contains(err.Error(), tc.fails) {
				t.Errorf("got %v, %v", lost, err)
			}
		})
	}
}

func attaching(t *testing.T, quantity float64) func(*Client) (bool, error) {
	t.Helper()
	return func(c *Client) (bool, error) { return c.AttachAddon(t.Context(), testID, otherID, quantity, nil) }
}

func assigning(t *testing.T, packageID string) func(*Client) (bool, error) {
	t.Helper()
	return func(c *Client) (bool, error) {
		_, lost, err := c.AssignPackage(t.Context(), testID, packageID, nil)
		return lost, err
	}
}

func TestFigures(t *testing.T) {
	t.Parallel()
	const base = "GET /console/reseller.example/reseller"
	s := serve(t, step{base + "/usage?period=2026-09", ok(`{"a":1}`)}, step{base + "/billing/quota", ok(`{"a":1}`)}, step{base + "/billing/points", refuse(403, CodeInsufficientScope)})
	c, _ := dial(t, s)
	usage, errUsage := c.Usage(t.Context(), "2026-09")
	quota, errQuota := c.Quota(t.Context())
	_, errPoints := c.Points(t.Context())
	if string(usage) != `{"a":1}` || string(quota) != `{"a":1}` || errUsage != nil || errQuota != nil || !IsCode(errPoints, CodeInsufficientScope) {
		t.Errorf("got %s, %v, %s, %v, %v", usage, errUsage, quota, errQuota, errPoints)
	}
}
