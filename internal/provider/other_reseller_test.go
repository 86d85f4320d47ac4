package provider_test

import (
	"fmt"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/estate"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// TestDestroy_UnderAnotherReseller applies a destroy plan that was saved under one API key with the API key of another
// reseller. That reseller has none of the objects, which does not prove that they are absent: the state keeps each.
func TestDestroy_UnderAnotherReseller(t *testing.T) {
	t.Parallel()
	blocks := map[string]func(*providertest.AssignmentEnv) string{
		"reseller_private_label": func(w *providertest.AssignmentEnv) string {
			return fmt.Sprintf(`
import {
  to = reseller_private_label.acme
  id = %q
}
resource "reseller_private_label" "acme" {
  domain          = %q
  deletion_policy = "DEPROVISION"
}
`, w.Label, providertest.AcmeHost)
		},
		"reseller_member": func(w *providertest.AssignmentEnv) string {
			return fmt.Sprintf(`
resource "reseller_member" "acme" {
  private_label_id = %q
  email            = %q
  first_name       = "Bob"
  last_name        = "Byte"
}
`, w.Label, providertest.BobEmail)
		},
		"reseller_assignment": func(w *providertest.AssignmentEnv) string { return w.AssignmentBlock(w.Addons(2)) },
		"reseller_package": func(*providertest.AssignmentEnv) string {
			return `
resource "reseller_package" "acme" {
  code     = "OTHER"
  name     = "Other"
  currency = "EUR"
}
`
		},
		"reseller_addon": func(*providertest.AssignmentEnv) string {
			return `
resource "reseller_addon" "acme" {
  code            = "OTHER"
  name            = "Other"
  deletion_policy = "ABANDON"
}
`
		},
		"reseller_members": func(w *providertest.AssignmentEnv) string {
			return fmt.Sprintf("resource \"reseller_members\" \"acme\" {\n  private_label_id = %q\n  members = {}\n}\n", w.Label)
		},
		"reseller_branding": func(*providertest.AssignmentEnv) string {
			return fmt.Sprintf("resource \"reseller_branding\" \"acme\" {\n  domain = %q\n  color_primary = \"#0a4\"\n}\n", providertest.AcmeHost)
		},
		"reseller_domain_verification": func(w *providertest.AssignmentEnv) string {
			return fmt.Sprintf("resource \"reseller_domain_verification\" \"acme\" {\n  private_label_id = %q\n  required = false\n  timeouts = { create = \"0s\" }\n}\n", w.Label)
		},
	}
	for _, typ := range estate.Types {
		if blocks[typ] == nil {
			t.Errorf("%s is not destroyed under the key of another reseller: write its block here", typ)
		}
	}
	for name, block := range blocks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, simulator.Forms{})
			rival, err := w.Sim.AddReseller("rival.example")
			if err != nil {
				t.Fatal(err)
			}
			c := w.Cli()
			w.Env.Set("RESELLER_API_KEY", w.Sim.APIKey())
			c.Config(fmt.Sprintf("provider \"reseller\" {\n  base_url = %q\n}\n", simulator.BaseURL) + block(w))
			c.Apply().WantOK(t)
			c.Plan("-destroy", "-out=destroy.plan")

			w.Env.Set("RESELLER_API_KEY", rival)
			before := len(w.Sim.Labels())
			r := c.Run("apply", "-no-color", "-input=false", "destroy.plan")
			address := name + ".acme"
			if _, kept := c.State()[address]; !kept {
				t.Errorf("%s left the state:\n%s", address, r.Out)
			}
			if r.Code == 0 {
				t.Errorf("the apply succeeded:\n%s", r.Out)
			}
			if len(w.Sim.Labels()) != before {
				t.Error("a private label is gone")
			}

			w.Env.Set("RESELLER_API_KEY", w.Sim.APIKey())
			c.WantEmptyPlan()
		})
	}
}
