package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// The short path of a plan keeps every proposed value, so it leaves an attribute that is not at its default to the
// framework: the configuration may no longer set it.
func TestSettled_Package(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	w.Compares = true
	walker := coretest.NewWalker(t, w.Protocol(), "reseller_package")
	config := providertest.Values{"code": "GOLD", "name": "Gold", "currency": "EUR"}
	walker.Apply(config)
	answered := func(config providertest.Values) int64 {
		t.Helper()
		before := w.Answered.Load()
		told := walker.Read()
		unchanged, more := walker.Plan(config)
		assert.True(t, unchanged, "the plan has changes: %v %v", told, more)
		assert.LessOrEqual(t, len(told)+len(more), 0, "the plan has changes: %v %v", told, more)
		return w.Answered.Load() - before
	}
	assert.Equal(t, int64(2), answered(config), "answers without the framework")
	for name, value := range map[string]any{"deletion_policy": "ABANDON", "active": false} {
		other := config.With(providertest.Values{name: value})
		walker.Apply(other)
		assert.Equal(t, int64(1), answered(other), "%s: answers without the framework", name)
		unchanged, _ := walker.Plan(config)
		assert.False(t, unchanged, "the default of %s is not planned", name)
		walker.Apply(config)
	}
	w.UpdateItem("package", w.PackageID("GOLD"), `"name":"Golden"`)
	before := w.Answered.Load()
	walker.Read()
	assert.Equal(t, int64(0), w.Answered.Load()-before, "answers without the framework for a read that changes the state")
}
