package acceptance

import (
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// withOtherData plans a state with another data file than it was written with. An object of the type is an error, and the
// state stays unchanged.
func (p project) withOtherData(typeName string) {
	p.T.Helper()
	before := p.Read("terraform.tfstate")
	require.NoError(p.T, os.Remove(filepath.Join(p.Dir, providertest.SimulatorFile)))
	rejected := p.rejected()
	p.File("resource.tf", "")
	maps.Copy(rejected, p.rejected("-refresh=false")) // dependent objects are planned first
	assert.True(p.T, rejected[typeName], "rejected were %v", rejected)
	assert.Equal(p.T, before, p.Read("terraform.tfstate"), "the state was changed")
}

// rejected are the types of the objects that a plan rejects because of their data file. It has no other error.
func (p project) rejected(options ...string) map[string]bool {
	p.T.Helper()
	planned := p.Plan(options...)
	planned.WantError(p.T)
	types := map[string]bool{}
	for _, d := range planned.Diagnostics {
		if !d.IsError() {
			continue
		}
		object, found := strings.CutPrefix(d.Detail, "This ")
		require.True(p.T, found, d)
		assert.Equal(p.T, session.SummaryOtherSimulator, d.Summary)
		typeName, _, _ := strings.Cut(object, " ")
		types[typeName] = true
	}
	return types
}
