package provider_test

import (
	"net/http"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// With -parallelism=500, the CLI sends everything at once. All requests succeed, in the order of the limits, and none
// gets a 429.
func TestParallelism_500(t *testing.T) {
	t.Parallel()
	const labels = 500
	w := providertest.NewTestEnv(t)
	require.NoError(t, w.Sim.Seed(labels))
	p := w.Protocol()
	var group sync.WaitGroup
	for _, label := range w.Sim.Labels() {
		for _, name := range []string{"reseller_members", "reseller_templates"} {
			config := p.Value(p.Schema.DataSourceSchemas[name], map[string]string{"private_label_id": label.ID})
			group.Go(func() {
				resp, err := p.Server.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{TypeName: name, Config: config})
				if err != nil {
					t.Error(err)
					return
				}
				assert.Empty(t, resp.Diagnostics)
			})
		}
	}
	group.Wait()
	rejected := 0
	for _, call := range w.Sim.Journal() {
		if call.Status == http.StatusTooManyRequests {
			rejected++
		}
	}
	n := w.Calls(providertest.RouteMembers)
	assert.Equal(t, labels, n, "lists of members, %d calls were rejected", rejected)
	assert.LessOrEqual(t, rejected, 0, "%d lists of members, calls were rejected", n)
}
