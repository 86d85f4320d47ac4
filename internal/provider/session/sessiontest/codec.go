// Package sessiontest has checks for the tests of packages that use a session.
package sessiontest

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// CheckCodec asserts that a codec and the framework read equal models, for an object with the given values and
// otherwise nulls.
func CheckCodec[M any](t *testing.T, r resource.Resource, codec *session.ModelCodec[M], given map[string]tftypes.Value) {
	t.Helper()
	var resp resource.SchemaResponse
	r.Schema(t.Context(), resource.SchemaRequest{}, &resp)
	object, ok := resp.Schema.Type().TerraformType(t.Context()).(tftypes.Object)
	if !ok {
		t.Fatal("the schema is no object")
	}
	values := map[string]tftypes.Value{}
	for name, typ := range object.AttributeTypes {
		values[name] = tftypes.NewValue(typ, nil)
		if value, ok := given[name]; ok {
			values[name] = value
		}
	}
	state := tfsdk.State{Schema: resp.Schema, Raw: tftypes.NewValue(object, values)}
	var want M
	diags := state.Get(t.Context(), &want)
	got, own := codec.Read(t.Context(), state)
	if diags.HasError() || own.HasError() {
		t.Fatalf("%v, %v", diags, own)
	}
	if !codec.Same(t.Context(), &want, &got) || !codec.Same(t.Context(), &got, &want) {
		t.Errorf("%T: read %v, want %v", got, got, want)
	}
}

// Text returns a string value.
func Text(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }
