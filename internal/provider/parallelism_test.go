package provider_test

import (
	"net/http"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// With -parallelism=500 the CLI asks for everything at once. All of it is
// answered, in the order of the limits, and none of it meets a 429.
func TestParallelism_500(t *testing.T) {
	t.Parallel()
	const labels = 500
	w := newWorld(t)
	if err := w.sim.Seed(labels); err != nil {
		t.Fatal(err)
	}
	p := w.protocol()
	var group sync.WaitGroup
	for _, label := range w.sim.Labels() {
		for _, name := range []string{"reseller_members", "reseller_templates"} {
			config := p.value(p.schema.DataSourceSchemas[name], map[string]string{"private_label_id": label.ID})
			group.Go(func() {
				resp, err := p.server.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{TypeName: name, Config: config})
				if err != nil {
					t.Error(err)
					return
				}
				p.wantNone(resp.Diagnostics)
			})
		}
	}
	group.Wait()
	refused := 0
	for _, call := range w.sim.Journal() {
		if call.Status == http.StatusTooManyRequests {
			refused++
		}
	}
	if n := w.calls(routeMembers); n != labels || refused > 0 {
		t.Errorf("%d lists of members, %d calls were refused", n, refused)
	}
}
