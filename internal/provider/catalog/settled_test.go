package catalog_test

import (
	"testing"

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
		if steps, more := one.Plan(config); !one.Unchanged(steps) || len(told)+len(more) > 0 {
			t.Errorf("the plan has changes: %v %v", told, more)
		}
		return w.Answered.Load() - before
	}
	if n := answered(config); n != 2 {
		t.Errorf("%d answers without the framework, want 2", n)
	}
	for name, value := range map[string]any{"deletion_policy": "ABANDON", "active": false} {
		other := config.With(providertest.Values{name: value})
		one.Apply(other)
		if n := answered(other); n != 1 {
			t.Errorf("%s: %d answers without the framework, want that of the read", name, n)
		}
		if steps, _ := one.Plan(config); one.Unchanged(steps) {
			t.Errorf("the default of %s is not planned", name)
		}
		one.Apply(config)
	}
	w.UpdateItem("package", w.PackageID("GOLD"), `"name":"Golden"`)
	before := w.Answered.Load()
	one.Read()
	if n := w.Answered.Load() - before; n != 0 {
		t.Errorf("%d answers without the framework for a read that changes the state", n)
	}
}
