package provider_test

import (
	"fmt"
	"image/color"
	"strings"
	"testing"
)

// peopleCall is one writing call on a label's people or looks: what is declared
// before, what the command under test declares, and the books then.
type peopleCall struct {
	route         string
	before, after func(*labelled) string
	want          func(*labelled) error
	mails         int // to Bob, at most
}

func peopleCalls() map[string]peopleCall {
	none := func(w *labelled) string { return w.configWith(withUploadURL, "") }
	bobby := func(w *labelled) string { return w.configWith(withUploadURL, w.person("bob", bobEmail, "Bob")) }
	seats := func(n int) func(*labelled) error {
		return func(w *labelled) error {
			if w.seats() != n {
				return fmt.Errorf("%d seats, want %d", w.seats(), n)
			}
			return nil
		}
	}
	looks := func(extra string) func(*labelled) string {
		return func(w *labelled) string { return w.branded(extra) }
	}
	return map[string]peopleCall{
		"add":    {routeAdd, none, bobby, seats(2), 1},
		"remove": {routeRemove, bobby, none, seats(1), 1},
		"colours": {routeColors, looks(`color_primary = "#0a0"`), looks(`color_primary = "#00b"`), func(w *labelled) error {
			if got := w.sim.Branding(acmeHost).Colors["colorPrimary"]; got != "#00b" {
				return fmt.Errorf("the colour is %q", got)
			}
			return nil
		}, 0},
		"logos": {routeLogos, looks(`color_primary = "#0a0"`), looks("color_primary = \"#0a0\"\nlogo_path = \"${abspath(path.module)}/logo.png\""), func(w *labelled) error {
			if w.sim.Branding(acmeHost).LogoSHA256 == "" {
				return fmt.Errorf("there is no logo")
			}
			return nil
		}, 0},
	}
}

// TestFaultMatrix_People tries every writing call on people and looks with every
// fault, once and lasting. In every cell: one e-mail at most, no taint, nothing
// lost, and a next plan that converges.
func TestFaultMatrix_People(t *testing.T) {
	t.Parallel()
	report := newMatrixReport(t, matrixOfPeople)
	for callName, call := range peopleCalls() {
		for faultName, fault := range faults() {
			for _, lasting := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%s/lasting=%t", callName, faultName, lasting), func(t *testing.T) {
					t.Parallel()
					fault := fault
					w := newLabelled(t)
					c := w.cli()
					c.file("logo.png", string(drawn(t, 2, 2, color.White)))
					c.config(call.before(w))
					c.apply().wantOK(t)
					fault.Route, fault.Times = call.route, 1
					if lasting {
						fault.Times = -1
					}
					w.sim.Inject(fault)
					c.config(call.after(w))
					acted := c.apply()
					w.wantFault()
					acted.wantCodeOf(t, fault)
					w.sim.ClearFaults()
					outcome := "done"
					if acted.code != 0 {
						outcome = "error"
					}
					if !lasting {
						acted.wantOK(t) // all of them may be repeated (§7.4)
					}
					report.add(callName, faultName, lasting, outcome)
					w.converges(c, call)
				})
			}
		}
	}
}

func (w *labelled) converges(c *cli, call peopleCall) {
	w.t.Helper()
	for address, i := range c.state() {
		if i.Status == "tainted" {
			w.t.Errorf("%s is tainted", address)
		}
	}
	c.apply().wantOK(w.t)
	c.wantEmptyPlan()
	if err := call.want(w); err != nil {
		w.t.Error(err)
	}
	if n := w.mails(bobEmail); n > call.mails {
		w.t.Errorf("%d e-mails, want %d at most", n, call.mails)
	}
}

// TestKill_People ends the provider, or the CLI and the provider, with SIGKILL
// right before and right after the effect of each writing call.
func TestKill_People(t *testing.T) {
	t.Parallel()
	needsProc(t)
	report := newMatrixReport(t, matrixOfPeople)
	for callName, call := range peopleCalls() {
		for _, after := range []bool{false, true} {
			for _, whom := range killed() {
				t.Run(fmt.Sprintf("%s/%s/after=%t", callName, whom, after), func(t *testing.T) {
					t.Parallel()
					w := newLabelled(t)
					c := w.servedCLI()
					c.file("logo.png", string(drawn(t, 2, 2, color.White)))
					c.config(unconfigured(call.before(w)))
					c.apply().wantOK(t)
					c.config(unconfigured(call.after(w)))
					if out, code := c.killedAt(w.sim, call.route, after, whom); code == 0 {
						t.Errorf("the apply succeeded although it was killed\n%s", out)
					}
					w.converges(c, call)
					report.addKill(callName, whom, after, "converges")
				})
			}
		}
	}
}

// unconfigured takes the provider block away: the environment says it all.
func unconfigured(config string) string {
	_, rest, _ := strings.Cut(config, "\n}\n")
	return rest
}
