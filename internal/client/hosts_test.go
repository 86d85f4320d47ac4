package client

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// The API documentation does not say whether flat endpoints ignore the case of host names. DNS and the list of private
// labels have them in lowercase.
func TestFlatEndpoints_HostsInLowerCase(t *testing.T) {
	t.Parallel()
	const given, sent = "Sign.Customer.EXAMPLE", `"domain":"sign.customer.example"`
	s := transporttest.Expect(t,
		transporttest.Step{Request: "POST /console/tenant/update-colors", Answer: transporttest.OK(`{}`)},
		transporttest.Step{Request: "POST /console/users/search", Answer: transporttest.OK(`{"users":[]}`)},
		transporttest.Step{Request: reqLogos, Answer: transporttest.OK(`{}`)},
	)
	c, _ := dial(t, s, func(cfg *Config) { cfg.UploadURL = transporttest.URL })
	assert.NoError(t, c.UpdateColors(t.Context(), given, Colors{Primary: "#0A4"}).Err)
	_, err := c.SearchPeople(t.Context(), "Ada", given)
	assert.NoError(t, err)
	assert.NoError(t, c.UploadLogos(t.Context(), given, Logos{Logo: logoFile(t, "logo.png", []byte("x"))}).Err)
	for i := range 3 {
		assert.Contains(t, s.Body(i), sent, "call %d", i)
	}
	assert.Contains(t, s.Body(0), `"colorPrimary":"#0A4"`, "more than the host changed, %s", s.Body(1))
	assert.Contains(t, s.Body(1), `"query":"Ada"`, "more than the host changed: %s", s.Body(0))
}
