package client

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// The API documentation does not show where a response has the item and its fields. Each shape here is consistent with
// it.
func TestReadItem_Shapes(t *testing.T) {
	t.Parallel()
	const third = "22222222222222222222222222222222"
	for name, tc := range map[string]struct {
		kind Kind
		json string
		want Item // Settings by number of fields
		left int
	}{
		"flat":                         {KindPackage, `{"packageId":"` + transporttest.OtherID + `","code":"GOLD","name":"Gold","currency":"EUR","active":false,"price":1}`, Item{ID: transporttest.OtherID, Code: "GOLD", Name: "Gold", Currency: "EUR", activeAs: "active"}, 1},
		"an add-on without currency":   {KindAddon, `{"addonId":"` + transporttest.OtherID + `","code":"SEATS","name":"Seats","quantity":5}`, Item{ID: transporttest.OtherID, Code: "SEATS", Name: "Seats", Active: true}, 1},
		"a null currency":              {KindAddon, `{"addonId":"` + transporttest.OtherID + `","code":"SEATS","currency":null,"active":null}`, Item{ID: transporttest.OtherID, Code: "SEATS", Active: true}, 0},
		"an add-on names its package":  {KindAddon, `{"id":"` + transporttest.OtherID + `","code":"SEATS","package":{"packageId":"` + third + `","code":"GOLD"}}`, Item{ID: transporttest.OtherID, Code: "SEATS", Active: true}, 1},
		"the maker beside the item":    {KindPackage, `{"createdBy":{"id":"` + third + `","name":"Ada"},"package":{"id":"` + transporttest.OtherID + `","name":"Gold"}}`, Item{ID: transporttest.OtherID, Name: "Gold", Active: true}, 0},
		"the maker before the item":    {KindPackage, `{"actor":{"id":"` + third + `","name":"Ada"},"item":{"id":"` + transporttest.OtherID + `","code":"GOLD"}}`, Item{ID: transporttest.OtherID, Code: "GOLD", Active: true}, 0},
		"the response has an id":       {KindPackage, `{"id":"` + third + `","package":{"packageId":"` + transporttest.OtherID + `","code":"GOLD"}}`, Item{ID: transporttest.OtherID, Code: "GOLD", Active: true}, 0},
		"an unknown status":            {KindPackage, `{"packageId":"` + transporttest.OtherID + `","code":"GOLD","status":"Draft"}`, Item{ID: transporttest.OtherID, Code: "GOLD", Active: true}, 1},
		"deactivated":                  {KindPackage, `{"packageId":"` + transporttest.OtherID + `","status":"DEACTIVATED"}`, Item{ID: transporttest.OtherID, activeAs: "status"}, 0},
		"a status beside the flag":     {KindPackage, `{"packageId":"` + transporttest.OtherID + `","status":"Inactive","isActive":true}`, Item{ID: transporttest.OtherID, Active: true, activeAs: "isActive"}, 0},
		"both ids, the kind's own one": {KindPackage, `{"id":"` + third + `","packageId":"` + transporttest.OtherID + `","code":"GOLD"}`, Item{ID: transporttest.OtherID, Code: "GOLD", Active: true}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 20 { // maps have no order
				got, err := tc.kind.readItem(json.RawMessage(tc.json))
				left := len(got.Settings)
				got.Settings = nil
				require.NoError(t, err, "got %+v and %d settings", got, left)
				require.Equal(t, fmt.Sprintf("%+v", tc.want), fmt.Sprintf("%+v", got), "got %+v and %d settings", got, left)
				require.Equal(t, tc.left, left, "got %+v and settings", got)
			}
		})
	}
}

func TestReadRows_Named(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]int{
		`{"warnings":[],"packages":[1,2],"total":2}`:             2,
		`{"warnings":[],"packages":{"rows":[1,2],"total":2}}`:    2,
		`{"warnings":[],"items":[1,2,3]}`:                        3,
		`{"facets":{"currency":["EUR"]},"packages":[1]}`:         1,
		`{"facets":{"currency":["EUR"]},"page":{"items":[1]}}`:   -1,
		`{"facets":{"currency":["EUR"]},"rows":{"items":[1]}}`:   1,
		`{"filters":{"a":[1]},"sort":{"b":[2]}}`:                 -1,
		`{"pagination":{"page":1},"packages":[],"total":0}`:      0,
		`{"packages":null,"warnings":[]}`:                        0,
		`{"packages":null,"addons":[1]}`:                         0,
		`{"result":{"packages":[1],"tags":[2,3]},"took":{}}`:     1,
		`{"packages":{"byCode":{}},"warnings":["deprecated"]}`:   -1,
		`{"packages":[],"addons":[1,2]}`:                         0,
		`{"data":{"packages":[1,2]},"links":{"self":"/search"}}`: 2,
	} {
		for range 20 { // maps have no order
			got, err := pageOf(anyShape, KindPackage.path)(json.RawMessage(data))
			if (err != nil) != (want < 0) || err == nil && len(got.rows) != want {
				t.Fatalf("%s: %d rows, %v", data, len(got.rows), err)
			}
		}
	}
}

// searchPage is the exchange of a search whose page has n items. It has no total if that is negative.
func searchPage(from, n, total int) string {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"packageId":"%032x","code":"C%d"}`, from+i, from+i)
	}
	count := ""
	if total >= 0 {
		count = fmt.Sprintf(`,"total":%d`, total)
	}
	return fmt.Sprintf("POST {packages}/search -> 200 {\"packages\":[%s]%s}\n", strings.Join(rows, ","), count)
}

// A short page is the last one unless the total is larger: an item that is not read would look deleted.
func TestSearchItems_Pages(t *testing.T) {
	t.Parallel()
	texttable.Run(t, `
		pages of fifty           | 0+50 of 120, 50+50 of 120, 100+20 of 120 | 120
		no total                 | 0+100 of -1, 100+3 of -1                 | 103
		a full last page         | 0+100 of 100                             | 100
		none                     | 0+0 of 0                                 | 0
		a total that is too high | 0+4 of 5, 0+0 of 5                       | 4
		the same page again      | 0+4 of 9, 0+4 of 9                       | 4
		a total and no rows      | 0+0 of 5                                 | error
	`, func(t *testing.T, row []string) {
		script := ""
		for page := range strings.SplitSeq(row[1], ", ") {
			var from, n, total int
			_, err := fmt.Sscanf(page, "%d+%d of %d", &from, &n, &total)
			require.NoError(t, err)
			script += searchPage(from, n, total)
		}
		c, _ := dial(t, transporttest.Expect(t, script))
		items, err := c.SearchItems(t.Context(), KindPackage, "")
		got := fmt.Sprint(len(items))
		if err != nil {
			got = "error"
		}
		assert.Equal(t, row[2], got, "%d items, %v", len(items), err)
	})
}

// The API documentation does not show which kind of ID the rows of the ledger have.
func TestPointsLedger_Rows(t *testing.T) {
	t.Parallel()
	c, _ := dial(t, transporttest.Expect(t, `
		GET {label}/points?page=1&pageSize=100 -> 200 {"warnings":[],"rows":[{"id":7,"itemCode":"seats"},{"id":8},{"itemCode":"documents"},{"itemCode":"documents"}],"total":5}
		GET {label}/points?page=2&pageSize=100 -> 200 {"warnings":[],"rows":[{"id":8},{"id":"r9"}],"total":5}
	`))
	rows, total, err := c.PointsLedger(t.Context(), transporttest.ID, "", 1000)
	var ids []string
	for _, row := range rows {
		ids = append(ids, row.ID)
	}
	require.NoError(t, err, "ids %q of %d", ids, total)
	assert.Equal(t, 5, total, "ids %q", ids)
	assert.Equal(t, "7,8,,,r9", strings.Join(ids, ","), "ids %q of %d", ids, total)
}
