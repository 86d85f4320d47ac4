package acceptance

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// withOtherData plans a state with another data file than it was written with. An object of the type is an error, and the
// state stays unchanged.
func withOtherData(t *testing.T, dir, rc, typeName string) {
	t.Helper()
	before, err := os.ReadFile(filepath.Join(dir, "terraform.tfstate"))
	require.NoError(t, err)
	require.NoError(t, os.Remove(filepath.Join(dir, providertest.SimulatorFile)))
	rejected := rejectedIn(t, dir, rc)
	write(t, filepath.Join(dir, "example.tf"), "")
	maps.Copy(rejected, rejectedIn(t, dir, rc, "-refresh=false")) // dependent objects are planned first
	require.NotEmpty(t, rejected, "rejected were %v", rejected)
	assert.True(t, rejected[typeName], "rejected were %v", rejected)
	after, err := os.ReadFile(filepath.Join(dir, "terraform.tfstate"))
	require.NoError(t, err, "the state was changed")
	assert.Equal(t, before, after, "the state was changed")
}

// rejectedIn are the types of the objects that a plan rejects because of their data file. It has no other error.
func rejectedIn(t *testing.T, dir, rc string, options ...string) map[string]bool {
	t.Helper()
	out, err := tryCLI(t, dir, rc, append([]string{"plan", "-json", "-input=false"}, options...)...)
	assert.Error(t, err, "a plan with other data succeeds:\n%s", out)
	types := map[string]bool{}
	for line := range strings.Lines(out) {
		var message struct {
			Diagnostic struct{ Severity, Summary, Detail string } `json:"diagnostic"`
		}
		if json.Unmarshal([]byte(line), &message) != nil || message.Diagnostic.Severity != "error" {
			continue
		}
		_, object, found := strings.Cut(message.Diagnostic.Detail, "written with other simulator data: this ")
		require.True(t, found, line)
		assert.Equal(t, session.SummaryOtherSimulator, message.Diagnostic.Summary, line)
		typeName, _, _ := strings.Cut(object, " ")
		types[typeName] = true
	}
	return types
}
