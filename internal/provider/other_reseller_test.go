package provider_test

import (
	"fmt"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// TestDestroy_UnderAnotherReseller applies a destroy plan that was saved under one API key with the API key of another
// reseller. That reseller has none of the objects, which proves nothing about them: the state keeps each.
func TestDestroy_UnderAnotherReseller(t *testing.T) {
	t.Parallel()
	for name, block := range map[string]func(*catalogued) string{
		"reseller_private_label": func(w *catalogued) string {
			return fmt.Sprintf(`
import {
  to = reseller_private_label.acme
  id = %q
}
resource "reseller_private_label" "acme" {
  domain          = %q
  deletion_policy = "DEPROVISION"
}
`, w.label, acmeHost)
		},
		"reseller_member": func(w *catalogued) string {
			return fmt.Sprintf(`
resource "reseller_member" "acme" {
  private_label_id = %q
  email            = %q
  first_name       = "Bob"
  last_name        = "Byte"
}
`, w.label, bobEmail)
		},
		"reseller_assignment": func(w *catalogued) string { return w.assignmentBlock(w.addons(2)) },
		"reseller_package": func(*catalogued) string {
			return `
resource "reseller_package" "acme" {
  code     = "OTHER"
  name     = "Other"
  currency = "EUR"
}
`
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newCatalogued(t, simulator.Assumptions{})
			rival, err := w.sim.AddReseller("rival.example")
			if err != nil {
				t.Fatal(err)
			}
			c := w.cli()
			w.env.set("RESELLER_API_KEY", w.sim.APIKey())
			c.config(fmt.Sprintf("provider \"reseller\" {\n  base_url = %q\n}\n", simulator.BaseURL) + block(w))
			c.apply().wantOK(t)
			c.plan("-destroy", "-out=destroy.plan")

			w.env.set("RESELLER_API_KEY", rival)
			before := len(w.sim.Labels())
			r := c.run("apply", "-no-color", "-input=false", "destroy.plan")
			address := name + ".acme"
			if _, kept := c.state()[address]; !kept {
				t.Errorf("%s left the state:\n%s", address, r.out)
			}
			if r.code == 0 {
				t.Errorf("the apply succeeded:\n%s", r.out)
			}
			if len(w.sim.Labels()) != before {
				t.Error("a private label is gone")
			}

			w.env.set("RESELLER_API_KEY", w.sim.APIKey())
			c.wantEmptyPlan()
		})
	}
}
