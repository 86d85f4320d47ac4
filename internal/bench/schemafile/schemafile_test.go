package schemafile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/privatelabels/terraform-provider-reseller/internal/bench/schemafile"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
)

// What the floor provider reads is what this provider serves, attribute by
// attribute, so that both do the same work in a plan.
func TestSchemas_SurviveTheFile(t *testing.T) {
	t.Parallel()
	want, err := schemafile.Of(t.Context(), provider.NewServer("test", provider.Options{})())
	if err != nil {
		t.Fatal(err)
	}
	written, err := schemafile.Of(t.Context(), provider.NewServer("test", provider.Options{})())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "schema.json")
	if err := written.Write(path); err != nil { // keeps no type
		t.Fatal(err)
	}
	got, err := schemafile.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the file changed the schema (-want +got):\n%s", diff)
	}
	for _, name := range []string{"reseller_private_label", "reseller_assignment", "reseller_member", "reseller_package", "reseller_branding"} {
		if s := got.Resources[name]; s == nil || len(s.Block.Attributes) == 0 {
			t.Errorf("%s has no attributes", name)
		}
	}
}

func TestRead_RejectsOtherFiles(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"empty":        "",
		"no JSON":      "schema",
		"no schema":    "{}",
		"unknown type": `{"Provider":{"Block":{"Attributes":[{"Name":"x"}]}},"Types":["word"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "schema.json")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if s, err := schemafile.Read(path); err == nil {
				t.Errorf("read as %+v", s)
			}
		})
	}
	if _, err := schemafile.Read(filepath.Join(t.TempDir(), "absent")); err == nil {
		t.Error("an absent file was read")
	}
}
