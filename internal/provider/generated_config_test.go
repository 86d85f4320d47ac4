package provider_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/conformance"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// One plan generates a block for each type, for an inactive package and for an owner, and imports them: by the provider since
// Terraform 1.14, by the CLI before. It reads each thing once.
func TestGeneratedConfig_CLI(t *testing.T) {
	t.Parallel()
	providertest.NeedsGeneration(t)
	w := providertest.NewWorld(t)
	imports, set := providertest.Imports{}, providertest.Imports{}
	for _, c := range conformance.Cases() {
		switch {
		case strings.HasPrefix(c.Generated, "error"):
		case c.Type == "reseller_members": // which manages the person of reseller_member
			set[c.Type+".it"] = c.IDs(w)[0]
		default:
			c.Make(w)
			imports[c.Type+".it"] = c.IDs(w)[0]
		}
	}
	_, err := w.Sim.AddPackage("OLD", nil, false)
	require.NoError(t, err)
	imports["reseller_package.old"], imports["reseller_member.ada"] = "OLD", providertest.AcmeHost+"/ada@acme.example"
	text := w.Adopt(imports, map[string]int{
		providertest.RouteList: 1, providertest.RouteDetail: 2, providertest.RouteMembers: 1, providertest.RoutePackageSearch: 1, providertest.RouteAddonSearch: 1,
	})
	for _, part := range []string{"active = false", "SEATS = 2"} {
		assert.Contains(t, strings.Join(strings.Fields(text), " "), part, "the configuration lacks:\n%s", text)
	}
	if !providertest.IsTofu(t) { // which writes the keys of a map, email addresses, without quotes
		text += w.Adopt(set, nil)
	}
	if providertest.OlderCLI(t, "1.14.0") {
		return // it generates by itself
	}
	for _, never := range []string{"owner ", "deletion_policy", "user_id"} {
		if strings.Contains(text, never) && !strings.Contains(text, never+"= null") {
			t.Errorf("%s is generated:\n%s", never, text)
		}
	}
}
