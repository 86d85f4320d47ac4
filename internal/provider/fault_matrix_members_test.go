package provider_test

import (
	"fmt"
	"image/color"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func peopleCalls() map[string]providertest.PeopleCall {
	none := func(w *providertest.LabelEnv) string { return w.ConfigWith(providertest.WithUploadURL, "") }
	bobby := func(w *providertest.LabelEnv) string {
		return w.ConfigWith(providertest.WithUploadURL, w.Person("bob", providertest.BobEmail, "Bob"))
	}
	seats := func(n int) func(*providertest.LabelEnv) error {
		return func(w *providertest.LabelEnv) error {
			if w.Seats() != n {
				return fmt.Errorf("%d seats, want %d", w.Seats(), n)
			}
			return nil
		}
	}
	set := func(emails ...string) func(*providertest.LabelEnv) string {
		return func(w *providertest.LabelEnv) string {
			return w.ConfigWith(providertest.WithUploadURL, w.Set(emails...))
		}
	}
	looks := func(extra string) func(*providertest.LabelEnv) string {
		return func(w *providertest.LabelEnv) string { return w.Branded(extra) }
	}
	return map[string]providertest.PeopleCall{
		"add":           {Route: providertest.RouteAdd, Before: none, After: bobby, Want: seats(2), Mails: 1},
		"remove":        {Route: providertest.RouteRemove, Before: bobby, After: none, Want: seats(1), Mails: 1},
		"set: create":   {Route: providertest.RouteAdd, Before: none, After: set(providertest.EveEmail, providertest.BobEmail), Want: seats(3), Mails: 1},
		"set: read":     {Route: providertest.RouteMembers, Before: set(providertest.BobEmail), After: set(providertest.EveEmail), Want: seats(2), Mails: 1},
		"set: remove":   {Route: providertest.RouteRemove, Before: set(providertest.EveEmail, providertest.BobEmail), After: set(providertest.EveEmail), Want: seats(2), Mails: 1},
		"set: exchange": {Route: providertest.RouteAdd, Before: set(providertest.EveEmail), After: set(providertest.BobEmail), Want: seats(2), Mails: 1},
		"colors": {Route: providertest.RouteColors, Before: looks(`color_primary = "#0a0"`), After: looks(`color_primary = "#00b"`), Want: func(w *providertest.LabelEnv) error {
			if got := w.Sim.Branding(providertest.AcmeHost).Colors["colorPrimary"]; got != "#00b" {
				return fmt.Errorf("the color is %q", got)
			}
			return nil
		}, Mails: 0},
		"logos": {Route: providertest.RouteLogos, Before: looks(`color_primary = "#0a0"`), After: looks("color_primary = \"#0a0\"\nlogo_path = \"${abspath(path.module)}/logo.png\""), Want: func(w *providertest.LabelEnv) error {
			if w.Sim.Branding(providertest.AcmeHost).LogoSHA256 == "" {
				return fmt.Errorf("there is no logo")
			}
			return nil
		}, Mails: 0},
	}
}

// TestFaultMatrix_People tries every writing call on members and branding with every fault, once and permanently. In
// every cell: one email at most, no taint, nothing lost, and a next plan that converges.
func TestFaultMatrix_People(t *testing.T) {
	t.Parallel()
	for callName, call := range peopleCalls() {
		for faultName, fault := range providertest.Faults() {
			for _, lasting := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%s/lasting=%t", callName, faultName, lasting), func(t *testing.T) {
					t.Parallel()
					fault := fault
					w := providertest.NewLabelEnvOf(t, providertest.DrawnForms(t, nil))
					c := coretest.For(t, w.TestEnv, faultName == "500 after" && !lasting)
					c.File("logo.png", string(providertest.Drawn(t, 2, 2, color.White)))
					c.Config(call.Before(w))
					c.Apply().WantOK(t)
					fault.Route, fault.Times = call.Route, 1
					if lasting {
						fault.Times = -1
					}
					w.Sim.Inject(fault)
					c.Config(call.After(w))
					acted := c.Apply()
					w.WantFault()
					acted.WantCodeOf(t, fault)
					w.Sim.ClearFaults()
					if !lasting {
						acted.WantOK(t) // all of them are safe to retry (§7.4)
					}
					w.Converges(c, call)
				})
			}
		}
	}
}

// TestKill_People kills the provider, or the CLI and the provider, immediately before and after the effect of each
// writing call.
func TestKill_People(t *testing.T) {
	t.Parallel()
	providertest.NeedsProc(t)
	for callName, call := range peopleCalls() {
		if call.Route == providertest.RouteMembers {
			continue // a read has no effect
		}
		for _, after := range []bool{false, true} {
			for _, whom := range providertest.Killed() {
				t.Run(fmt.Sprintf("%s/%s/after=%t", callName, whom, after), func(t *testing.T) {
					t.Parallel()
					w := providertest.NewLabelEnvOf(t, providertest.DrawnForms(t, nil))
					c := coretest.NewKillable(t, w.TestEnv)
					c.File("logo.png", string(providertest.Drawn(t, 2, 2, color.White)))
					c.Config(unconfigured(call.Before(w)))
					c.Apply().WantOK(t)
					c.Config(unconfigured(call.After(w)))
					if out, code := c.KilledAt(w.Sim, call.Route, after, whom); code == 0 {
						t.Errorf("the apply succeeded although it was killed\n%s", out)
					}
					w.Converges(c, call)
				})
			}
		}
	}
}

// unconfigured removes the provider block: the environment has all settings.
func unconfigured(config string) string {
	_, rest, _ := strings.Cut(config, "\n}\n")
	return rest
}
