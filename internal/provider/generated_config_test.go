package provider_test

import (
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/conformance"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// With a CLI since 1.14 one plan generates a block for each type, and imports.
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
	text := w.Adopt(imports, nil)
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
