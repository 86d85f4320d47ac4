package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// The short path of a plan keeps every proposed value, so it leaves an attribute that is not at its default to the
// framework: the configuration may no longer set it.
func TestSettled_Package(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	w.Compares = true
	one := w.Protocol().Walker("reseller_package")
	config := providertest.Values{"code": "GOLD", "name": "Gold", "currency": "EUR"}
	one.Apply(config)
	answered := func(config providertest.Values) int64 {
		t.Helper()
		before := w.Answered.Load()
		told := one.Read()
		steps, more := one.Plan(config)
		assert.True(t, one.Unchanged(steps), "the plan has changes: %v %v", told, more)
		assert.LessOrEqual(t, len(told)+len(more), 0, "the plan has changes: %v %v", told, more)
		return w.Answered.Load() - before
	}
	assert.Equal(t, int64(2), answered(config), "answers without the framework")
	for name, value := range map[string]any{"deletion_policy": "ABANDON", "active": false} {
		other := config.With(providertest.Values{name: value})
		one.Apply(other)
		assert.Equal(t, int64(1), answered(other), "%s: answers without the framework", name)
		steps, _ := one.Plan(config)
		assert.False(t, one.Unchanged(steps), "the default of %s is not planned", name)
		one.Apply(config)
	}
	w.UpdateItem("package", w.PackageID("GOLD"), `"name":"Golden"`)
	before := w.Answered.Load()
	one.Read()
	assert.Equal(t, int64(0), w.Answered.Load()-before, "answers without the framework for a read that changes the state")
}
