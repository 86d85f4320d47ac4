package provider_test

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// rowless empties the list of private labels and leaves its count.
type rowless struct {
	http.RoundTripper
	rows []byte // null, an empty array, or nothing: the field is omitted
}

var privateLabels = regexp.MustCompile(`"privateLabels":(\[.*\]|null),`)

func (r rowless) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := r.RoundTripper.RoundTrip(req)
	if err != nil || !strings.HasSuffix(req.URL.Path, "/private-labels") || req.Method != http.MethodGet {
		return resp, err
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if r.rows == nil {
		body = privateLabels.ReplaceAll(body, nil)
	} else {
		body = privateLabels.ReplaceAll(body, append(append([]byte(`"privateLabels":`), r.rows...), ','))
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	resp.Header.Del("Content-Length")
	return resp, nil
}

// A list without rows beside a positive count proves nothing. A private label is gone only if its detail says FORBIDDEN.
func TestContradictoryList(t *testing.T) {
	t.Parallel()
	for _, form := range []string{"forbidden", "invalid-target"} {
		for name, rows := range map[string][]byte{"none": []byte("[]"), "null": []byte("null"), "omitted": nil} {
			w := lateEnv(t, simulator.Forms{"gone-label": form})
			c := coretest.New(t, w)
			label := providertest.Label("acme", "sign.acme.example", "")
			other := providertest.Label("other", "other.acme.example", "")
			c.Config(w.Config(label + other))
			c.Apply().WantOK(t, "2 added")
			w.NextWindow()
			w.NextWindow()
			w.NextWindow() // more than ten minutes
			require.NoError(t, w.Sim.DeprovisionInConsole("sign.acme.example"))
			w.Transport = rowless{w.Sim.Transport(), rows}
			r := c.Plan()
			about := form + ", " + name
			if form == "forbidden" {
				assert.Contains(t, r.Out, "Private label not found, removed from state", about)
				assert.NotContains(t, r.Out, "other.acme.example is not among", about)
			} else {
				r.WantError(t, map[bool]string{false: "no privateLabels beside a provisionedCount of 1", true: "no privateLabels that this version can find"}[rows == nil])
				assert.NotContains(t, r.Out, "not found", about)
			}
			assert.Len(t, c.State(), 2, about)
		}
	}
}
