package catalog_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// A setting that the API does not keep, such as a misspelled one, is a warning after a create, a difference in the next plan
// and an error after an update.
func TestItem_SettingsDropped(t *testing.T) {
	t.Parallel()
	for name, forms := range map[string]simulator.Forms{
		"":                    {"settings": "dropped"},
		"no row has settings": {"settings": "dropped", "search-rows": "summaries"},
		"changes alone":       {"settings": "dropped", "update-whole": "rejected"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnvAssuming(t, forms)
			config := func(price string) string {
				return w.Config(providertest.Item("package", "gold", "GOLD", "settings = { montlyPrice = "+price+", included = { seats = 5 } }"))
			}
			c := coretest.New(t, w)
			c.Config(config("4900"))
			r := c.Apply()
			r.WantOK(t, "1 added")
			assert.Contains(t, r.Out, "Values were not kept by the API")
			assert.Contains(t, r.Out, "settings.montlyPrice")
			assert.NotContains(t, r.Out, "settings.included", "it was kept")
			p := c.Plan()
			assert.Contains(t, p.Out, "1 to change", "the next plan shows the difference")
			c.Config(config("5900"))
			r = c.Apply()
			r.WantError(t, "GOLD", "do not show montlyPrice")
			c.Config(strings.Replace(config("0"), "montlyPrice = 0, ", "", 1))
			c.Apply().WantOK(t)
			c.WantEmptyPlan()
		})
	}
}

// A number that the API shows as text is the same number, and a rename succeeds.
func TestItem_SettingsAsText(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnvAssuming(t, simulator.Forms{"settings": "text"})
	config := w.Config(providertest.Item("package", "gold", "GOLD", "settings = { monthlyPrice = 4900 }"))
	c := coretest.New(t, w)
	c.Config(config)
	r := c.Apply()
	r.WantOK(t, "1 added")
	assert.NotContains(t, r.Out, "not kept")
	c.WantEmptyPlan()
	c.Config(strings.Replace(config, `"Gold"`, `"Golden"`, 1))
	c.Apply().WantOK(t, "1 changed")
	c.WantEmptyPlan()
	c.Config(strings.Replace(strings.Replace(config, `"Gold"`, `"Golden"`, 1), "4900", "5900", 1))
	c.Apply().WantOK(t, "1 changed")
	c.WantEmptyPlan()
}
