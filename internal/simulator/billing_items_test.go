package simulator_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const (
	resellerPath = "/console/partner.example/reseller"
	packagesPath = resellerPath + "/billing/packages"
	addonsPath   = resellerPath + "/billing/addons"
	usagePath    = resellerPath + "/usage"
	quotaPath    = resellerPath + "/billing/quota"
	poolPath     = resellerPath + "/billing/points"
)

// catalogs are the two kinds, which behave alike.
var catalogs = map[string]struct{ path, plural, id, unknown, full string }{
	"packages": {packagesPath, "packages", "packageId", "PACKAGE_NOT_FOUND", "PACKAGE_LIMIT_REACHED"},
	"addons":   {addonsPath, "addons", "addonId", "ADDON_NOT_FOUND", "ADDON_LIMIT_REACHED"},
}

// assuming is a simulator with other choices where the API documentation is ambiguous.
func assuming(t *testing.T, assume simulator.Forms) *caller {
	t.Helper()
	sim := newSim(t, simulator.Options{Forms: assume})
	return inProcess(t, sim).as(sim.APIKey())
}

// in names what fails in a subtest.
func (c *caller) in(t *testing.T) *caller {
	t.Helper()
	other := *c
	other.t = t
	return &other
}

// pick follows names into a response.
func pick(t *testing.T, value any, names ...string) any {
	t.Helper()
	for _, name := range names {
		o, ok := value.(object)
		require.True(t, ok, "%v has no %s", value, name)
		value = o[name]
	}
	return value
}

func text(t *testing.T, value any, names ...string) string {
	t.Helper()
	s, ok := pick(t, value, names...).(string)
	require.True(t, ok, "%v has no text at %v", value, names)
	return s
}

func list(t *testing.T, value any, names ...string) []any {
	t.Helper()
	l, ok := pick(t, value, names...).([]any)
	require.True(t, ok, "%v has no list at %v", value, names)
	return l
}

func item(code string) object {
	return object{"code": code, "name": "The " + code, "currency": "EUR"}
}

func with(o object, name string, value any) object {
	out := object{name: value}
	for n, v := range o {
		if n != name {
			out[n] = v
		}
	}
	return out
}

// search is a request for one page that lists everything.
func search(query string, page, size int) object {
	return object{"query": query, "page": page, "pageSize": size}
}

func TestCreateItem(t *testing.T) {
	t.Parallel()
	for name, k := range catalogs {
		withCaller(t, name, func(t *testing.T, c *caller) {
			body := item("gold")
			body["priceMonthly"], body["tiers"], body["included"] = 1999, []any{object{"upTo": 5.0}}, object{"documents": 10}
			got := c.post(k.path, body).data()
			exactly(t, object{
				k.id: id32, "code": "GOLD", "name": "The gold", "currency": "EUR", "active": true, "createdAt": float64(start.UnixMilli()),
				"priceMonthly": 1999.0, "tiers": []any{object{"upTo": 5.0}}, "included": object{"documents": 10.0}, // as sent
			}, got)
			c.post(k.path, item("GoLd")).rejected(400, "CODE_IN_USE")
			require.Equal(t, false, c.post(k.path, with(item("silver"), "active", false)).data()["active"])
		})
	}
}

func TestCreateItemRefuses(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	for name, body := range map[string]any{
		"no JSON":              `{"code":`,
		"no object":            `[]`,
		"no code":              object{"name": "n", "currency": "EUR"},
		"no name":              object{"code": "c", "currency": "EUR"},
		"no currency":          object{"code": "c", "name": "n"},
		"a blank code":         item(" "),
		"a long name":          with(item("c"), "name", strings.Repeat("n", 256)),
		"a number for a name":  with(item("c"), "name", 1),
		"a currency":           with(item("c"), "currency", "Euro"),
		"snake case":           with(item("c"), "price_monthly", 1),
		"an id":                with(item("c"), "packageId", "x"),
		"another active flag":  with(item("c"), "isActive", true),
		"an active flag":       with(item("c"), "active", "yes"),
		"an unknown item code": with(item("c"), "included", object{"stamps": 1}),
		"a negative quantity":  with(item("c"), "included", object{"seats": -1}),
	} {
		t.Run(name, func(t *testing.T) {
			c.in(t).post(packagesPath, body).rejected(400, "INVALID_REQUEST")
		})
	}
	require.Len(t, c.sim.Packages(), 0)
}

func TestItemCap(t *testing.T) {
	t.Parallel()
	for name, k := range catalogs {
		withCaller(t, name, func(_ *testing.T, c *caller) {
			for i := range 100 {
				c.post(k.path, with(item(fmt.Sprint("c", i)), "active", i > 0)).data()
				c.sim.Clock().Advance(2 * time.Second)
			}
			c.post(k.path, item("one more")).rejected(400, k.full)
			c.post(k.path, item("C99")).rejected(400, "CODE_IN_USE")
		})
	}
}

func TestSearchItems(t *testing.T) {
	t.Parallel()
	for name, k := range catalogs {
		withCaller(t, name, func(t *testing.T, c *caller) {
			for _, code := range []string{"a-1", "b-1", "b-2"} {
				c.post(k.path, item(code)).data()
			}
			codes := func(body object) (out []string, total any) {
				got := c.post(k.path+"/search", body).data()
				for _, row := range list(t, got, k.plural) {
					out = append(out, text(t, row, "code"))
				}
				return out, got["total"]
			}
			for _, step := range []struct {
				body  object
				want  []string
				total float64
			}{
				{search("", 1, 100), []string{"A-1", "B-1", "B-2"}, 3},
				{search("", 1, 2), []string{"A-1", "B-1"}, 3},
				{search("", 2, 2), []string{"B-2"}, 3},
				{search("", 3, 2), nil, 3},
				{search("B-", 1, 1), []string{"B-1"}, 2},
				{search("the A", 1, 10), []string{"A-1"}, 1}, // the name
				{search("none", 1, 10), nil, 0},
			} {
				got, total := codes(step.body)
				assert.Equal(t, step.want, got, "%v finds of %v", step.body, total)
				assert.Equal(t, step.total, total, "%v finds %v", step.body, got)
			}
		})
	}
}

func TestSearchRefuses(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	for name, body := range map[string]any{
		"nothing":     object{},
		"no query":    object{"page": 1, "pageSize": 1},
		"no page":     object{"query": "", "pageSize": 1},
		"no pageSize": object{"query": "", "page": 1},
		"page 0":      search("", 0, 1),
		"pageSize 0":  search("", 1, 0),
		"101 a page":  search("", 1, 101),
		"half a page": object{"query": "", "page": 1.5, "pageSize": 1},
		"more fields": with(search("", 1, 1), "sort", "code"),
	} {
		t.Run(name, func(t *testing.T) {
			c.in(t).post(packagesPath+"/search", body).rejected(400, "INVALID_REQUEST")
			c.in(t).post(addonsPath+"/search", body).rejected(400, "INVALID_REQUEST")
		})
	}
}

func TestGetAndUpdateItem(t *testing.T) {
	t.Parallel()
	for name, k := range catalogs {
		withCaller(t, name, func(t *testing.T, c *caller) {
			id := text(t, c.post(k.path, with(with(item("gold"), "price", 5), "note", "x")).data(), k.id)
			body := object{k.id: id}
			update := func(name string, value any) *reply { return c.post(k.path+"/update", with(body, name, value)) }

			got := update("name", "New").data()
			require.Subset(t, got, object{"name": "New", "price": 5.0}) // the price is unchanged
			require.Equal(t, false, update("active", false).data()["active"])
			require.Equal(t, 7.0, update("price", 7).data()["price"])
			assert.NotContains(t, update("note", nil).data(), "note", "null takes a field away")
			update("code", "gold").data() // the present value
			update("code", "silver").rejected(400, "INVALID_REQUEST")
			update("currency", "USD").rejected(400, "INVALID_REQUEST")
			update("name", " ").rejected(400, "INVALID_REQUEST")

			got = c.post(k.path+"/get", body).data()
			want := object{k.id: id, "code": "GOLD", "name": "New", "currency": "EUR", "active": false, "createdAt": float64(start.UnixMilli()), "price": 7.0}
			require.Equal(t, want, got)
			c.post(k.path, item("gold")).rejected(400, "CODE_IN_USE") // deactivation keeps the code

			for _, action := range []string{"/get", "/update"} {
				c.post(k.path+action, object{k.id: "nobody"}).rejected(400, k.unknown)
				c.post(k.path+action, object{}).rejected(400, "INVALID_REQUEST")
				c.get(k.path+action).rejected(404, "NOT_FOUND")
			}
			c.post(k.path+"/get", with(body, "more", 1)).rejected(400, "INVALID_REQUEST")
		})
	}
}

func TestItemMethodAlternatives(t *testing.T) {
	t.Parallel()
	for _, method := range []string{http.MethodPut, http.MethodPatch} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			c := assuming(t, simulator.Forms{"update": strings.ToLower(method), "get": "query", "update-omitted": "removed"})
			id := text(t, c.post(packagesPath, with(item("gold"), "price", 5)).data(), "packageId")
			c.post(packagesPath+"/update", object{"packageId": id}).rejected(404, "NOT_FOUND")
			c.post(packagesPath+"/get", object{"packageId": id}).rejected(404, "NOT_FOUND")
			c.do(method, packagesPath+"/update", object{"packageId": id}).rejected(400, "INVALID_REQUEST") // a name is required
			c.do(method, packagesPath+"/update", object{"packageId": id, "name": "New"}).data()
			got := c.get(packagesPath + "/get?packageId=" + id).data()
			require.Equal(t, object{"packageId": id, "code": "GOLD", "name": "New", "currency": "EUR", "active": true, "createdAt": float64(start.UnixMilli())}, got)
			c.get(packagesPath+"/get").rejected(400, "INVALID_REQUEST")
		})
	}
}

func TestItemShapeAlternatives(t *testing.T) {
	t.Parallel()
	for name, alt := range map[string]struct {
		assume simulator.Forms
		rows   []string // where they are
		id     []string // in a row and in a response
		active []string
		on     any
		off    any
	}{
		"items, id, isActive": {
			simulator.Forms{"rows": "items", "item-id": "plain", "active-flag": "is-active"},
			[]string{"items"},
			[]string{"id"},
			[]string{"isActive"},
			true, false,
		},
		"rows, status": {
			simulator.Forms{"rows": "rows", "active-flag": "status"},
			[]string{"rows"},
			[]string{"packageId"},
			[]string{"status"},
			"Active", "Inactive",
		},
		"nested": {
			simulator.Forms{"rows": "nested", "item-id": "nested"},
			[]string{"packages", "rows"},
			[]string{"package", "packageId"},
			[]string{"package", "active"},
			true, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := assuming(t, alt.assume)
			created := c.post(packagesPath, item("gold")).data()
			require.Equal(t, alt.on, pick(t, created, alt.active...))
			id := text(t, created, alt.id...)
			flag := alt.active[len(alt.active)-1]
			got := c.post(packagesPath+"/update", object{"packageId": id, flag: alt.off}).data()
			require.Equal(t, alt.off, pick(t, got, alt.active...))
			c.post(packagesPath+"/update", object{"packageId": id, flag: 1}).rejected(400, "INVALID_REQUEST")
			if flag != "active" {
				c.post(packagesPath+"/update", object{"packageId": id, "active": true}).rejected(400, "INVALID_REQUEST")
			}
			rows := list(t, c.post(packagesPath+"/search", search("", 1, 5)).data(), alt.rows...)
			require.Equal(t, []any{got}, rows)
			require.Equal(t, id, text(t, got, alt.id...))
		})
	}
}

// Rows of a search may have less than /get.
func TestSearchItems_Summaries(t *testing.T) {
	t.Parallel()
	c := assuming(t, simulator.Forms{"search-rows": "summaries"})
	created := c.post(packagesPath, with(with(item("gold"), "monthlyPrice", 4900), "included", object{"seats": 5})).data()
	rows := list(t, c.post(packagesPath+"/search", search("", 1, 5)).data(), "packages")
	whole := c.post(packagesPath+"/get", object{"packageId": text(t, created, "packageId")}).data()
	require.Equal(t, 4900.0, pick(t, whole, "monthlyPrice"))
	require.Equal(t, []any{without(without(whole, "monthlyPrice"), "included")}, rows)
}

// Fields of an add-on that §2.11 does not name may be missing.
func TestItemShape_BareAddons(t *testing.T) {
	t.Parallel()
	c := assuming(t, simulator.Forms{"addon-fields": "bare"})
	addon := c.post(addonsPath, item("seats")).data()
	exactly(t, object{"addonId": id32, "code": "SEATS", "name": "The seats", "createdAt": float64(start.UnixMilli())}, addon)
	require.Equal(t, "EUR", pick(t, c.post(packagesPath, item("gold")).data(), "currency"))
}

func TestBillingLimit(t *testing.T) {
	t.Parallel()
	c, label := newLabel(t)
	for i := range 60 {
		path := quotaPath
		if i%2 == 0 {
			path = label + "/points"
		}
		c.get(path).limits(60, 59-i)
	}
	c.get(quotaPath).limited(60, 60)
	c.get(label+"/package").limited(60, 60)
	c.post(packagesPath+"/search", search("", 1, 1)).limited(60, 60)
	c.get(usagePath).data() // counts as console
	c.sim.Clock().Advance(time.Minute)
	c.get(quotaPath).data()
}
