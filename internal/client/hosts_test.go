package client

import (
	"strings"
	"testing"

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
	if err := c.UpdateColors(t.Context(), given, Colors{Primary: "#0A4"}).Err; err != nil {
		t.Error(err)
	}
	if _, err := c.SearchPeople(t.Context(), "Ada", given); err != nil {
		t.Error(err)
	}
	if err := c.UploadLogos(t.Context(), given, Logos{Logo: logoFile(t, "logo.png", []byte("x"))}).Err; err != nil {
		t.Error(err)
	}
	for i := range 3 {
		if !strings.Contains(s.Body(i), sent) {
			t.Errorf("call %d has %s", i, s.Body(i))
		}
	}
	if !strings.Contains(s.Body(0), `"colorPrimary":"#0A4"`) || !strings.Contains(s.Body(1), `"query":"Ada"`) {
		t.Errorf("more than the host changed: %s, %s", s.Body(0), s.Body(1))
	}
}
