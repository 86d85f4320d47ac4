package privatelabel_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func TestPrivateLabel_Import(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	w.Test(
		resource.TestStep{Config: w.Config(providertest.Label("acme", providertest.AcmeHost, providertest.Abandon))},
		resource.TestStep{
			ResourceName:            providertest.Acme,
			ImportState:             true,
			ImportStateVerify:       true,
			ImportStateVerifyIgnore: []string{"app_name", "deletion_policy"},
		},
		resource.TestStep{
			ResourceName:            providertest.Acme,
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
			ResourceName: providertest.Acme, ImportState: true, ImportStateId: "https://sign.acme.example",
			ExpectError: regexp.MustCompile(`is\s+neither\s+a\s+private\s+label\s+ID\s+nor\s+a\s+host\s+name`),
		},
		resource.TestStep{
			ResourceName: providertest.Acme, ImportState: true, ImportStateId: "nobody.acme.example",
			ExpectError: regexp.MustCompile(`nobody.acme.example\s+is\s+not\s+a\s+live\s+private\s+label\s+of`),
		},
		resource.TestStep{
			ResourceName: providertest.Acme, ImportState: true, ImportStateId: "0123456789abcdef0123456789abcdef",
			ExpectError: regexp.MustCompile(`is\s+not\s+a\s+live\s+private\s+label\s+of`),
		},
	)
}

// After an import, the configured values are recorded without a writing call, and a generated configuration plans no
// changes.
func TestPrivateLabel_ImportTakesOver(t *testing.T) {
	t.Parallel()
	providertest.NeedsGeneration(t)
	w := providertest.NewTestEnv(t)
	c := w.Cli()
	c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, "")))
	c.Apply().WantOK(t)
	w.VerifyDNS(providertest.AcmeHost)
	c.Forget(providertest.Acme)
	w.Sim.ResetJournal()

	c.Config(w.Config(""))
	c.Generate(providertest.Imports{providertest.Acme: providertest.AcmeHost}.Blocks()).WantOK(t)
	c.Apply().WantOK(t, "1 imported, 0 added, 0 changed, 0 destroyed")
	c.WantEmptyPlan()

	c.File("generated.tf", "")
	c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, `support_url = "https://acme.example/help"`)))
	c.Apply().WantOK(t, "1 changed")
	c.WantEmptyPlan()
	c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, `support_url = "https://acme.example/hulp"`)))
	c.Plan().WantError(t, "support_url of "+providertest.AcmeHost+" cannot change")
	for _, route := range []string{providertest.RouteProvision, providertest.RouteDeprovision, providertest.RouteSuspend, providertest.RouteUnsuspend, providertest.RouteAttach} {
		if n := w.Calls(route); n != 0 {
			t.Errorf("%s: %d calls", route, n)
		}
	}
}

func TestPrivateLabel_ImportWithoutOwner(t *testing.T) {
	t.Parallel()
	providertest.NeedsGeneration(t)
	w := providertest.NewTestEnv(t)
	if err := w.Sim.Seed(1); err != nil {
		t.Fatal(err)
	}
	host := w.Sim.Labels()[0].Host
	w.VerifyDNS(host)
	if err := w.Sim.RemoveOwner(host); err != nil {
		t.Fatal(err)
	}
	c := w.Cli()
	c.Config(w.Config(""))
	c.Generate(providertest.Imports{providertest.Acme: host}.Blocks()).WantOK(t)
	c.Apply().WantOK(t, "1 imported, 0 added, 0 changed, 0 destroyed")
	c.WantEmptyPlan()
}
