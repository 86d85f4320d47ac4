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
