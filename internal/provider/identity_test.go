package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// CLIs before 1.12 do not support identities, so this uses the protocol.
func TestIdentity(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	if err := w.Sim.Seed(3); err != nil {
		t.Fatal(err)
	}
	l := w.Sim.Labels()[0]
	p := w.Protocol()
	for typeName, tc := range map[string]struct{ attribute, id, check, want string }{
		"reseller_private_label": {"id", l.ID, "domain", l.Host},
		"reseller_package":       {"id", w.Sim.Packages()[0].ID, "code", w.Sim.Packages()[0].Code},
		"reseller_addon":         {"id", w.Sim.Addons()[0].ID, "code", w.Sim.Addons()[0].Code},
		"reseller_assignment":    {"private_label_id", l.ID, "package_code", l.Package},
		"reseller_members":       {"private_label_id", l.ID, "id", l.ID},
		"reseller_branding":      {"domain", l.Host, "id", l.Host},

		"reseller_domain_verification": {"private_label_id", l.ID, "domain", l.Host},
	} {
		state := p.ImportBy(typeName, tc.attribute, tc.id)
		if !state[tc.check].Equal(tftypes.NewValue(tftypes.String, tc.want)) {
			t.Errorf("%s: %s is %s, want %s", typeName, tc.check, state[tc.check], tc.want)
		}
	}
}
