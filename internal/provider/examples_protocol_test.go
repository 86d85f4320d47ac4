package provider_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
)

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
