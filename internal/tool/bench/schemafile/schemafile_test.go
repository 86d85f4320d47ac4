package schemafile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/tool/bench/schemafile"
)

// What the floor provider reads is what this provider serves, attribute by
// attribute, so that both do the same work in a plan.
func TestSchemas_SurviveTheFile(t *testing.T) {
	t.Parallel()
	want, err := schemafile.Of(t.Context(), provider.NewServer("test", provider.Options{})())
	require.NoError(t, err)
	written, err := schemafile.Of(t.Context(), provider.NewServer("test", provider.Options{})())
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "schema.json")
	require.NoError(t, written.Write(path)) // keeps no type
	got, err := schemafile.Read(path)
	require.NoError(t, err)
	assert.Empty(t, cmp.Diff(want, got), "the file changed the schema")
	for _, name := range []string{"reseller_private_label", "reseller_assignment", "reseller_member", "reseller_package", "reseller_branding"} {
		s := got.Resources[name]
		require.NotNil(t, s, "%s has no attributes", name)
		assert.NotEmpty(t, s.Block.Attributes, "%s has no attributes", name)
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
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			s, err := schemafile.Read(path)
			assert.Error(t, err, "read as %+v", s)
		})
	}
	_, err := schemafile.Read(filepath.Join(t.TempDir(), "absent"))
	assert.Error(t, err, "an absent file was read")
}
