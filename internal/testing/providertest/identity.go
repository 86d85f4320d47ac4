package providertest

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// ImportBy imports by identity and reads what was imported.
func (p *Protocol) ImportBy(typeName, attribute, id string) map[string]tftypes.Value {
	p.t.Helper()
	typ := tftypes.Object{AttributeTypes: map[string]tftypes.Type{attribute: tftypes.String}}
	identity, err := tfprotov6.NewDynamicValue(typ, tftypes.NewValue(typ, map[string]tftypes.Value{attribute: tftypes.NewValue(tftypes.String, id)}))
	if err != nil {
		p.t.Fatal(err)
	}
	imported, err := p.Server.ImportResourceState(p.t.Context(), &tfprotov6.ImportResourceStateRequest{
		TypeName: typeName, Identity: &tfprotov6.ResourceIdentityData{IdentityData: &identity},
	})
	if err != nil {
		p.t.Fatal(err)
	}
	p.WantNone(imported.Diagnostics)
	if len(imported.ImportedResources) != 1 {
		p.t.Fatalf("%d resources were imported", len(imported.ImportedResources))
	}
	one := imported.ImportedResources[0]
	read, err := p.Server.ReadResource(p.t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: typeName, CurrentState: one.State, Private: one.Private, CurrentIdentity: one.Identity,
	})
	if err != nil {
		p.t.Fatal(err)
	}
	p.WantNone(read.Diagnostics)
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
	state, err := read.NewState.Unmarshal(p.Schema.ResourceSchemas[typeName].Block.ValueType())
	if err != nil {
		p.t.Fatal(err)
	}
	var out map[string]tftypes.Value
	if err := state.As(&out); err != nil {
		p.t.Fatal(err)
	}
	return out
}
