package privatelabel_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Each kind of destroy is rejected at plan time, and the error names the remedies.
func TestPrivateLabel_Protected(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := w.Cli()
	declared := w.Config(providertest.Label("acme", providertest.AcmeHost, ""))
	c.Config(declared)
	c.Apply().WantOK(t)
	w.VerifyDNS(providertest.AcmeHost)
	protected := []string{"Resource is protected from deletion", providertest.AcmeHost, `is "PREVENT" in state`, "add a moved block", "put it back first", `"ABANDON" only removes it from state`}

	t.Run("destroy", func(t *testing.T) {
		c.Destroy().WantError(t, protected...)
		c.Run("plan", "-destroy", "-no-color").WantError(t, protected...)
	})
	t.Run("block removed", func(t *testing.T) {
		c.Config(w.Config(""))
		c.Plan().WantError(t, protected...)
	})
	t.Run("removed with destroy", func(t *testing.T) {
		providertest.NeedsRemovedBlocks(t)
		c.Config(w.Config("removed {\n  from = " + providertest.Acme + "\n  lifecycle { destroy = true }\n}\n"))
		c.Plan().WantError(t, protected...)
	})
	t.Run("replace", func(t *testing.T) {
		c.Config(declared)
		c.Plan("-replace="+providertest.Acme).WantError(t, "Private labels cannot be replaced", providertest.AcmeHost)
	})
	t.Run("taint", func(t *testing.T) {
		c.Ok("taint", "-no-color", providertest.Acme)
		c.Plan().WantError(t, "Private label already exists", providertest.AcmeHost, "terraform untaint")
		c.Apply().WantError(t)
		c.Ok("untaint", "-no-color", providertest.Acme)
		c.WantEmptyPlan()
	})
	t.Run("a policy that this version does not know", func(t *testing.T) {
		c.File("terraform.tfstate", strings.Replace(c.Read("terraform.tfstate"), `"deletion_policy": "PREVENT"`, `"deletion_policy": "LATER"`, 1))
		c.Destroy("-refresh=false").WantError(t, "Resource is protected from deletion", providertest.AcmeHost)
		c.File("terraform.tfstate", strings.Replace(c.Read("terraform.tfstate"), `"deletion_policy": "LATER"`, `"deletion_policy": "PREVENT"`, 1))
	})
	t.Run("policy only in the configuration", func(t *testing.T) {
		// A destroy uses the policy in state.
		c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, `deletion_policy = "DEPROVISION"`)))
		c.Destroy().WantError(t, protected...)
	})
	for _, route := range []string{providertest.RouteDeprovision, providertest.RouteSuspend} {
		if n := w.Calls(route); n != 0 {
			t.Errorf("%s: %d calls", route, n)
		}
	}
	if n := w.Calls(providertest.RouteProvision); n != 1 {
		t.Errorf("%d provisions, want 1", n)
	}
	t.Run("removed without destroy", func(t *testing.T) {
		providertest.NeedsRemovedBlocks(t)
		c.Config(w.Config("removed {\n  from = " + providertest.Acme + "\n  lifecycle { destroy = false }\n}\n"))
		c.Apply().WantOK(t)
		if len(w.Sim.Labels()) != 1 {
			t.Error("the label is gone")
		}
	})
}

func TestPrivateLabel_DeletionPolicies(t *testing.T) {
	t.Parallel()
	for policy, tc := range map[string]struct {
		warning string
		says    []string
		calls   map[string]int
		left    int
	}{
		"SUSPEND": {
			"Private label is suspended and removed from state",
			[]string{"assignment and members are separate resources", `deletion_policy = "ABANDON"`},
			map[string]int{providertest.RouteSuspend: 1},
			1,
		},
		"ABANDON": {
			"Private label will only be removed from state",
			[]string{"assignment and members are separate resources", "removed blocks with destroy = false"},
			map[string]int{},
			1,
		},
		"DEPROVISION": {
			"Deprovisioning " + providertest.AcmeHost + " is permanent",
			[]string{"1 member;", "no package", "Nobody can provision"},
			map[string]int{providertest.RouteDeprovision: 1},
			0,
		},
	} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnv(t)
			c := coretest.New(t, w)
			c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, fmt.Sprintf("deletion_policy = %q", policy))))
			c.Apply().WantOK(t)
			w.VerifyDNS(providertest.AcmeHost)
			c.Refresh()
			w.Sim.ResetJournal()
			c.Config(w.Config(""))
			c.Planned().WantWarning(t, tc.warning, append(tc.says, providertest.AcmeHost)...)
			for _, route := range []string{providertest.RouteSuspend, providertest.RouteDeprovision} {
				if n := w.Calls(route); n != 0 {
					t.Errorf("the plan called %s %d times", route, n)
				}
			}
			w.Sim.ResetJournal()
			c.Apply().WantOK(t, "1 destroyed")
			for _, route := range []string{providertest.RouteSuspend, providertest.RouteDeprovision} {
				if n := w.Calls(route); n != tc.calls[route] {
					t.Errorf("%s: %d calls, want %d", route, n, tc.calls[route])
				}
			}
			if len(c.State()) != 0 {
				t.Errorf("state: %v", c.State())
			}
			if n := len(w.Sim.Labels()); n != tc.left {
				t.Errorf("%d labels, want %d", n, tc.left)
			}
		})
	}
}

// A destroy plans as if to apply first, and so finds the host name that cannot be reused. The remedy of the error
// works, and makes no API call.
func TestPrivateLabel_DestroyOfWhatIsGone(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := w.Cli()
	c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, "") + `
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
	c.Apply().WantOK(t)
	if err := w.Sim.DeprovisionInConsole(providertest.AcmeHost); err != nil {
		t.Fatal(err)
	}
	w.Sim.ResetJournal()
	c.Destroy().WantError(t, "Host name cannot be reused", providertest.AcmeHost, "terraform destroy -refresh=false")
	c.Destroy("-refresh=false").WantOK(t)
	if len(c.State()) != 0 {
		t.Errorf("left in state: %v", c.State())
	}
	for _, call := range w.Sim.Journal() {
		if call.Route == providertest.RouteProvision || call.Route == providertest.RouteDeprovision || call.Route == providertest.RouteColors {
			t.Errorf("sent: %s", call.Route)
		}
	}
}
