package simulator_test

import (
	"fmt"
	"strings"
	"sync"
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

// shop is a reseller with an allowance of 100 documents, and one private label.
type shop struct {
	*caller
	label, id                 string
	small, big, free, retired string // packages of 60, 120 and no documents, and a deactivated one
	extra, seats              string // add-ons of 30 documents and 5 seats
}

// assuming is a simulator with other choices where the API documentation is ambiguous.
func assuming(t *testing.T, assume simulator.Forms) *caller {
	t.Helper()
	sim := newSim(t, simulator.Options{Forms: assume})
	return inProcess(t, sim).as(sim.APIKey())
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

func newShop(t *testing.T, assume simulator.Forms) *shop {
	t.Helper()
	s := &shop{caller: assuming(t, assume)}
	require.NoError(t, s.sim.SetAllowance(map[string]float64{"documents": 100, "seats": 10}))
	s.small = s.made(s.sim.AddPackage("small", documents(60), true))
	s.big = s.made(s.sim.AddPackage("big", documents(120), true))
	s.free = s.made(s.sim.AddPackage("free", nil, true))
	s.retired = s.made(s.sim.AddPackage("retired", nil, false))
	s.extra = s.made(s.sim.AddAddon("extra", documents(30), true))
	s.seats = s.made(s.sim.AddAddon("seats", map[string]float64{"seats": 5}, true))
	s.id, s.label = s.provision(client)
	return s
}

func documents(n float64) map[string]float64 { return map[string]float64{"documents": n} }

func TestAResellerHas100PackagesAndAddons(t *testing.T) {
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

// Two assignments that each fit alone cannot both pass unconfirmed (§3.2).
func TestAssignmentsAreCheckedOneAfterAnother(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	labels := []string{s.label}
	for i := range 7 {
		_, label := s.provision(fmt.Sprintf("n%d.client.example", i))
		labels = append(labels, label)
	}
	outcomes := make([]any, len(labels))
	var wait sync.WaitGroup
	for i, label := range labels {
		wait.Go(func() {
			if got, err := s.try("POST", label+"/package", object{"packageId": s.small}); err == nil {
				outcomes[i] = pick(t, got.body, "data", "outcome")
			}
		})
	}
	wait.Wait()
	count := map[any]int{}
	for _, outcome := range outcomes {
		count[outcome]++
	}
	require.Equal(t, map[any]int{"Assigned": 1, "ConfirmationRequired": 7}, count)
}

// Rows that are written during paging can appear on two pages (§8).
func TestARowCanBeOnTwoPages(t *testing.T) {
	t.Parallel()
	c, path := newLabel(t)
	rows := func(query string) []any {
		return list(t, c.get(path+"/points"+query).data(), "rows")
	}
	for range 4 {
		require.NoError(t, c.sim.WritePoints(client, "documents", 1))
	}
	first := rows("?pageSize=2")
	require.NoError(t, c.sim.WritePoints(client, "documents", 99))
	require.Equal(t, first[1], rows("?pageSize=2&page=2")[0])
}

// The billing limit counts "every billing route, and a label's package and points routes"; the console limit "every
// other route a key can call" (§8).
func TestEachRouteCountsInItsLimit(t *testing.T) {
	t.Parallel()
	for _, removal := range []string{"delete", "post-path", "post-body"} {
		sim := newSim(t, simulator.Options{Forms: simulator.Forms{"removal": removal}})
		buckets, billed := sim.RouteBuckets(), 0
		for name, bucket := range buckets {
			_, pattern, _ := strings.Cut(name, " ")
			label, _ := strings.CutPrefix(pattern, ofLabel+"/")
			want := "console"
			switch {
			case pattern == "/api/v1/auth/token":
				want = "exchange"
			case !strings.HasPrefix(strings.TrimPrefix(pattern, "/upload"), "/console/"):
				want = "none" // the Signing API
			case strings.HasPrefix(pattern, ofReseller+"/billing/"), label == "points", label == "package", strings.HasPrefix(label, "package/"):
				want = "billing"
				billed++
			}
			assert.Equal(t, want, bucket, "%s counts as", name)
		}
		require.Equal(t, 16, billed)
	}
}
