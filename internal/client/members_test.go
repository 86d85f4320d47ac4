package client

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// Only the case of ASCII letters is folded: other foldings would take one user for another.
func TestFoldEmail(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"\u017fam@acme.example", "\u212aate@acme.example", "İrem@acme.example", "ΟΔΥΣΣΕΥΣ@acme.example", "J\u00dcRGEN@acme.example"} {
		if lower := strings.ToLower(address); FoldEmail(lower) == FoldEmail(address) && lower != address {
			t.Errorf("%q is %q", address, lower)
		}
		if upper := strings.ToUpper(address); FoldEmail(upper) == FoldEmail(address) && !strings.EqualFold(upper, address) {
			t.Errorf("%q is %q", address, upper)
		}
	}
	for _, other := range []string{"sam@acme.example", "kate@acme.example"} {
		assert.NotEqual(t, FoldEmail("\u017fam@acme.example"), FoldEmail(other), "%q is another user", other)
		assert.NotEqual(t, FoldEmail("\u212aate@acme.example"), FoldEmail(other), "%q is another user", other)
	}
	for _, other := range []string{"bob2@acme.example", "bob@acme.examp1e", "b0b@acme.example", "bób@acme.example"} {
		assert.NotEqual(t, FoldEmail("bob@acme.example"), FoldEmail(other), "%q is bob@acme.example", other)
	}
	assert.Equal(t, "bob@acme.example", FoldEmail("Bob@ACME.example"))
}

// A removal that is answered without a body is sent once: the members list shows it.
func TestRemoveMember_WithoutBody(t *testing.T) {
	t.Parallel()
	c, clock := dial(t, transporttest.Expect(t, "DELETE {label}/users/{other} -> 204"))
	got := c.RemoveMember(t.Context(), transporttest.ID, transporttest.OtherID)
	assert.Equal(t, transport.Done(), got)
	assert.Zero(t, clock.Slept())
}
