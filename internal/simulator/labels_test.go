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
	withCaller(t, "nothing", func(t *testing.T, c *caller) {
		data := c.get(labelsPath).data()
		require.Equal(t, object{"privateLabels": []any{}, "provisionedCount": 0.0, "period": "2026-10"}, data)
	})
	withCaller(t, "item", func(t *testing.T, c *caller) {
		id, _ := c.provision(client)
		item := object{
			"tenantId": id, "primaryHost": client, "customDomain": nil, "adminEmail": "ada@client.example", "assignedPackage": nil,
			"templateQuota": object{"used": 0.0, "total": 0.0, "unlimited": false},
			"metrics":       object{"templates": 0.0, "documentsSent": 0.0, "members": 1.0},
			"status":        "Active", "suspendedAt": nil, "suspendedBy": nil, "suspendReason": nil,
		}
		require.Equal(t, object{"privateLabels": []any{item}, "provisionedCount": 1.0, "period": "2026-10"}, c.get(labelsPath).data())
	})
	withLabel(t, "without an owner there is no adminEmail", func(t *testing.T, c *caller, path string) {
		require.NoError(t, c.sim.RemoveOwner(client))
		require.Nil(t, as[object](c.items()[0])["adminEmail"])
		require.Nil(t, c.get(path).data()["owner"])
	})
	withLabel(t, "period", func(t *testing.T, c *caller, _ string) {
		for query, want := range map[string]string{"": "2026-10", "?period=": "2026-10", "?period=2025-12": "2025-12", "?period=lifetime": "lifetime"} {
			data := c.get(labelsPath + query).data()
			assert.Equal(t, want, data["period"], query)
			assert.Len(t, data["privateLabels"], 1, query)
		}
	})
	withCaller(t, "no period", func(t *testing.T, c *caller) {
		other := assuming(t, simulator.Forms{"bad-period": "invalid-query"})
		for _, period := range []string{"2026-13", "2026-1", "2026", "Lifetime", "2026-10-01"} {
			c.get(labelsPath+"?period="+period).rejected(http.StatusBadRequest, "INVALID_REQUEST", period)
			other.get(labelsPath+"?period="+period).rejected(http.StatusBadRequest, "INVALID_QUERY", period)
		}
	})
	t.Run("the period is UTC's", func(t *testing.T) {
		t.Parallel()
		zone := time.FixedZone("east", 14*3600)
		sim := newSim(t, simulator.Options{Clock: simulator.NewFrozenClock(time.Date(2026, time.November, 1, 1, 0, 0, 0, zone))})
		require.Equal(t, "2026-10", inProcess(t, sim).as(sim.APIKey()).get(labelsPath).data()["period"])
	})
	withLabel(t, "documents are counted by period, or for a lifetime", func(t *testing.T, c *caller, _ string) {
		require.NoError(t, c.sim.UseDocuments(client, 3))
		c.sim.Clock().Advance(31 * 24 * time.Hour)
		require.NoError(t, c.sim.UseDocuments(client, 4))
		c = c.as(c.sim.APIKey())
		for query, want := range map[string]float64{"": 4, "?period=2026-10": 3, "?period=2026-11": 4, "?period=2026-09": 0, "?period=lifetime": 7} {
			item := as[object](as[[]any](c.get(labelsPath + query).data()["privateLabels"])[0])
			assert.Equal(t, want, as[object](item["metrics"])["documentsSent"], query)
		}
	})
	withCaller(t, "every label whole", func(t *testing.T, c *caller) {
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

	require.NoError(t, c.sim.RenamePerson(client, ada, "Grace", "Hopper"))
	require.Equal(t, "Grace", as[object](c.get(path).data()["owner"])["firstName"])
}

// The other reading of §4 for a deprovisioned private label.
func TestSection4_GoneIsNoTarget(t *testing.T) {
	t.Parallel()
	c, path := assumingPeople(t, simulator.Forms{"gone-label": "invalid-target"})
	c.del(path).data()
	c.get(path).rejected(http.StatusBadRequest, "INVALID_TARGET")
	c.del(path).rejected(http.StatusForbidden, "FORBIDDEN")
}

func TestSection4_12_Deprovision(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]func(*caller, string){
		"Active":    func(*caller, string) {},
		"Suspended": func(c *caller, path string) { c.post(path+"/suspend", nil).data() },
	} {
		withLabel(t, name, func(t *testing.T, c *caller, path string) {
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
	withLabel(t, "a body is rejected, and nothing is lost", func(t *testing.T, c *caller, path string) {
		c.do(http.MethodDelete, path, "nonsense").rejected(http.StatusBadRequest, "INVALID_REQUEST")
		c.do(http.MethodDelete, path, object{"force": true}).rejected(http.StatusBadRequest, "INVALID_REQUEST")
		require.Len(t, c.items(), 1)
		c.do(http.MethodDelete, path, object{}).data()
	})
	withLabel(t, "host cannot be reused by any reseller", func(t *testing.T, c *caller, _ string) {
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
		withLabel(t, name, func(t *testing.T, c *caller, path string) {
			test(t, c, path)
		})
	}
}

func TestSection4_13_SuspendReason(t *testing.T) {
	t.Parallel()
	withLabel(t, "500 characters are taken, 501 are not", func(t *testing.T, c *caller, path string) {
		c.post(path+"/suspend", object{"reason": strings.Repeat("ü", 501)}).rejected(http.StatusBadRequest, "INVALID_REQUEST")
		active(t, c.get(path).data())
		reason := strings.Repeat("ü", 500)
		suspended(t, c.post(path+"/suspend", object{"reason": reason}).data(), start, "Reseller", reason)
	})
	for name, body := range map[string]any{"no body": nil, "empty": object{}, "null": object{"reason": nil}} {
		withLabel(t, name, func(t *testing.T, c *caller, path string) {
			suspended(t, c.post(path+"/suspend", body).data(), start, "Reseller", nil)
		})
	}
	for name, body := range map[string]any{"no text": object{"reason": 5}, "unknown field": object{"cause": "x"}, "other case": object{"Reason": "x"}, "no JSON": "{"} {
		withLabel(t, "INVALID_REQUEST/"+name, func(t *testing.T, c *caller, path string) {
			c.post(path+"/suspend", body).rejected(http.StatusBadRequest, "INVALID_REQUEST")
			active(t, c.get(path).data())
		})
	}
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
	eachFront(t, "", func(_ *testing.T, c *caller) {
		for _, p := range paths {
			c.do(p.method, p.path, nil).rejected(http.StatusNotFound, "NOT_FOUND", p.name)
			if p.path != "/" { // without a token it is a browser (TestPage_IsNoEndpoint)
				c.with("").do(p.method, p.path, nil).rejected(http.StatusNotFound, "NOT_FOUND", p.name)
			}
		}
	})
	withCaller(t, "the upload address serves nothing else", func(t *testing.T, c *caller) {
		upload := *c
		upload.base = simulator.UploadURL
		upload.get("/console/dashboard").rejected(http.StatusNotFound, "NOT_FOUND")
		overHTTP(t, c.sim).with(c.token).get(simulator.UploadPrefix+"/console/dashboard").rejected(http.StatusNotFound, "NOT_FOUND")
	})
	withCaller(t, "in process there are no other hosts", func(t *testing.T, c *caller) {
		c.base = "https://elsewhere.example"
		_, err := c.try(http.MethodGet, "/", nil)
		assert.ErrorContains(t, err, "elsewhere.example")
	})
}
