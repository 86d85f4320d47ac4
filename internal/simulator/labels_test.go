package simulator_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const client = "sign.client.example"

func TestSection4_8_List(t *testing.T) {
	t.Parallel()
	withCaller(t, "nothing", func(t *testing.T, c *caller) {
		data := c.get(labelsPath).data()
		require.Equal(t, object{"privateLabels": []any{}, "provisionedCount": 0.0, "period": "2026-10"}, data)
	})
	t.Run("the period is UTC's", func(t *testing.T) {
		t.Parallel()
		zone := time.FixedZone("east", 14*3600)
		sim := newSim(t, simulator.Options{Clock: simulator.NewFrozenClock(time.Date(2026, time.November, 1, 1, 0, 0, 0, zone))})
		require.Equal(t, "2026-10", inProcess(t, sim).as(sim.APIKey()).get(labelsPath).data()["period"])
	})
	withCaller(t, "every label whole", func(t *testing.T, c *caller) {
		require.NoError(t, c.sim.Seed(250))
		require.Len(t, c.items(), 250)
	})
}

func TestSection7_1_OtherAddresses(t *testing.T) {
	t.Parallel()
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
