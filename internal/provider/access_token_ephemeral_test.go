package provider_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/echoprovider"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
)

// An ephemeral value is in no state: a provider that echoes it shows it.
func TestAccessToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	echoed := func(name string) tfjsonpath.Path { return tfjsonpath.New("data").AtMapKey(name) }
	resource.UnitTest(t, resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_10_0)}, // ephemeral resources
		ProtoV6ProviderFactories: map[string]func() (tfprotov6.ProviderServer, error){
			"reseller": w.server, "echo": echoprovider.NewProviderServer(),
		},
		Steps: []resource.TestStep{{
			Config: w.config(`
ephemeral "reseller_access_token" "run" {}
provider "echo" {
  data = ephemeral.reseller_access_token.run
}
resource "echo" "token" {}
`),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue("echo.token", echoed("access_token"), knownvalue.StringFunc(func(token string) error { return w.knows(token) })),
				statecheck.ExpectKnownValue("echo.token", echoed("expires_at"), knownvalue.StringExact("2026-03-14T10:00:00Z")),
				statecheck.ExpectKnownValue("echo.token", echoed("scopes"), knownvalue.ListSizeExact(3)),
			},
		}},
	})
	if n := w.calls(routeToken); n != 1 || len(w.sim.Journal()) != 1 {
		t.Errorf("%d exchanges, %d calls in all, want one", n, len(w.sim.Journal()))
	}
}

// A token that was given is handed on, with no exchange; it is in no state.
func TestAccessToken_Given(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	token := w.exchange()
	w.sim.ResetJournal()
	w.env.set("RESELLER_ACCESS_TOKEN", token)
	c := w.cli()
	c.config(strings.Replace(w.config("ephemeral \"reseller_access_token\" \"run\" {}\n"+label("acme", acmeHost, "")), "api_key", "#", 1))
	c.apply().wantOK(t)
	if n := w.calls(routeToken); n != 0 {
		t.Errorf("%d exchanges", n)
	}
	state, err := os.ReadFile(filepath.Join(c.dir, "terraform.tfstate"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(state), token) {
		t.Error("the token is in the state")
	}
}

func TestAccessToken_Refused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.key = w.sim.APIKey() + "x"
	c := w.cli()
	c.config(w.config("ephemeral \"reseller_access_token\" \"run\" {}\n"))
	c.plan().wantError(t, "No access token could be had", "invalid_client")
}

// knows tells whether the service made this token.
func (w *world) knows(token string) error {
	if !slices.Contains(w.sim.Tokens(), token) {
		return errors.New("the service knows no such token")
	}
	return nil
}
