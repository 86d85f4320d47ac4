package provider_test

import (
	"fmt"
	"testing"
)

// Each way to destroy is refused at plan, and says the way out.
func TestPrivateLabel_Protected(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	declared := w.config(label("acme", acmeHost, ""))
	c.config(declared)
	c.apply().wantOK(t)
	w.settle(acmeHost)
	protected := []string{"Private label is protected from deletion", acmeHost, `deletion_policy is "PREVENT"`, "terraform state rm"}

	t.Run("destroy", func(t *testing.T) {
		c.destroy().wantError(t, protected...)
		c.run("plan", "-destroy", "-no-color").wantError(t, protected...)
	})
	t.Run("block removed", func(t *testing.T) {
		c.config(w.config(""))
		c.plan().wantError(t, protected...)
	})
	t.Run("removed with destroy", func(t *testing.T) {
		needsCLI(t, "1.7.0", "the removed block")
		c.config(w.config("removed {\n  from = " + acme + "\n  lifecycle { destroy = true }\n}\n"))
		c.plan().wantError(t, protected...)
	})
	t.Run("replace", func(t *testing.T) {
		c.config(declared)
		c.plan("-replace="+acme).wantError(t, "Private labels cannot be replaced", acmeHost)
	})
	t.Run("taint", func(t *testing.T) {
		c.ok("taint", "-no-color", acme)
		c.plan().wantError(t, "Private label already exists", acmeHost, "terraform untaint")
		c.apply().wantError(t)
		c.ok("untaint", "-no-color", acme)
		c.wantEmptyPlan()
	})
	t.Run("policy only in the configuration", func(t *testing.T) {
		// DEPROVISION has to stand in the state before a destroy goes by it.
		c.config(w.config(label("acme", acmeHost, `deletion_policy = "DEPROVISION"`)))
		c.destroy().wantError(t, protected...)
	})
	for _, route := range []string{routeDeprovision, routeSuspend} {
		if n := w.calls(route); n != 0 {
			t.Errorf("%s: %d calls", route, n)
		}
	}
	if n := w.calls(routeProvision); n != 1 {
		t.Errorf("%d provisions, want 1", n)
	}
	t.Run("removed without destroy", func(t *testing.T) {
		needsCLI(t, "1.7.0", "the removed block")
		c.config(w.config("removed {\n  from = " + acme + "\n  lifecycle { destroy = false }\n}\n"))
		c.apply().wantOK(t)
		if len(w.sim.Labels()) != 1 {
			t.Error("the label is gone")
		}
	})
}

func TestPrivateLabel_DeletionPolicies(t *testing.T) {
	t.Parallel()
	for policy, tc := range map[string]struct {
		warning string
		calls   map[string]int
		left    int
	}{
		"SUSPEND":     {"Private label is suspended and removed from state", map[string]int{routeSuspend: 1}, 1},
		"ABANDON":     {"Private label will only be removed from state", map[string]int{}, 1},
		"DEPROVISION": {"Deprovisioning " + acmeHost + " is permanent", map[string]int{routeDeprovision: 1}, 0},
	} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c := w.cli()
			c.config(w.config(label("acme", acmeHost, fmt.Sprintf("deletion_policy = %q", policy))))
			c.apply().wantOK(t)
			w.settle(acmeHost)
			c.ok("refresh", "-no-color")
			w.sim.ResetJournal()
			c.config(w.config(""))
			values := []string{acmeHost}
			if policy == "DEPROVISION" {
				values = append(values, "1 member and", "no package", "Nobody can provision")
			}
			c.planned().wantWarning(t, tc.warning, values...)
			for _, route := range []string{routeSuspend, routeDeprovision} {
				if n := w.calls(route); n != 0 {
					t.Errorf("the plan called %s %d times", route, n)
				}
			}
			w.sim.ResetJournal()
			c.apply().wantOK(t, "1 destroyed")
			for _, route := range []string{routeSuspend, routeDeprovision} {
				if n := w.calls(route); n != tc.calls[route] {
					t.Errorf("%s: %d calls, want %d", route, n, tc.calls[route])
				}
			}
			if len(c.state()) != 0 {
				t.Errorf("state: %v", c.state())
			}
			if n := len(w.sim.Labels()); n != tc.left {
				t.Errorf("%d labels, want %d", n, tc.left)
			}
		})
	}
}

// A destroy plans as if to apply first, and so meets the host that is retired.
// The way on that the error tells works, and sends nothing.
func TestPrivateLabel_DestroyOfWhatIsGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(label("acme", acmeHost, "") + `
resource "reseller_member" "bob" {
  private_label_id = reseller_private_label.acme.id
  email            = "bob@acme.example"
  first_name       = "Bob"
  last_name        = "Byte"
}
resource "reseller_branding" "acme" {
  domain        = reseller_private_label.acme.domain
  color_primary = "#0a0"
}
`))
	c.apply().wantOK(t)
	if err := w.sim.DeprovisionInConsole(acmeHost); err != nil {
		t.Fatal(err)
	}
	w.sim.ResetJournal()
	c.destroy().wantError(t, "Host name cannot be reused", acmeHost, "terraform destroy -refresh=false")
	c.destroy("-refresh=false").wantOK(t)
	if len(c.state()) != 0 {
		t.Errorf("left in state: %v", c.state())
	}
	for _, call := range w.sim.Journal() {
		if call.Route == routeProvision || call.Route == routeDeprovision || call.Route == routeColors {
			t.Errorf("sent: %s", call.Route)
		}
	}
}
