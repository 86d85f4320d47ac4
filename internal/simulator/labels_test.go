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

const client = "sign.client.example"

func TestSection4_2_Dashboard(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	other, err := c.sim.AddReseller("other.example")
	require.NoError(t, err)
	c.as(other).post("/console/other.example/reseller/private-labels", order("sign.foreign.example")).data()
	c.provision(client)
	c.provision("sign.second.example")

	got := c.get("/console/dashboard").data()
	keys(t, got, "totalDomains", "totalUsers", "domains", "isReseller", "slug")
	require.Equal(t, 2.0, got["totalDomains"])
	require.Equal(t, 2.0, got["totalUsers"])
	require.Equal(t, true, got["isReseller"])
	require.Equal(t, ownSlug, got["slug"])
	entry := as[object](as[[]any](got["domains"])[0])
	keys(t, entry, "domain", "companyName", "userCount")
	require.Equal(t, client, entry["domain"])
	require.Equal(t, 1.0, entry["userCount"])
	assert.NotContains(t, fmt.Sprint(got), "foreign", "a key sees its own reseller's labels only")
}

func TestSection4_8_List(t *testing.T) {
	t.Parallel()
	t.Run("nothing", func(t *testing.T) {
		t.Parallel()
		got := newCaller(t).get(labelsPath)
		data := got.data()
		keys(t, data, "privateLabels", "provisionedCount", "period")
		assert.Contains(t, got.raw, `"privateLabels":[]`, "an empty list is a list")
		require.Equal(t, 0.0, data["provisionedCount"])
		require.Equal(t, "2026-10", data["period"])
	})
	t.Run("item", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		id, _ := c.provision(client)
		data := c.get(labelsPath).data()
		require.Equal(t, 1.0, data["provisionedCount"])
		item := as[object](as[[]any](data["privateLabels"])[0])
		keys(t, item, "tenantId", "primaryHost", "customDomain", "adminEmail", "assignedPackage", "templateQuota",
			"metrics", "status", "suspendedAt", "suspendedBy", "suspendReason")
		require.Equal(t, id, item["tenantId"])
		require.Equal(t, client, item["primaryHost"])
		require.Equal(t, "ada@client.example", item["adminEmail"])
		require.Nil(t, item["assignedPackage"])
		require.Equal(t, "Active", item["status"])
		keys(t, as[object](item["templateQuota"]), "used", "total", "unlimited")
		metrics := as[object](item["metrics"])
		keys(t, metrics, "templates", "documentsSent", "members")
		require.Equal(t, 1.0, metrics["members"])
	})
	t.Run("without an owner there is no adminEmail", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		_, path := c.provision(client)
		require.NoError(t, c.sim.RemoveOwner(client))
		require.Nil(t, as[object](c.items()[0])["adminEmail"])
		require.Nil(t, c.get(path).data()["owner"])
	})
	for query, want := range map[string]string{"": "2026-10", "?period=": "2026-10", "?period=2025-12": "2025-12", "?period=lifetime": "lifetime"} {
		t.Run("period "+query, func(t *testing.T) {
			t.Parallel()
			c := newCaller(t)
			c.provision(client)
			data := c.get(labelsPath + query).data()
			require.Equal(t, want, data["period"])
			require.Len(t, as[[]any](data["privateLabels"]), 1)
		})
	}
	for _, period := range []string{"2026-13", "2026-1", "2026", "Lifetime", "2026-10-01"} {
		t.Run("no period "+period, func(t *testing.T) {
			t.Parallel()
			newCaller(t).get(labelsPath+"?period="+period).rejected(http.StatusBadRequest, "INVALID_REQUEST")
			sim := newSim(t, simulator.Options{Forms: simulator.Forms{"bad-period": "invalid-query"}})
			inProcess(t, sim).as(sim.APIKey()).get(labelsPath+"?period="+period).rejected(http.StatusBadRequest, "INVALID_QUERY")
		})
	}
	t.Run("the period is UTC's", func(t *testing.T) {
		t.Parallel()
		zone := time.FixedZone("east", 14*3600)
		sim := newSim(t, simulator.Options{Clock: simulator.NewFrozenClock(time.Date(2026, time.November, 1, 1, 0, 0, 0, zone))})
		require.Equal(t, "2026-10", inProcess(t, sim).as(sim.APIKey()).get(labelsPath).data()["period"])
	})
	t.Run("documents are counted by period, or for a lifetime", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		c.provision(client)
		require.NoError(t, c.sim.UseDocuments(client, 3))
		c.sim.Clock().Advance(31 * 24 * time.Hour)
		require.NoError(t, c.sim.UseDocuments(client, 4))
		c = c.as(c.sim.APIKey())
		for query, want := range map[string]float64{"": 4, "?period=2026-10": 3, "?period=2026-11": 4, "?period=2026-09": 0, "?period=lifetime": 7} {
			item := as[object](as[[]any](c.get(labelsPath + query).data()["privateLabels"])[0])
			require.Equal(t, want, as[object](item["metrics"])["documentsSent"])
		}
	})
	t.Run("every label whole", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		require.NoError(t, c.sim.Seed(250))
		require.Len(t, c.items(), 250)
	})
}

func TestSection4_10_Detail(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	id, path := c.provision(client)
	got := c.get(path).data()
	keys(t, got, "tenantId", "primaryHost", "customDomain", "createdAt", "status", "suspendedAt", "suspendedBy",
		"suspendReason", "owner", "memberCount", "assignment", "domainSetup")
	require.Equal(t, id, got["tenantId"])
	require.Equal(t, float64(start.UnixMilli()), got["createdAt"])
	require.Nil(t, got["assignment"])
	setup := as[object](got["domainSetup"])
	keys(t, setup, "attached", "verified", "records")

	require.NoError(t, c.sim.RenameOwner(client, "Grace", "Hopper"))
	require.Equal(t, "Grace", as[object](c.get(path).data()["owner"])["firstName"])
}

func TestSection4_10_AssignmentWithAddons(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	require.NoError(t, c.sim.Seed(3)) // the third has an add-on
	item := as[object](c.items()[2])
	assignment := as[object](c.get(labelsPath + "/" + as[string](item["tenantId"])).data()["assignment"])
	addon := as[object](as[[]any](assignment["addons"])[0])
	keys(t, addon, "subscriptionAddonId", "addonId", "code", "name", "quantity")
}

// labelCalls are the endpoints of one private label.
var labelCalls = []struct{ section, method, suffix string }{
	{"4.10", http.MethodGet, ""},
	{"4.11", http.MethodPost, "/domain/attach"},
	{"4.12", http.MethodDelete, ""},
	{"4.13", http.MethodPost, "/suspend"},
	{"4.14", http.MethodPost, "/unsuspend"},
	{"4.15", http.MethodGet, "/templates"},
}

// §4: INVALID_TARGET for an ID without a live private label, FORBIDDEN for a private label outside of the reseller's
// subtree, including a deprovisioned one; deprovision responds with FORBIDDEN in each case.
func TestSection4_Targets(t *testing.T) {
	t.Parallel()
	for _, call := range labelCalls {
		t.Run(call.section, func(t *testing.T) {
			t.Parallel()
			c := newCaller(t)
			otherKey, err := c.sim.AddReseller("other.example")
			require.NoError(t, err)
			other := c.as(otherKey)
			foreign := as[string](other.post("/console/other.example/reseller/private-labels", order("sign.foreign.example")).data()["tenantId"])
			_, gone := c.provision("sign.gone.example")
			c.del(gone).data()
			_, moved := c.provision("sign.moved.example")
			require.NoError(t, c.sim.MoveAway("sign.moved.example"))

			c.do(call.method, labelsPath+"/"+foreign+call.suffix, nil).rejected(http.StatusForbidden, "FORBIDDEN")
			c.do(call.method, gone+call.suffix, nil).rejected(http.StatusForbidden, "FORBIDDEN")
			c.do(call.method, moved+call.suffix, nil).rejected(http.StatusForbidden, "FORBIDDEN")
			for _, unknown := range []string{strings.Repeat("0", 32), "nonsense"} {
				got := c.do(call.method, labelsPath+"/"+unknown+call.suffix, nil)
				if call.method == http.MethodDelete {
					got.rejected(http.StatusForbidden, "FORBIDDEN")
				} else {
					got.rejected(http.StatusBadRequest, "INVALID_TARGET")
				}
			}
			other.get("/console/other.example/reseller/private-labels/" + foreign).data()
		})
	}
	t.Run("the other reading of a deprovisioned label", func(t *testing.T) {
		t.Parallel()
		sim := newSim(t, simulator.Options{Forms: simulator.Forms{"gone-label": "invalid-target"}})
		c := inProcess(t, sim).as(sim.APIKey())
		_, path := c.provision(client)
		c.del(path).data()
		c.get(path).rejected(http.StatusBadRequest, "INVALID_TARGET")
		c.del(path).rejected(http.StatusForbidden, "FORBIDDEN")
	})
}

func TestSection4_12_Deprovision(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]func(*caller, string){
		"Active":    func(*caller, string) {},
		"Suspended": func(c *caller, path string) { c.post(path+"/suspend", nil).data() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCaller(t)
			_, path := c.provision(client)
			before(c, path)
			data := c.del(path).data()
			keys(t, data, "status")
			require.Equal(t, "deprovisioned", data["status"])
			require.Len(t, c.items(), 0)
			require.Equal(t, 0.0, c.get("/console/dashboard").data()["totalDomains"])
			c.del(path).rejected(http.StatusForbidden, "FORBIDDEN")
			for _, host := range []string{client, "Sign.CLIENT.example"} {
				c.post(labelsPath, order(host)).rejected(http.StatusBadRequest, "HOST_TAKEN")
			}
			c.sim.Clock().Advance(10 * 365 * 24 * time.Hour)
			c.as(c.sim.APIKey()).post(labelsPath, order(client)).rejected(http.StatusBadRequest, "HOST_TAKEN")
		})
	}
	t.Run("a body is rejected, and nothing is lost", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		_, path := c.provision(client)
		for _, body := range []any{"nonsense", object{"force": true}} {
			c.do(http.MethodDelete, path, body).rejected(http.StatusBadRequest, "INVALID_REQUEST")
		}
		require.Len(t, c.items(), 1)
		c.do(http.MethodDelete, path, object{}).data()
	})
	t.Run("host cannot be reused by any reseller", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		c.provision(client)
		require.NoError(t, c.sim.DeprovisionInConsole(client))
		key, err := c.sim.AddReseller("other.example")
		require.NoError(t, err)
		c.as(key).post("/console/other.example/reseller/private-labels", order(client)).rejected(http.StatusBadRequest, "HOST_TAKEN")
	})
}

// suspended checks the four fields of §4.13 in each response that shows them.
func suspended(t *testing.T, fields object, at time.Time, by string, reason any) {
	t.Helper()
	require.Equal(t, "Suspended", fields["status"])
	require.Equal(t, float64(at.UnixMilli()), fields["suspendedAt"])
	require.Equal(t, by, fields["suspendedBy"])
	require.Equal(t, reason, fields["suspendReason"])
}

func active(t *testing.T, fields object) {
	t.Helper()
	require.Equal(t, "Active", fields["status"])
	for _, name := range []string{"suspendedAt", "suspendedBy", "suspendReason"} {
		value, shown := fields[name]
		require.True(t, shown, "%s is %v", name, value)
		assert.Nil(t, value, name)
	}
}

func TestSection3_1_Status(t *testing.T) {
	t.Parallel()
	tests := map[string]func(t *testing.T, c *caller, path string){
		"Active, suspend": func(t *testing.T, c *caller, path string) {
			data := c.post(path+"/suspend", object{"reason": "unpaid"}).data()
			keys(t, data, "tenantId", "status", "suspendedAt", "suspendedBy", "suspendReason")
			suspended(t, data, start, "Reseller", "unpaid")
			suspended(t, c.get(path).data(), start, "Reseller", "unpaid")
			suspended(t, as[object](c.items()[0]), start, "Reseller", "unpaid")
		},
		"Suspended by Reseller, suspend": func(t *testing.T, c *caller, path string) {
			c.post(path+"/suspend", object{"reason": "first"}).data()
			c.sim.Clock().Advance(time.Minute)
			suspended(t, c.post(path+"/suspend", object{"reason": "second"}).data(), start, "Reseller", "first")
		},
		"Suspended by Platform, suspend": func(t *testing.T, c *caller, path string) {
			require.NoError(t, c.sim.SuspendByPlatform(client, "abuse"))
			c.sim.Clock().Advance(time.Minute)
			suspended(t, c.post(path+"/suspend", object{"reason": "unpaid"}).data(), start, "Platform", "abuse")
		},
		"Suspended by Reseller, unsuspend": func(t *testing.T, c *caller, path string) {
			c.post(path+"/suspend", nil).data()
			data := c.post(path+"/unsuspend", nil).data()
			keys(t, data, "tenantId", "status", "suspendedAt", "suspendedBy", "suspendReason")
			active(t, data)
			active(t, c.get(path).data())
			active(t, as[object](c.items()[0]))
		},
		"Active, unsuspend": func(t *testing.T, c *caller, path string) {
			active(t, c.post(path+"/unsuspend", nil).data())
		},
		"Suspended by Platform, unsuspend": func(t *testing.T, c *caller, path string) {
			require.NoError(t, c.sim.SuspendByPlatform(client, "abuse"))
			c.post(path+"/unsuspend", nil).rejected(http.StatusBadRequest, "SUSPENDED_BY_PLATFORM")
			suspended(t, c.get(path).data(), start, "Platform", "abuse")
			require.NoError(t, c.sim.LiftPlatformSuspension(client))
			active(t, c.post(path+"/unsuspend", nil).data())
		},
		"moved to another reseller": func(t *testing.T, c *caller, _ string) {
			require.NoError(t, c.sim.MoveAway(client))
			require.Len(t, c.items(), 0)
		},
		"in the console": func(t *testing.T, c *caller, path string) {
			require.NoError(t, c.sim.SuspendInConsole(client, "holiday"))
			suspended(t, c.get(path).data(), start, "Reseller", "holiday")
			require.NoError(t, c.sim.UnsuspendInConsole(client))
			active(t, c.get(path).data())
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCaller(t)
			_, path := c.provision(client)
			test(t, c, path)
		})
	}
}

func TestSection4_13_SuspendReason(t *testing.T) {
	t.Parallel()
	t.Run("500 characters are taken, 501 are not", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		_, path := c.provision(client)
		c.post(path+"/suspend", object{"reason": strings.Repeat("ü", 501)}).rejected(http.StatusBadRequest, "INVALID_REQUEST")
		active(t, c.get(path).data())
		reason := strings.Repeat("ü", 500)
		suspended(t, c.post(path+"/suspend", object{"reason": reason}).data(), start, "Reseller", reason)
	})
	for name, body := range map[string]any{"no body": nil, "empty": object{}, "null": object{"reason": nil}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCaller(t)
			_, path := c.provision(client)
			suspended(t, c.post(path+"/suspend", body).data(), start, "Reseller", nil)
		})
	}
	for name, body := range map[string]any{"no text": object{"reason": 5}, "unknown field": object{"cause": "x"}, "other case": object{"Reason": "x"}, "no JSON": "{"} {
		t.Run("INVALID_REQUEST/"+name, func(t *testing.T) {
			t.Parallel()
			c := newCaller(t)
			_, path := c.provision(client)
			c.post(path+"/suspend", body).rejected(http.StatusBadRequest, "INVALID_REQUEST")
			active(t, c.get(path).data())
		})
	}
}

func TestSection4_15_Templates(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	_, path := c.provision(client)
	got := c.get(path + "/templates")
	keys(t, got.data(), "templates")
	assert.Contains(t, got.raw, `"templates":[]`, "an empty list is a list")
	require.NoError(t, c.sim.Seed(1))
	seeded := as[object](c.items()[1])
	template := as[object](as[[]any](c.get(labelsPath + "/" + as[string](seeded["tenantId"]) + "/templates").data()["templates"])[0])
	keys(t, template, "id", "title", "slug", "isPrivate", "createdAt")
}

// §7.1, §9: requests without an endpoint.
func TestSection7_1_NotFound(t *testing.T) {
	t.Parallel()
	paths := []struct{ name, method, path string }{
		{"unknown", http.MethodGet, "/nowhere"},
		{"root", http.MethodGet, "/"},
		{"retired", http.MethodGet, "/api/v1/reseller/private-labels"},
		{"retired, another", http.MethodPost, "/api/v1/reseller/packages"},
		{"other method", http.MethodPut, labelsPath},
		{"exchange by GET", http.MethodGet, "/api/v1/auth/token"},
		{"empty id", http.MethodGet, labelsPath + "/"},
		{"a version", http.MethodGet, "/v1" + labelsPath},
	}
	for front, open := range fronts {
		for _, p := range paths {
			t.Run(p.name+"/"+front, func(t *testing.T) {
				t.Parallel()
				sim := newSim(t, simulator.Options{})
				c := open(t, sim)
				if p.path != "/" { // without a token it is a browser (TestPage_IsNoEndpoint)
					c.do(p.method, p.path, nil).rejected(http.StatusNotFound, "NOT_FOUND")
				}
				c.as(sim.APIKey()).do(p.method, p.path, nil).rejected(http.StatusNotFound, "NOT_FOUND")
			})
		}
	}
	t.Run("the upload address serves nothing else", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		upload := *c
		upload.base = simulator.UploadURL
		upload.get("/console/dashboard").rejected(http.StatusNotFound, "NOT_FOUND")
		overHTTP(t, c.sim).with(c.token).get(simulator.UploadPrefix+"/console/dashboard").rejected(http.StatusNotFound, "NOT_FOUND")
	})
	t.Run("logos at the base address are blocked", func(t *testing.T) { // §4.7
		t.Parallel()
		for _, open := range fronts {
			sim := newSim(t, simulator.Options{})
			got := open(t, sim).as(sim.APIKey()).post("/console/tenant/upload-logos", nil)
			require.Equal(t, http.StatusForbidden, got.status)
			require.Len(t, got.body, 0) // a page, no envelope
		}
	})
	t.Run("in process there are no other hosts", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		c.base = "https://elsewhere.example"
		_, err := c.try(http.MethodGet, "/", nil)
		assert.ErrorContains(t, err, "elsewhere.example")
	})
}
