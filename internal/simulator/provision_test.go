package simulator_test

import (
	"net/http"
	"slices"
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
	withCaller(t, "the owner holds a seat and is emailed", func(t *testing.T, c *caller) {
		provisioned := c.post(labelsPath, order("sign.client.example")).data()
		got := c.get(labelsPath + "/" + as[string](provisioned["tenantId"])).data()
		owner := object{"userId": provisioned["ownerUserId"], "email": ada, "firstName": "Ada", "lastName": "Lovelace"}
		require.Subset(t, got, object{"owner": owner, "memberCount": 1.0})
		require.Equal(t, []simulator.Email{setPassword(start, ada)}, c.sim.Outbox())
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
	withLabel(t, "a body that is not sent as JSON", func(t *testing.T, c *caller, _ string) {
		req := c.request(http.MethodPost, labelsPath, order("sign.new.example"))
		req.Header.Set("Content-Type", "text/plain")
		got, err := c.send(req)
		require.NoError(t, err)
		got.rejected(http.StatusBadRequest, "INVALID_REQUEST")
		require.Len(t, c.items(), 1)
	})
}
