// Package labeltest has the conformance cases of private labels and their domain verification.
package labeltest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

const host = "sign.new.example"

const deprovision = `deletion_policy = "DEPROVISION"`

// Label is the conformance case of a private label.
var Label = providertest.Case{
	Type: "reseller_private_label",
	Make: func(w *providertest.World) {
		_, err := w.Sim.AddConsoleLabel(host, "ada@acme.example")
		require.NoError(w.T, err)
		w.VerifyDNS(host)
	},
	Block: with(deprovision),
	Found: func(*providertest.World) string { // no read shows the names of an owner whom Terraform did not invite
		return fmt.Sprintf("resource \"reseller_private_label\" \"it\" {\n  domain = %q\n}\n", host)
	},
	Named:    "the private label " + host,
	IDs:      func(w *providertest.World) []string { return []string{w.LabelID(host), host, strings.ToUpper(host)} },
	Identity: func(w *providertest.World) map[string]string { return map[string]string{"id": w.LabelID(host)} },
	Wrong: func(w *providertest.World) map[string]string {
		return w.NotLabels("https://sign.acme.example/", strings.ToUpper(w.Label))
	},
	Form: providertest.AcmeHost,
	Settled: []func(*providertest.World) providertest.Settled{func(w *providertest.World) providertest.Settled {
		config := providertest.Values{"domain": host}
		return providertest.Settled{
			Config: config, Other: config.With(providertest.Values{"deletion_policy": "ABANDON"}),
			Drift:  func() error { return w.Sim.SuspendInConsole(host, "unpaid") },
			Remove: func() error { return w.Sim.DeprovisionInConsole(host) },
			Read:   providertest.RouteList, Reads: 2,
		}
	}},
	Exported:  true,
	Generated: "domain",
	Hostile: providertest.Hostile{
		Config: `{"domain":"@.hostile.example","app_name":"App","owner":{"email":"ada@@.example","first_name":"Ada","last_name":"L"},"deletion_policy":"DEPROVISION"}`,
		Change: `{"suspended":true,"suspend_reason":"unpaid"}`,
		Import: "sign.acme.example",
	},
	Stored: providertest.StoredAs(`
resource "reseller_private_label" "acme" {
  domain          = "sign.acme.example"
  app_name        = "Acme Sign"
  support_url     = "https://acme.example/help"
  color_primary   = "#0a4"
  suspended       = false
  deletion_policy = "ABANDON"
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }
}
resource "reseller_private_label" "settled" {
  domain   = "sign.settled.example"
  app_name = "Settled Sign"
  owner = {
    email      = "sam@settled.example"
    first_name = "Sam"
    last_name  = "Settled"
  }
}
`),
	Calls: map[string]providertest.Call{
		"exchange": {
			Route: providertest.RouteToken, After: with(""), OnlyReads: true,
			// The API rejects the key: exchanging it again would only use one of the five exchanges of the IP address.
			Rejected: map[simulator.FaultKind][]string{simulator.FaultUnauthorized: {"UNAUTHORIZED", "Check the API key"}},
		},
		"dashboard": {Route: providertest.RouteDashboard, After: with(""), OnlyReads: true},
		"list":      {Route: providertest.RouteList, After: with(""), OnlyReads: true},
		"detail":    {Route: providertest.RouteDetail, After: with(""), OnlyReads: true},
		"provision": {Route: providertest.RouteProvision, Reads: reads, After: with(""), Want: exist(1)},
		"attach": {
			Route: providertest.RouteAttach, Reads: reads, Before: with(""), After: with(""), Want: exist(1),
			Prepare: func(w *providertest.World) { w.Sim.FailAttach(1) },
		},
		"suspend":     {Route: providertest.RouteSuspend, Reads: reads, Before: with(""), After: with("suspended = true"), Want: exist(1)},
		"unsuspend":   {Route: providertest.RouteUnsuspend, Reads: reads, Before: with("suspended = true"), After: with("suspended = false"), Want: exist(1)},
		"deprovision": {Route: providertest.RouteDeprovision, Reads: reads, Before: with(deprovision), Want: exist(0)},
	},
	Harmed: func(w *providertest.World, c providertest.Workspace, call providertest.Call) error {
		mails := providertest.Count(w.Sim.Outbox(), func(mail simulator.Email) bool { return mail.Host == host })
		switch n := count(w); {
		case n > 1 || mails > 1:
			return fmt.Errorf("%d private labels, %d emails", n, mails)
		case n == 1 && call.Before != nil && len(c.State()) == 0:
			return errors.New("the private label was lost from state")
		}
		return nil
	},
}

func count(w *providertest.World) int {
	return providertest.Count(w.Sim.Labels(), func(l simulator.LabelView) bool { return l.Host == host })
}

func exist(want int) func(*providertest.World) error {
	return func(w *providertest.World) error {
		if n := count(w); n != want || len(w.Sim.Labels()) != want+1 {
			return fmt.Errorf("%d of %d private labels, want %d of %d", n, len(w.Sim.Labels()), want, want+1)
		}
		return nil
	}
}

var reads = []string{providertest.RouteList, providertest.RouteDetail}

func with(extra string) func(*providertest.World) string {
	return func(*providertest.World) string { return providertest.Label("it", host, extra) }
}

// Verification is the conformance case of a domain verification, which makes no call that writes.
var Verification = providertest.Case{
	Type:  "reseller_domain_verification",
	Make:  func(*providertest.World) {},
	Block: verification,
	IDs: func(w *providertest.World) []string {
		return []string{w.Label, providertest.AcmeHost, strings.ToUpper(providertest.AcmeHost)}
	},
	Identity: func(w *providertest.World) map[string]string { return map[string]string{"private_label_id": w.Label} },
	Wrong:    func(w *providertest.World) map[string]string { return w.NotLabels() },
	Form:     providertest.AcmeHost,
	Settled: []func(*providertest.World) providertest.Settled{func(w *providertest.World) providertest.Settled {
		config := providertest.Values{"private_label_id": w.Label}
		return providertest.Settled{
			Config: config, Again: config, Other: config.With(providertest.Values{"required": false}),
			Remove: func() error { return w.Sim.DeprovisionInConsole(providertest.AcmeHost) },
			Read:   providertest.RouteList, Reads: 2,
		}
	}},
	Generated: "private_label_id",
	Hostile:   providertest.Hostile{Config: `{"private_label_id":"$label","timeouts":{"create":"2m"}}`, Import: "sign.acme.example"},
	Stored: providertest.StoredAs(`
resource "reseller_domain_verification" "acme" {
  private_label_id = reseller_private_label.acme.id
  timeouts         = { create = "1h" }
}
`),
	Calls: map[string]providertest.Call{
		"poll": {Route: providertest.RouteDetail, OnlyReads: true, After: verification},
	},
}

func verification(w *providertest.World) string {
	return fmt.Sprintf("resource \"reseller_domain_verification\" \"it\" {\n  private_label_id = %q\n}\n", w.Label)
}
