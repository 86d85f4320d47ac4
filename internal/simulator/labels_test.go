package simulator_test

import (
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
	c.otherReseller().post("/console/other.example/reseller/private-labels", order("sign.foreign.example")).data()
	c.provision(client)
	c.provision("sign.second.example")

	got := c.get("/console/dashboard").data()
	domains := []any{ // of its own reseller only
		object{"domain": client, "companyName": "Client Sign", "userCount": 1.0},
		object{"domain": "sign.second.example", "companyName": "Client Sign", "userCount": 1.0},
	}
	require.Equal(t, object{"totalDomains": 2.0, "totalUsers": 2.0, "domains": domains, "isReseller": true, "slug": ownSlug}, got)
}

func TestSection4_8_List(t *testing.T) {
	t.Parallel()
	t.Run("nothing", func(t *testing.T) {
		t.Parallel()
		data := newCaller(t).get(labelsPath).data()
		require.Equal(t, object{"privateLabels": []any{}, "provisionedCount": 0.0, "period": "2026-10"}, data)
	})
	t.Run("item", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		id, _ := c.provision(client)
		item := object{
			"tenantId": id, "primaryHost": client, "customDomain": nil, "adminEmail": "ada@client.example", "assignedPackage": nil,
			"templateQuota": object{"used": 0.0, "total": 0.0, "unlimited": false},
			"metrics":       object{"templates": 0.0, "documentsSent": 0.0, "members": 1.0},
			"status":        "Active", "suspendedAt": nil, "suspendedBy": nil, "suspendReason": nil,
		}
		require.Equal(t, object{"privateLabels": []any{item}, "provisionedCount": 1.0, "period": "2026-10"}, c.get(labelsPath).data())
	})
	t.Run("without an owner there is no adminEmail", func(t *testing.T) {
		t.Parallel()
		c, path := newLabel(t)
		require.NoError(t, c.sim.RemoveOwner(client))
		require.Nil(t, as[object](c.items()[0])["adminEmail"])
		require.Nil(t, c.get(path).data()["owner"])
	})
	for query, want := range map[string]string{"": "2026-10", "?period=": "2026-10", "?period=2025-12": "2025-12", "?period=lifetime": "lifetime"} {
		t.Run("period "+query, func(t *testing.T) {
			t.Parallel()
			c, _ := newLabel(t)
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
		c, _ := newLabel(t)
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
	require.Equal(t, object{
		"tenantId": id, "primaryHost": client, "customDomain": nil, "createdAt": float64(start.UnixMilli()),
		"status": "Active", "suspendedAt": nil, "suspendedBy": nil, "suspendReason": nil,
		"owner":       object{"userId": c.member(path, "ada@client.example")["id"], "email": "ada@client.example", "firstName": "Ada", "lastName": "Lovelace"},
		"memberCount": 1.0, "assignment": nil,
		"domainSetup": object{"attached": true, "verified": false, "records": recordsOf(client)},
	}, c.get(path).data())

	require.NoError(t, c.sim.RenameOwner(client, "Grace", "Hopper"))
	require.Equal(t, "Grace", as[object](c.get(path).data()["owner"])["firstName"])
}

func TestSection4_10_AssignmentWithAddons(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	require.NoError(t, c.sim.Seed(3)) // the third has an add-on
	item := as[object](c.items()[2])
	assignment := as[object](c.get(labelsPath + "/" + as[string](item["tenantId"])).data()["assignment"])
	want := object{"subscriptionAddonId": id32, "addonId": id32, "code": "EXTRA-04", "name": "Extra 4", "quantity": 4.0}
	exactly(t, want, as[object](as[[]any](assignment["addons"])[0]))
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
			other := c.otherReseller()
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
		c := assuming(t, simulator.Forms{"gone-label": "invalid-target"})
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
			c, path := newLabel(t)
			before(c, path)
			require.Equal(t, object{"status": "deprovisioned"}, c.del(path).data())
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
		c, path := newLabel(t)
		c.do(http.MethodDelete, path, "nonsense").rejected(http.StatusBadRequest, "INVALID_REQUEST")
		c.do(http.MethodDelete, path, object{"force": true}).rejected(http.StatusBadRequest, "INVALID_REQUEST")
		require.Len(t, c.items(), 1)
		c.do(http.MethodDelete, path, object{}).data()
	})
	t.Run("host cannot be reused by any reseller", func(t *testing.T) {
		t.Parallel()
		c, _ := newLabel(t)
		require.NoError(t, c.sim.DeprovisionInConsole(client))
		c.otherReseller().post("/console/other.example/reseller/private-labels", order(client)).rejected(http.StatusBadRequest, "HOST_TAKEN")
	})
}

// suspended checks the four fields of §4.13 in each response that shows them.
func suspended(t *testing.T, fields object, at time.Time, by string, reason any) {
	t.Helper()
	require.Subset(t, fields, object{"status": "Suspended", "suspendedAt": float64(at.UnixMilli()), "suspendedBy": by, "suspendReason": reason})
}

func active(t *testing.T, fields object) {
	t.Helper()
	require.Subset(t, fields, object{"status": "Active", "suspendedAt": nil, "suspendedBy": nil, "suspendReason": nil})
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
			c, path := newLabel(t)
			test(t, c, path)
		})
	}
}

func TestSection4_13_SuspendReason(t *testing.T) {
	t.Parallel()
	t.Run("500 characters are taken, 501 are not", func(t *testing.T) {
		t.Parallel()
		c, path := newLabel(t)
		c.post(path+"/suspend", object{"reason": strings.Repeat("ü", 501)}).rejected(http.StatusBadRequest, "INVALID_REQUEST")
		active(t, c.get(path).data())
		reason := strings.Repeat("ü", 500)
		suspended(t, c.post(path+"/suspend", object{"reason": reason}).data(), start, "Reseller", reason)
	})
	for name, body := range map[string]any{"no body": nil, "empty": object{}, "null": object{"reason": nil}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, path := newLabel(t)
			suspended(t, c.post(path+"/suspend", body).data(), start, "Reseller", nil)
		})
	}
	for name, body := range map[string]any{"no text": object{"reason": 5}, "unknown field": object{"cause": "x"}, "other case": object{"Reason": "x"}, "no JSON": "{"} {
		t.Run("INVALID_REQUEST/"+name, func(t *testing.T) {
			t.Parallel()
			c, path := newLabel(t)
			c.post(path+"/suspend", body).rejected(http.StatusBadRequest, "INVALID_REQUEST")
			active(t, c.get(path).data())
		})
	}
}

func TestSection4_15_Templates(t *testing.T) {
	t.Parallel()
	c, path := newLabel(t)
	require.Equal(t, object{"templates": []any{}}, c.get(path+"/templates").data())
	require.NoError(t, c.sim.Seed(1))
	seeded := as[object](c.items()[1])
	template := as[object](as[[]any](c.get(labelsPath + "/" + as[string](seeded["tenantId"]) + "/templates").data()["templates"])[0])
	exactly(t, object{"id": id32, "title": "Terms", "slug": "terms", "isPrivate": false, "createdAt": float64(start.AddDate(0, 0, -2).UnixMilli())}, template)
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
