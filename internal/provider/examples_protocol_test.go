package provider_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
)

// The examples of actions and list resources are run if the CLI supports these; with every CLI, a test checks that they
// fit their schemas.
func TestExamples_FitTheirSchemas(t *testing.T) {
	t.Parallel()
	schemas, err := provider.NewServer("test", provider.Options{})().GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]map[string]*tfprotov6.Schema{"action": {}, "list": schemas.ListResourceSchemas}
	for name, action := range schemas.ActionSchemas {
		kinds["action"][name] = action.Schema
	}
	for kind, pattern := range map[string]string{"action": "actions/*/action.tf", "list": "list-resources/*/*.tfquery.hcl"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "examples", pattern))
		if err != nil {
			t.Fatal(err)
		}
		if len(files) != len(kinds[kind]) {
			t.Errorf("%d examples of %d in %s", len(files), len(kinds[kind]), pattern)
		}
		for _, file := range files {
			t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
				t.Parallel()
				for _, block := range blocksOf(t, file) {
					schema := kinds[kind][block.Labels[0]]
					if block.Type != kind || schema == nil {
						t.Fatalf("%s %q is none of the provider's", block.Type, block.Labels[0])
					}
					fits(t, configOf(block), schema)
				}
			})
		}
	}
}

func blocksOf(t *testing.T, file string) hclsyntax.Blocks {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parsed, diags := hclsyntax.ParseConfig(text, file, hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	body, ok := parsed.Body.(*hclsyntax.Body)
	if !ok || len(body.Blocks) == 0 {
		t.Fatalf("%s has no blocks", file)
	}
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

func fits(t *testing.T, config hclsyntax.Attributes, schema *tfprotov6.Schema) {
	t.Helper()
	known := map[string]bool{}
	for _, attribute := range schema.Block.Attributes {
		known[attribute.Name] = true
		if _, set := config[attribute.Name]; attribute.Required && !set {
			t.Errorf("%s is required", attribute.Name)
		}
	}
	for name := range config {
		if !known[name] {
			t.Errorf("there is no %s", name)
		}
	}
}
