package simulator_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// recordsOf are the alternatives for a host below a domain: a CNAME first.
func recordsOf(host string) []any {
	return []any{object{"type": "CNAME", "name": host, "value": "edge.portals.example"}, object{"type": "A", "name": host, "value": "192.0.2.10"}}
}

func TestSection4_9_Provision(t *testing.T) {
	t.Parallel()
	eachFront(t, "200", func(t *testing.T, c *caller) {
		data := c.post(labelsPath, order("sign.client.example")).data()
		setup := object{"attached": true, "verified": false, "records": recordsOf(client)}
		exactly(t, object{"tenantId": id32, "ownerUserId": id32, "domainSetup": setup}, data)
	})
	withCaller(t, "all fields of the documents are taken", func(_ *testing.T, c *caller) {
		c.post(labelsPath, order("sign.client.example",
			withConfig("supportUrl", "https://help.client.example/a?b=c"), withConfig("websiteUrl", "http://client.example"),
			withConfig("colorPrimary", "#0af"), withConfig("colorAccent", "#00AAff"))).data()
	})
	withCaller(t, "the owner holds a seat and is emailed", func(t *testing.T, c *caller) {
		provisioned := c.post(labelsPath, order("sign.client.example")).data()
		got := c.get(labelsPath + "/" + as[string](provisioned["tenantId"])).data()
		owner := object{"userId": provisioned["ownerUserId"], "email": ada, "firstName": "Ada", "lastName": "Lovelace"}
		require.Subset(t, got, object{"owner": owner, "memberCount": 1.0})
		require.Equal(t, []simulator.Email{setPassword(start, ada)}, c.sim.Outbox())
	})
}

// Errors of §4.9: nothing is created, no email is sent, and the host name stays free.
func TestSection4_9_Provision_Refusals(t *testing.T) {
	t.Parallel()
	links := func(n int) func(owner, config, body object) {
		return func(_, config, _ object) {
			for i := range n {
				config[fmt.Sprintf("social%d", i)] = "https://social.example/client"
			}
		}
	}
	remove := func(from, name string) func(owner, config, body object) {
		return func(owner, config, body object) {
			delete(map[string]object{"owner": owner, "config": config, "": body}[from], name)
		}
	}
	inBody := func(name string, value any) func(owner, config, body object) {
		return func(_, _, body object) { body[name] = value }
	}
	const host = "sign.client.example"
	long := strings.Repeat("x", 5000)
	cases := map[string]struct {
		body any
		code string
	}{
		"INVALID_REQUEST/no body":                       {nil, "INVALID_REQUEST"},
		"INVALID_REQUEST/no JSON":                       {"{", "INVALID_REQUEST"},
		"INVALID_REQUEST/two values":                    {"{}{}", "INVALID_REQUEST"},
		"INVALID_REQUEST/an array":                      {"[]", "INVALID_REQUEST"},
		"INVALID_REQUEST/no owner":                      {order(host, remove("", "owner")), "INVALID_REQUEST"},
		"INVALID_REQUEST/no config":                     {order(host, remove("", "config")), "INVALID_REQUEST"},
		"INVALID_REQUEST/no domain":                     {order(host, remove("config", "domain")), "INVALID_REQUEST"},
		"INVALID_REQUEST/no appName":                    {order(host, remove("config", "appName")), "INVALID_REQUEST"},
		"INVALID_REQUEST/blank appName":                 {order(host, withConfig("appName", " \t")), "INVALID_REQUEST"},
		"INVALID_REQUEST/long appName":                  {order(host, withConfig("appName", long)), "INVALID_REQUEST"},
		"INVALID_REQUEST/appName a number":              {order(host, withConfig("appName", 5)), "INVALID_REQUEST"},
		"INVALID_REQUEST/long name":                     {order(host, withOwner("firstName", long)), "INVALID_REQUEST"},
		"INVALID_REQUEST/long URL":                      {order(host, withConfig("websiteUrl", "https://client.example/"+long)), "INVALID_REQUEST"},
		"INVALID_REQUEST/unknown field":                 {order(host, inBody("note", "x")), "INVALID_REQUEST"},
		"INVALID_REQUEST/unknown field of owner":        {order(host, withOwner("phone", "1")), "INVALID_REQUEST"},
		"INVALID_REQUEST/field of other case":           {order(host, withOwner("FirstName", "Ada"), remove("owner", "firstName")), "INVALID_REQUEST"},
		"INVALID_REQUEST/package with a blank id":       {order(host, withPackage("")), "INVALID_REQUEST"},
		"INVALID_REQUEST/package with confirmation key": {order(host, inBody("package", object{"packageId": "x", "confirmationKey": "y"})), "INVALID_REQUEST"},
		"DOMAIN_INVALID/URL":                            {order("https://" + host), "DOMAIN_INVALID"},
		"DOMAIN_INVALID/path":                           {order(host + "/x"), "DOMAIN_INVALID"},
		"DOMAIN_INVALID/email":                          {order("ada@client.example"), "DOMAIN_INVALID"},
		"DOMAIN_INVALID/port":                           {order(host + ":443"), "DOMAIN_INVALID"},
		"DOMAIN_INVALID/empty":                          {order(""), "DOMAIN_INVALID"},
		"DOMAIN_INVALID/spaces":                         {order("sign client.example"), "DOMAIN_INVALID"},
		"DOMAIN_INVALID/address":                        {order("192.0.2.1"), "DOMAIN_INVALID"},
		"DOMAIN_INVALID/underscore":                     {order("sign_up.client.example"), "DOMAIN_INVALID"},
		"DOMAIN_INVALID/too long":                       {order(strings.Repeat("a.", 130) + "example"), "DOMAIN_INVALID"},
		"HOST_RESERVED/console":                         {order("console.portals.example"), "HOST_RESERVED"},
		"HOST_RESERVED/app":                             {order("portals.example"), "HOST_RESERVED"},
		"HOST_RESERVED/static":                          {order("Static.Portals.Example"), "HOST_RESERVED"},
		"HOST_RESERVED/the simulator's API":             {order("api.simulator.invalid"), "HOST_RESERVED"},
		"HOST_RESERVED/the simulator's uploads":         {order("Upload.Simulator.invalid"), "HOST_RESERVED"},
		"HOST_TAKEN/the reseller's own":                 {order(ownSlug), "HOST_TAKEN"},
		"INVALID_COLOR/primary":                         {order(host, withConfig("colorPrimary", "red")), "INVALID_COLOR"},
		"INVALID_COLOR/accent":                          {order(host, withConfig("colorAccent", "#12345")), "INVALID_COLOR"},
		"INVALID_COLOR/alpha":                           {order(host, withConfig("colorAccent", "#11223344")), "INVALID_COLOR"},
		"INVALID_URL/website":                           {order(host, withConfig("websiteUrl", "client.example")), "INVALID_URL"},
		"INVALID_URL/support":                           {order(host, withConfig("supportUrl", "ftp://client.example")), "INVALID_URL"},
		"INVALID_URL/no host":                           {order(host, withConfig("supportUrl", "https://")), "INVALID_URL"},
		"INVALID_URL/social":                            {order(host, withConfig("someNetwork", "@client")), "INVALID_URL"},
		"TOO_MANY_SOCIAL_LINKS/21":                      {order(host, links(21)), "TOO_MANY_SOCIAL_LINKS"},
		"OWNER_INVALID_EMAIL/none":                      {order(host, remove("owner", "email")), "OWNER_INVALID_EMAIL"},
		"OWNER_INVALID_EMAIL/no address":                {order(host, withOwner("email", "ada")), "OWNER_INVALID_EMAIL"},
		"OWNER_INVALID_EMAIL/with a name":               {order(host, withOwner("email", "Ada <ada@client.example>")), "OWNER_INVALID_EMAIL"},
		"OWNER_INVALID_EMAIL/two":                       {order(host, withOwner("email", "ada@client.example,bob@client.example")), "OWNER_INVALID_EMAIL"},
		"OWNER_INVALID_NAME/no first":                   {order(host, remove("owner", "firstName")), "OWNER_INVALID_NAME"},
		"OWNER_INVALID_NAME/blank last":                 {order(host, withOwner("lastName", "  ")), "OWNER_INVALID_NAME"},
	}
	for name, test := range cases {
		withCaller(t, name, func(t *testing.T, c *caller) {
			c.post(labelsPath, test.body).rejected(http.StatusBadRequest, test.code)
			require.Len(t, c.items(), 0)
			require.Len(t, c.sim.Outbox(), 0)
			c.post(labelsPath, order(host)).data()
		})
	}
	withCaller(t, "20 social links are taken beside website and support", func(_ *testing.T, c *caller) {
		c.post(labelsPath, order(host, links(20), withConfig("websiteUrl", "https://client.example"), withConfig("supportUrl", "https://help.client.example"))).data()
	})
	withLabel(t, "HOST_TAKEN", func(t *testing.T, c *caller, _ string) {
		c.post(labelsPath, order(host)).rejected(http.StatusBadRequest, "HOST_TAKEN")
		c.post(labelsPath, order("SIGN.Client.Example")).rejected(http.StatusBadRequest, "HOST_TAKEN")
		require.Len(t, c.items(), 1)
		require.Len(t, c.sim.Outbox(), 1)
	})
	withCaller(t, "HOST_TAKEN/by another reseller's label", func(_ *testing.T, c *caller) {
		c.otherReseller().post("/console/other.example/reseller/private-labels", order(host)).data()
		c.post(labelsPath, order(host)).rejected(http.StatusBadRequest, "HOST_TAKEN")
	})
	withLabel(t, "HOST_TAKEN/moved away", func(t *testing.T, c *caller, _ string) {
		require.NoError(t, c.sim.MoveAway(host))
		c.post(labelsPath, order(host)).rejected(http.StatusBadRequest, "HOST_TAKEN")
	})
	withCaller(t, "the body must be sent as JSON", func(t *testing.T, c *caller) {
		req := c.request(http.MethodPost, labelsPath, order(host))
		req.Header.Set("Content-Type", "text/plain")
		got, err := c.send(req)
		require.NoError(t, err)
		got.rejected(http.StatusBadRequest, "INVALID_REQUEST")
		require.Len(t, c.items(), 0)
	})
}

// ample is an allowance that nothing below exceeds.
var ample = map[string]float64{"documents": 1000, "seats": 100, "templates": 100, "notarizations": 100}

// packaged is a caller whose reseller has a package and an allowance.
func packaged(t *testing.T, allowance map[string]float64, active bool) (c *caller, packageID string) {
	t.Helper()
	c = newCaller(t)
	require.NoError(t, c.sim.SetAllowance(allowance))
	id := c.made(c.sim.AddPackage("plan", map[string]float64{"documents": 50, "seats": 5, "templates": 2, "notarizations": 10}, active))
	return c, id
}

func TestSection3_2_ProvisionWithPackage(t *testing.T) {
	t.Parallel()
	const host = "sign.client.example"
	t.Run("Assigned", func(t *testing.T) {
		t.Parallel()
		c, id := packaged(t, ample, true)
		provisioned := c.post(labelsPath, order(host, withPackage(id))).data()
		keys(t, provisioned, "tenantId", "ownerUserId", "domainSetup", "package")
		got := as[object](provisioned["package"])
		allocated := object{"documents": 50.0, "seats": 5.0, "templates": 2.0, "notarizations": 10.0}
		exactly(t, object{"outcome": "Assigned", "assignmentId": id32, "allocated": allocated}, got)
		require.Equal(t, object{
			"id": got["assignmentId"], "packageId": id, "packageCode": "PLAN", "packageName": "PLAN", "currency": "EUR",
			"assignedAt": float64(start.UnixMilli()), "addons": []any{}, "allocated": allocated,
		}, c.get(labelsPath + "/" + as[string](provisioned["tenantId"])).data()["assignment"])
		require.Equal(t, object{"packageId": id, "code": "PLAN", "name": "PLAN"}, as[object](c.items()[0])["assignedPackage"])
	})
	t.Run("ConfirmationRequired", func(t *testing.T) {
		t.Parallel()
		c, id := packaged(t, map[string]float64{"documents": 20, "seats": 100, "templates": 2, "notarizations": 3}, true)
		provisioned := c.post(labelsPath, order(host, withPackage(id))).data()
		got := as[object](provisioned["package"])
		confirmation := as[object](got["confirmation"])
		assert.NotEmpty(t, confirmation["key"], "the key is blank")
		require.Equal(t, object{
			"outcome":      "ConfirmationRequired",
			"confirmation": object{"key": confirmation["key"], "expiresAt": float64(start.Add(10 * time.Minute).UnixMilli())},
			"warnings": []any{
				object{"itemCode": "documents", "requested": 50.0, "remaining": 20.0, "excess": 30.0},
				object{"itemCode": "notarizations", "requested": 10.0, "remaining": 3.0, "excess": 7.0},
			},
		}, got)
		// The private label exists without its package.
		path := labelsPath + "/" + as[string](provisioned["tenantId"])
		require.Nil(t, c.get(path).data()["assignment"])
		require.Len(t, c.sim.Outbox(), 1)
		require.Equal(t, "Assigned", c.post(path+"/package", object{"packageId": id, "confirmationKey": confirmation["key"]}).data()["outcome"])
	})
	t.Run("seats count at the greater of allocated and used", func(t *testing.T) {
		t.Parallel()
		// The owner uses one of the five seats of the package.
		c, id := packaged(t, map[string]float64{"documents": 50, "seats": 5, "templates": 2, "notarizations": 10}, true)
		require.Equal(t, "Assigned", as[object](c.post(labelsPath, order(host, withPackage(id))).data()["package"])["outcome"])
	})
	for code, test := range map[string]struct{ active, subscribed, unknown bool }{
		"NO_SUBSCRIPTION":   {active: true},
		"PACKAGE_INACTIVE":  {subscribed: true},
		"PACKAGE_NOT_FOUND": {active: true, subscribed: true, unknown: true},
	} {
		t.Run("Failed/"+code, func(t *testing.T) {
			t.Parallel()
			c, id := packaged(t, ample, test.active)
			require.NoError(t, c.sim.SetSubscription(test.subscribed))
			if test.unknown {
				id = strings.Repeat("0", 32)
			}
			provisioned := c.post(labelsPath, order(host, withPackage(id))).data()
			require.Equal(t, object{"outcome": "Failed", "error": code}, provisioned["package"])
			require.Nil(t, c.get(labelsPath + "/" + as[string](provisioned["tenantId"])).data()["assignment"])
		})
	}
	t.Run("INSUFFICIENT_SCOPE before anything is created", func(t *testing.T) {
		t.Parallel()
		c, id := packaged(t, ample, true)
		narrow := c.withScopes(scopeProvision)
		narrow.post(labelsPath, order(host, withPackage(id))).rejected(http.StatusForbidden, "INSUFFICIENT_SCOPE")
		require.Len(t, c.items(), 0)
		require.Len(t, c.sim.Outbox(), 0)
		narrow.post(labelsPath, order(host)).data()
	})
	t.Run("a rejected order assigns nothing", func(t *testing.T) {
		t.Parallel()
		c, id := packaged(t, map[string]float64{"documents": 50, "seats": 5, "templates": 2, "notarizations": 10}, true)
		c.post(labelsPath, order("console.portals.example", withPackage(id))).rejected(http.StatusBadRequest, "HOST_RESERVED")
		require.Equal(t, "Assigned", as[object](c.post(labelsPath, order(host, withPackage(id))).data()["package"])["outcome"])
	})
	withCaller(t, "null is no package", func(t *testing.T, c *caller) {
		body := order(host, func(_, _, body object) { body["package"] = nil })
		keys(t, c.withScopes(scopeProvision).post(labelsPath, body).data(), "tenantId", "ownerUserId", "domainSetup")
	})
}

// §2.1 and §2.5, §3.3: host names.
func TestSection2_5_DomainSetup(t *testing.T) {
	t.Parallel()
	withCaller(t, "a host is given a CNAME first, a whole domain an A record", func(t *testing.T, c *caller) {
		whole := recordsOf("client.example")
		slices.Reverse(whole)
		for host, want := range map[string][]any{client: recordsOf(client), "client.example": whole} {
			_, path := c.provision(host)
			require.Equal(t, want, list(t, c.get(path).data(), "domainSetup", "records"))
		}
	})
	withLabel(t, "verified is read at most once a minute", func(t *testing.T, c *caller, path string) {
		verified := func() any { return as[object](c.get(path).data()["domainSetup"])["verified"] }
		require.NoError(t, c.sim.CorrectDNS("sign.client.example"))
		require.Equal(t, false, verified())
		c.sim.Clock().Advance(59 * time.Second)
		require.Equal(t, false, verified())
		c.sim.Clock().Advance(time.Second)
		require.Equal(t, true, verified())
		require.NoError(t, c.sim.BreakDNS("sign.client.example"))
		require.Equal(t, true, verified())
		c.sim.Clock().Advance(time.Minute)
		require.Equal(t, false, verified())
	})
	t.Run("DNS becomes correct by itself where that is asked for", func(t *testing.T) {
		t.Parallel()
		sim := newSim(t, simulator.Options{DNSDelay: 5 * time.Minute})
		c := inProcess(t, sim).as(sim.APIKey())
		_, path := c.provision("sign.client.example")
		sim.Clock().Advance(4 * time.Minute)
		require.Equal(t, false, as[object](c.get(path).data()["domainSetup"])["verified"])
		sim.Clock().Advance(time.Minute)
		require.Equal(t, true, as[object](c.get(path).data()["domainSetup"])["verified"])
	})
}

func TestSection3_3_Host(t *testing.T) {
	t.Parallel()
	attached := func(data object) any { return as[object](data["domainSetup"])["attached"] }
	withCaller(t, "provisioning fails silently, attach succeeds later", func(t *testing.T, c *caller) {
		c.sim.FailAttach(2)
		provisioned := c.post(labelsPath, order("sign.client.example")).data()
		require.Equal(t, false, attached(provisioned))
		path := labelsPath + "/" + as[string](provisioned["tenantId"])
		require.Equal(t, false, attached(c.get(path).data()))
		got := c.post(path+"/domain/attach", nil).data()
		require.Len(t, got, 1)
		require.Equal(t, false, attached(got))
		require.Equal(t, true, attached(c.post(path+"/domain/attach", nil).data()))
		require.Equal(t, true, attached(c.get(path).data()))
	})
	withLabel(t, "an attached host answers as attached", func(t *testing.T, c *caller, path string) {
		c.sim.FailAttach(1)
		require.Equal(t, true, attached(c.post(path+"/domain/attach", nil).data()))
		require.Equal(t, true, attached(c.post(path+"/domain/attach", object{}).data()))
	})
	withLabel(t, "a body is rejected", func(_ *testing.T, c *caller, path string) {
		c.post(path+"/domain/attach", object{"domain": "x"}).rejected(http.StatusBadRequest, "INVALID_REQUEST")
	})
}
