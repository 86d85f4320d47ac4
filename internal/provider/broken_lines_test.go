package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

const forged = "\nError: forged"

// brokenLines puts a line break and a forged error behind each host name, code, address and name of the API.
func brokenLines(name string, v any) any {
	switch text, ok := v.(string); {
	case !ok || name == "slug":
		return v
	case name == "primaryHost", name == "email", strings.HasSuffix(strings.ToLower(name), "code"), strings.HasSuffix(strings.ToLower(name), "name"):
		return text + forged
	default:
		return v
	}
}

// Without color the CLI draws no frame, so a line of the API would look like the CLI's own.
func TestDiagnostics_NamesAreOnOneLine(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	gold, err := w.Sim.AddPackage("GOLD", map[string]float64{"seats": 10}, true)
	require.NoError(t, err)
	bob, err := w.Sim.AddPersonInConsole(providertest.AcmeHost, "bob@acme.example", "Bob", "Byte")
	require.NoError(t, err)
	require.NoError(t, w.Sim.AssignInConsole(providertest.AcmeHost, gold, nil))
	kept := fmt.Sprintf(`
resource "reseller_assignment" "acme" {
  private_label_id = %[1]q
  package_id       = %[2]q
}
resource "reseller_member" "bob" {
  private_label_id = %[1]q
  email            = "bob@acme.example"
  first_name       = "Bob"
  last_name        = "Byte"
}
`, w.Label, gold)
	imports := fmt.Sprintf(`
import {
  to = reseller_assignment.acme
  id = %[1]q
}
import {
  to = reseller_member.bob
  id = "%[1]s/%[2]s"
}
`, w.Label, bob)
	for name, honest := range map[string]bool{"of the API": false, "of the state": true} {
		c := coretest.New(t, w.TestEnv)
		w.Transport = rewritten{w.Sim.Transport(), brokenLines}
		if honest {
			w.Transport = nil
		}
		c.Config(w.Config(kept + imports))
		c.Apply()
		w.Transport = rewritten{w.Sim.Transport(), brokenLines}
		reached := false
		see := func(told providertest.Diagnostics) {
			for _, d := range told {
				text := d.Summary + "\n" + d.Detail
				reached = reached || strings.Contains(text, "Error: forged")
				assert.NotContains(t, text, forged, name)
			}
		}
		for _, config := range []string{"", kept} {
			c.Config(w.Config(config))
			see(c.Planned())
			see(c.Planned("-refresh=false"))
		}
		c.Config(w.Config(kept + fmt.Sprintf("resource \"reseller_domain_verification\" \"acme\" {\n  private_label_id = %q\n  timeouts = { create = \"0s\" }\n}\n", w.Label)))
		see(c.Apply("-refresh=false").Diagnostics)
		assert.True(t, reached, "%s: no text has a name of the API", name)
	}
}
