package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// importBy imports by identity and reads what was imported.
func (p *protocol) importBy(typeName, attribute, id string) map[string]tftypes.Value {
	p.t.Helper()
	typ := tftypes.Object{AttributeTypes: map[string]tftypes.Type{attribute: tftypes.String}}
	identity, err := tfprotov6.NewDynamicValue(typ, tftypes.NewValue(typ, map[string]tftypes.Value{attribute: tftypes.NewValue(tftypes.String, id)}))
	if err != nil {
		p.t.Fatal(err)
	}
	imported, err := p.server.ImportResourceState(p.t.Context(), &tfprotov6.ImportResourceStateRequest{
		TypeName: typeName, Identity: &tfprotov6.ResourceIdentityData{IdentityData: &identity},
	})
	if err != nil {
		p.t.Fatal(err)
	}
	p.wantNone(imported.Diagnostics)
	if len(imported.ImportedResources) != 1 {
		p.t.Fatalf("%d resources were imported", len(imported.ImportedResources))
	}
	one := imported.ImportedResources[0]
	read, err := p.server.ReadResource(p.t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: typeName, CurrentState: one.State, Private: one.Private, CurrentIdentity: one.Identity,
	})
	if err != nil {
		p.t.Fatal(err)
	}
	p.wantNone(read.Diagnostics)
	told, err := read.NewIdentity.IdentityData.Unmarshal(typ)
	if err != nil {
		p.t.Fatal(err)
	}
	var fields map[string]tftypes.Value
	if err := told.As(&fields); err != nil {
		p.t.Fatal(err)
	}
	if !fields[attribute].Equal(tftypes.NewValue(tftypes.String, id)) {
		p.t.Errorf("identity %s, want %s", fields[attribute], id)
	}
	state, err := read.NewState.Unmarshal(p.schema.ResourceSchemas[typeName].Block.ValueType())
	if err != nil {
		p.t.Fatal(err)
	}
	var out map[string]tftypes.Value
	if err := state.As(&out); err != nil {
		p.t.Fatal(err)
	}
	return out
}

// CLIs before 1.12 know no identity, so this goes through the protocol.
func TestIdentity(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := w.sim.Seed(3); err != nil {
		t.Fatal(err)
	}
	l := w.sim.Labels()[0]
	p := w.protocol()
	for typeName, tc := range map[string]struct{ attribute, id, check, want string }{
		"reseller_private_label": {"id", l.ID, "domain", l.Host},
		"reseller_package":       {"id", w.sim.Packages()[0].ID, "code", w.sim.Packages()[0].Code},
		"reseller_addon":         {"id", w.sim.Addons()[0].ID, "code", w.sim.Addons()[0].Code},
		"reseller_assignment":    {"private_label_id", l.ID, "package_code", l.Package},
		"reseller_branding":      {"domain", l.Host, "id", l.Host},

		"reseller_domain_verification": {"private_label_id", l.ID, "domain", l.Host},
	} {
		state := p.importBy(typeName, tc.attribute, tc.id)
		if !state[tc.check].Equal(tftypes.NewValue(tftypes.String, tc.want)) {
			t.Errorf("%s: %s is %s, want %s", typeName, tc.check, state[tc.check], tc.want)
		}
	}
}
