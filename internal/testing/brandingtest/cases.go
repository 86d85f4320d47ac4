// Package brandingtest has the conformance case of brandings.
package brandingtest

import (
	"errors"
	"fmt"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Branding is the conformance case of a branding. The API returns neither colors nor logos, and sets them again.
var Branding = providertest.Case{
	Type:     "reseller_branding",
	Make:     func(*providertest.World) {},
	Block:    with(green),
	IDs:      func(*providertest.World) []string { return []string{providertest.AcmeHost} },
	Identity: func(*providertest.World) map[string]string { return map[string]string{"domain": providertest.AcmeHost} },
	Wrong: func(w *providertest.World) map[string]string {
		wrong := w.NotLive("")
		for _, id := range []string{w.Gone, w.Foreign, w.Label, "https://sign.acme.example", ""} {
			wrong[id] = fmt.Sprintf("%q is not a host name", id)
		}
		return wrong
	},
	Form:   providertest.AcmeHost,
	Writes: true,
	Settled: []func(*providertest.World) providertest.Settled{func(w *providertest.World) providertest.Settled {
		config := providertest.Values{"domain": providertest.AcmeHost, "color_primary": "#0A4"}
		return providertest.Settled{
			Config: config, Again: config, Other: config.With(providertest.Values{"color_primary": "#0B4"}),
			Remove: func() error { return w.Sim.DeprovisionInConsole(providertest.AcmeHost) },
			Read:   providertest.RouteList, Reads: 1,
		}
	}},
	Generated: "domain",
	Hostile: providertest.Hostile{
		Config: `{"domain":"sign.acme.example","color_primary":"#0a0","logo_path":"$logo"}`,
		Change: `{"color_primary":"#00b","reapply_trigger":"2"}`, Import: "sign.acme.example",
	},
	Stored: providertest.StoredAs(`
resource "reseller_branding" "acme" {
  domain        = reseller_private_label.acme.domain
  color_primary = "#0a0"
}
`),
	Calls: map[string]providertest.Call{
		"colors": {Route: providertest.RouteColors, Reads: shows, Before: with(green), After: with(`color_primary = "#00b"`), Want: func(w *providertest.World) error {
			if got := w.Sim.Branding(providertest.AcmeHost).Colors["colorPrimary"]; got != "#00b" {
				return fmt.Errorf("the color is %q", got)
			}
			return nil
		}},
		"logos": {Route: providertest.RouteLogos, Reads: shows, Before: with(green), After: with(green + "\n  logo_path = \"${abspath(path.module)}/logo.png\""), Want: func(w *providertest.World) error {
			if w.Sim.Branding(providertest.AcmeHost).LogoSHA256 == "" {
				return errors.New("there is no logo")
			}
			return nil
		}},
	},
}

const green = `color_primary = "#0a0"`

var shows = []string{providertest.RouteList}

func with(extra string) func(*providertest.World) string {
	return func(*providertest.World) string {
		return fmt.Sprintf("resource \"reseller_branding\" \"it\" {\n  domain = %q\n  %s\n}\n", providertest.AcmeHost, extra)
	}
}
