package provider_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Functions need neither an API key nor a base URL.
func functionTest(t *testing.T, steps ...resource.TestStep) {
	t.Helper()
	if providertest.IsTofu(t) {
		providertest.NeedsCLI(t, "1.10.0", "functions of a provider that is not configured")
	}
	w := providertest.NewTestEnv(t)
	resource.UnitTest(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)}, // provider functions
		ProtoV6ProviderFactories: w.Factories(),
		Steps:                    steps,
	})
	assert.Empty(t, w.Sim.Journal(), "calls")
}

const withFunctions = `
terraform {
  required_providers {
    reseller = { source = "hashicorp/reseller" }
  }
}
`

func TestFunctions(t *testing.T) {
	t.Parallel()
	var config strings.Builder
	var checks []statecheck.StateCheck
	for call, want := range map[string]knownvalue.Check{
		`api_key_id("rsl_live_0123456789abcdef0123456789abcdef_secretsecret")`: knownvalue.StringExact("0123456789abcdef0123456789abcdef"),
		`relative_record_name("sign.acme.example", "acme.example")`:            knownvalue.StringExact("sign"),
		`relative_record_name("a.b.Acme.example.", "ACME.example")`:            knownvalue.StringExact("a.b"),
		`relative_record_name("acme.example", "acme.example.")`:                knownvalue.StringExact("@"),
		`contrast_ratio("#fff", "#000000")`:                                    knownvalue.Float64Exact(21),
		`contrast_ratio("#123456", "#123456")`:                                 knownvalue.Float64Exact(1),
		`dns_instructions("sign.acme.example", [{ type = "CNAME", name = "sign.acme.example", value = "edge.portals.example" }])`: knownvalue.StringRegexp(
			regexp.MustCompile(`(?s)Type:  CNAME\n  Name:  sign .*Value: edge\.portals\.example\n.*dig \+short sign\.acme\.example CNAME`)),
		`dns_instructions("sign.acme.example", [null, { type = null, name = null, value = null }])`: knownvalue.StringRegexp(regexp.MustCompile(`no DNS record`)),
		`dns_instructions("sign.acme.example", [])`:                                                 knownvalue.StringRegexp(regexp.MustCompile(`no DNS record`)),
	} {
		output := fmt.Sprintf("call_%d", len(checks))
		fmt.Fprintf(&config, "output %q {\n  value = provider::reseller::%s\n}\n", output, call)
		checks = append(checks, statecheck.ExpectKnownOutputValue(output, want))
	}
	functionTest(t, resource.TestStep{Config: withFunctions + config.String(), ConfigStateChecks: checks})
}

func TestFunctions_BadArguments(t *testing.T) {
	t.Parallel()
	for call, want := range map[string]string{
		`api_key_id("nothing")`: `this is not an API key`,
		`relative_record_name("sign.acme.example", "other.example")`: `sign.acme.example is not in the\s+zone\s+other.example`,
		`relative_record_name("notacme.example", "acme.example")`:    `is not in the\s+zone`,
		`relative_record_name("", "acme.example")`:                   `the name is empty`,
		`relative_record_name("acme.example", "")`:                   `the zone is empty`,
		`contrast_ratio("red", "#000")`:                              `#rgb`,
		`contrast_ratio("#000", "#0000")`:                            `#rgb`,
	} {
		t.Run(call, func(t *testing.T) {
			t.Parallel()
			functionTest(t, resource.TestStep{
				Config:      withFunctions + fmt.Sprintf("output \"is\" {\n  value = provider::reseller::%s\n}\n", call),
				ExpectError: regexp.MustCompile(want),
			})
		})
	}
}
