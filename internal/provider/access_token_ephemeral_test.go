package provider_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/echoprovider"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// An ephemeral value is in no state: a provider that echoes it shows it.
func TestAccessToken(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnvAssuming(t, simulator.Forms{"scope-list": "commas"})
	echoed := func(name string) tfjsonpath.Path { return tfjsonpath.New("data").AtMapKey(name) }
	resource.UnitTest(t, resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_10_0)}, // ephemeral resources
		ProtoV6ProviderFactories: map[string]func() (tfprotov6.ProviderServer, error){
			"reseller": w.Server, "echo": echoprovider.NewProviderServer(),
		},
		Steps: []resource.TestStep{{
			Config: w.Config(`
ephemeral "reseller_access_token" "run" {}
provider "echo" {
  data = ephemeral.reseller_access_token.run
}
resource "echo" "token" {}
`),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue("echo.token", echoed("access_token"), knownvalue.StringFunc(func(token string) error { return w.Knows(token) })),
				statecheck.ExpectKnownValue("echo.token", echoed("expires_at"), knownvalue.StringExact("2026-03-14T10:00:00Z")),
				statecheck.ExpectKnownValue("echo.token", echoed("scopes"), knownvalue.ListSizeExact(3)),
			},
		}},
	})
	if n := w.Calls(providertest.RouteToken); n != 1 || len(w.Sim.Journal()) != 1 {
		t.Errorf("%d exchanges, %d calls in all, want one", n, len(w.Sim.Journal()))
	}
}

// A configured access token is passed on without a token exchange, and is not in state.
func TestAccessToken_Given(t *testing.T) {
	t.Parallel()
	providertest.NeedsCLI(t, "1.10.0", "the ephemeral resource")
	w := providertest.NewTestEnv(t)
	token := w.Exchange()
	w.Sim.ResetJournal()
	w.Env.Set("RESELLER_ACCESS_TOKEN", token)
	c := w.Cli()
	c.Config(strings.Replace(w.Config("ephemeral \"reseller_access_token\" \"run\" {}\n"+providertest.Label("acme", providertest.AcmeHost, "")), "api_key", "#", 1))
	c.Apply().WantOK(t)
	assert.Equal(t, 0, w.Calls(providertest.RouteToken), "exchanges")
	state, err := os.ReadFile(filepath.Join(c.Dir, "terraform.tfstate"))
	require.NoError(t, err)
	assert.NotContains(t, string(state), token, "the token is in the state")
}

func TestAccessToken_Refused(t *testing.T) {
	t.Parallel()
	providertest.NeedsCLI(t, "1.10.0", "the ephemeral resource")
	w := providertest.NewTestEnv(t)
	w.Key = w.Sim.APIKey() + "x"
	c := w.Cli()
	c.Config(w.Config("ephemeral \"reseller_access_token\" \"run\" {}\n"))
	c.Plan().WantError(t, diagnostic.SummaryInvalidKey, "No access token was received", "invalid_client")
}
