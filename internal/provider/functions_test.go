package provider_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
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

// The examples of actions and list resources are run if the CLI supports these; with every CLI, a test checks that they
// fit their schemas.
func TestExamples_FitTheirSchemas(t *testing.T) {
	t.Parallel()
	schemas, err := provider.NewServer("test", provider.Options{})().GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	require.NoError(t, err)
	kinds := map[string]map[string]*tfprotov6.Schema{"action": {}, "list": schemas.ListResourceSchemas}
	for name, action := range schemas.ActionSchemas {
		kinds["action"][name] = action.Schema
	}
	for kind, pattern := range map[string]string{"action": "actions/*/action.tf", "list": "list-resources/*/*.tfquery.hcl"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "examples", pattern))
		require.NoError(t, err)
		assert.Len(t, files, len(kinds[kind]), "examples of in %s", pattern)
		for _, file := range files {
			t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
				t.Parallel()
				for _, block := range blocksOf(t, file) {
					schema := kinds[kind][block.Labels[0]]
					if block.Type != kind || schema == nil {
						t.Fatalf("%s %q is none of the provider's", block.Type, block.Labels[0])
					}
					wantFits(t, configOf(block), schema)
				}
			})
		}
	}
}

func blocksOf(t *testing.T, file string) hclsyntax.Blocks {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	parsed, diags := hclsyntax.ParseConfig(text, file, hcl.InitialPos)
	require.False(t, diags.HasErrors(), diags)
	body, ok := parsed.Body.(*hclsyntax.Body)
	require.True(t, ok, "%s has no blocks", file)
	require.NotEmpty(t, body.Blocks, "%s has no blocks", file)
	return body.Blocks
}

func configOf(block *hclsyntax.Block) hclsyntax.Attributes {
	for _, inner := range block.Body.Blocks {
		if inner.Type == "config" {
			return inner.Body.Attributes
		}
	}
	return nil
}

func wantFits(t *testing.T, config hclsyntax.Attributes, schema *tfprotov6.Schema) {
	t.Helper()
	known := map[string]bool{}
	for _, attribute := range schema.Block.Attributes {
		known[attribute.Name] = true
		if _, set := config[attribute.Name]; attribute.Required && !set {
			t.Errorf("%s is required", attribute.Name)
		}
	}
	for name := range config {
		assert.True(t, known[name], "there is no %s", name)
	}
}
