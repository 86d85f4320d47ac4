package provider

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// A codec reads what the framework reads.
func TestModelCodec_ReadsAsTheFramework(t *testing.T) {
	t.Parallel()
	text := func(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }
	readsAlike(t, newMemberResource(), memberCodec(), map[string]tftypes.Value{"email": text("Bob@acme.example"), "created_at": text("2026-03-14T09:00:00Z")})
	readsAlike(t, newBrandingResource(), brandingCodec(), map[string]tftypes.Value{"domain": text(""), "color_primary": text("#0A4")})
	readsAlike(t, newPackageResource(), itemCodec(), map[string]tftypes.Value{"active": tftypes.NewValue(tftypes.Bool, true), "settings": tftypes.NewValue(tftypes.String, "one")})
	readsAlike(t, newAddonResource(), itemCodec(), map[string]tftypes.Value{"code": text("gold")})
	readsAlike(t, newAssignmentResource(), assignmentCodec(), map[string]tftypes.Value{
		"addons": tftypes.NewValue(tftypes.Map{ElementType: tftypes.Number}, map[string]tftypes.Value{"SEATS": tftypes.NewValue(tftypes.Number, 2)}),
	})
}

// readsAlike compares the two for an object with the given values and nulls.
func readsAlike[M any](t *testing.T, r resource.Resource, codec *modelCodec[M], given map[string]tftypes.Value) {
	t.Helper()
	var resp resource.SchemaResponse
	r.Schema(t.Context(), resource.SchemaRequest{}, &resp)
	values := map[string]tftypes.Value{}
	for name, typ := range codec.object.AttributeTypes {
		values[name] = tftypes.NewValue(typ, nil)
		if value, ok := given[name]; ok {
			values[name] = value
		}
	}
	state := tfsdk.State{Schema: resp.Schema, Raw: tftypes.NewValue(codec.object, values)}
	var want M
	diags := state.Get(t.Context(), &want)
	got, own := codec.read(t.Context(), state)
	if diags.HasError() || own.HasError() {
		t.Fatalf("%v, %v", diags, own)
	}
	if !codec.same(t.Context(), &want, &got) || !codec.same(t.Context(), &got, &want) {
		t.Errorf("%T: read %v, want %v", got, got, want)
	}
}

func TestModelCodec_SameIsByMeaning(t *testing.T) {
	t.Parallel()
	one := memberModel{Email: newText[emailKind]("Bob@acme.example"), Role: types.StringValue("member")}
	spelled, other, null := one, one, one
	spelled.Email = newText[emailKind]("bob@acme.example")
	other.Role = types.StringValue("MEMBER")
	null.Email = textValue[emailKind]{}
	for name, tc := range map[string]struct {
		model memberModel
		want  bool
	}{"the same": {one, true}, "another spelling": {spelled, true}, "another role": {other, false}, "null": {null, false}} {
		if got := memberCodec().same(t.Context(), &one, &tc.model); got != tc.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
