package provider_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// rewritten changes the values of the fields of each response.
type rewritten struct {
	next   http.RoundTripper
	change func(name string, v any) any
}

func (r rewritten) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := r.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	_ = resp.Body.Close()
	body = changed(body, r.change)
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return resp, nil
}

// A private label whose creation time cannot be read is created, is in state, is not tainted, and the next plan shows
// no changes.
func TestTimes_ThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(json.Number) string
		want   string
	}{
		"microseconds": {func(n json.Number) string { return n.String() + "000" }, fwtype.SummaryTime},
		"nanoseconds":  {func(n json.Number) string { return n.String() + "000000" }, fwtype.SummaryTime},
		"beyond all":   {func(json.Number) string { return "1e400" }, fwtype.SummaryTime},
		"texts":        {func(json.Number) string { return `"yesterday"` }, "2 added"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnv(t)
			w.Transport = rewritten{w.Sim.Transport(), func(name string, v any) any {
				if n, ok := v.(json.Number); ok && strings.HasSuffix(name, "At") && name != "expiresAt" {
					return json.RawMessage(tc.change(n))
				}
				return v
			}}
			c := coretest.Applied(t, w, w.Config(providertest.Label("acme", providertest.AcmeHost, "")+"resource \"reseller_member\" \"bob\" {\n  private_label_id = reseller_private_label.acme.id\n  email = \"bob@acme.example\"\n  first_name = \"Bob\"\n  last_name = \"Byte\"\n}\n"), tc.want, "2 added")
			for address, object := range c.State() {
				assert.NotEmpty(t, object.Attributes["id"], "%s is %v", address, object.Attributes)
				assert.Nil(t, object.Attributes["created_at"], "%s is %v", address, object.Attributes)
			}
			c.WantEmptyPlan()
		})
	}
}
