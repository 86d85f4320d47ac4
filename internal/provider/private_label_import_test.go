package provider_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

func TestPrivateLabel_Import(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.test(
		resource.TestStep{Config: w.config(label("acme", acmeHost, abandon))},
		resource.TestStep{
			ResourceName:            acme,
			ImportState:             true,
			ImportStateVerify:       true,
			ImportStateVerifyIgnore: []string{"app_name", "deletion_policy"},
		},
		resource.TestStep{
			ResourceName:            acme,
			ImportState:             true,
			ImportStateId:           "SIGN.acme.example",
			ImportStateVerify:       true,
			ImportStateVerifyIgnore: []string{"app_name", "deletion_policy"},
			ImportStateCheck: func(states []*terraform.InstanceState) error {
				if got := states[0].Attributes["deletion_policy"]; got != "PREVENT" {
					return fmt.Errorf("deletion_policy %q after import", got)
				}
				return nil
			},
		},
		resource.TestStep{
			ResourceName: acme, ImportState: true, ImportStateId: "https://sign.acme.example",
			ExpectError: regexp.MustCompile(`is neither a tenant id nor a host name`),
		},
		resource.TestStep{
			ResourceName: acme, ImportState: true, ImportStateId: "nobody.acme.example",
			ExpectError: regexp.MustCompile(`nobody.acme.example is no live label of`),
		},
		resource.TestStep{
			ResourceName: acme, ImportState: true, ImportStateId: "0123456789abcdef0123456789abcdef",
			ExpectError: regexp.MustCompile(`is no live label of`),
		},
	)
}

// After an import the declared values are taken over with no writing call, and
// a generated configuration plans empty.
func TestPrivateLabel_ImportTakesOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(label("acme", acmeHost, "")))
	c.apply().wantOK(t)
	w.settle(acmeHost)
	c.ok("state", "rm", "-no-color", acme)
	w.sim.ResetJournal()

	importing := "import {\n  to = " + acme + "\n  id = \"" + acmeHost + "\"\n}\n"
	c.config(w.config(importing))
	c.ok("plan", "-no-color", "-generate-config-out=generated.tf")
	c.apply().wantOK(t, "1 imported, 0 added, 0 changed, 0 destroyed")
	c.wantEmptyPlan()

	c.file("generated.tf", "")
	c.config(w.config(label("acme", acmeHost, `support_url = "https://acme.example/help"`)))
	c.apply().wantOK(t, "1 changed")
	c.wantEmptyPlan()
	c.config(w.config(label("acme", acmeHost, `support_url = "https://acme.example/hulp"`)))
	c.plan().wantError(t, "support_url of "+acmeHost+" cannot change")
	for _, route := range []string{routeProvision, routeDeprovision, routeSuspend, routeUnsuspend, routeAttach} {
		if n := w.calls(route); n != 0 {
			t.Errorf("%s: %d calls", route, n)
		}
	}
}

func TestPrivateLabel_ImportWithoutOwner(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := w.sim.Seed(1); err != nil {
		t.Fatal(err)
	}
	host := w.sim.Labels()[0].Host
	w.settle(host)
	if err := w.sim.RemoveOwner(host); err != nil {
		t.Fatal(err)
	}
	c := w.cli()
	c.config(w.config("import {\n  to = " + acme + "\n  id = \"" + host + "\"\n}\n"))
	c.ok("plan", "-no-color", "-generate-config-out=generated.tf")
	c.apply().wantOK(t, "1 imported, 0 added, 0 changed, 0 destroyed")
	c.wantEmptyPlan()
}
