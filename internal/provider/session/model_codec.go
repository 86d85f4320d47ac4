package session

import (
	"context"
	"fmt"
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// ModelCodec converts between the value of a resource and its model M, a struct of attr.Value with tfsdk tags. The
// framework's Get and Set do the same, but search for the fields on every call and compile a regular expression for
// each.
type ModelCodec[M any] struct {
	object tftypes.Object
	fields []modelField
}

type modelField struct {
	name  string
	index int
	typ   attr.Type
}

// NewModelCodec panics if the model does not have exactly the attributes of the schema.
func NewModelCodec[M any](r resource.Resource) *ModelCodec[M] {
	ctx := context.Background()
	var resp resource.SchemaResponse
	r.Schema(ctx, resource.SchemaRequest{}, &resp)
	c := &ModelCodec[M]{object: tftypes.Object{AttributeTypes: map[string]tftypes.Type{}}}
	model := reflect.TypeFor[M]()
	for i := range model.NumField() {
		name := model.Field(i).Tag.Get("tfsdk")
		attribute, ok := resp.Schema.Attributes[name]
		if !ok || reflect.TypeOf(attribute.GetType().ValueType(ctx)) != model.Field(i).Type {
			panic(fmt.Sprintf("%s.%s does not fit the schema", model, model.Field(i).Name))
		}
		c.fields = append(c.fields, modelField{name: name, index: i, typ: attribute.GetType()})
		c.object.AttributeTypes[name] = attribute.GetType().TerraformType(ctx)
	}
	if len(c.fields) != len(resp.Schema.Attributes) {
		panic(fmt.Sprintf("%s lacks attributes of the schema", model))
	}
	return c
}

// decode returns the model of an object that is not null.
func (c *ModelCodec[M]) decode(ctx context.Context, object tftypes.Value) (M, error) {
	var (
		m      M
		values map[string]tftypes.Value
	)
	if err := object.As(&values); err != nil {
		return m, err
	}
	into := reflect.ValueOf(&m).Elem()
	for _, f := range c.fields {
		value, err := f.typ.ValueFromTerraform(ctx, values[f.name])
		if err != nil {
			return m, fmt.Errorf("%s: %w", f.name, err)
		}
		into.Field(f.index).Set(reflect.ValueOf(value))
	}
	return m, nil
}

// Read returns the model of a state, as State.Get does.
func (c *ModelCodec[M]) Read(ctx context.Context, state tfsdk.State) (M, diag.Diagnostics) {
	m, err := c.decode(ctx, state.Raw)
	if err != nil {
		return m, diag.Diagnostics{diag.NewErrorDiagnostic(summaryState, err.Error())}
	}
	return m, nil
}

// SetIdentity sets an identity that has one attribute.
func SetIdentity(ctx context.Context, identity *tfsdk.ResourceIdentity, name string, id attr.Value) diag.Diagnostics {
	value, err := id.ToTerraformValue(ctx)
	if err != nil {
		return diag.Diagnostics{diag.NewErrorDiagnostic(summaryIdentity, err.Error())}
	}
	identity.Raw = tftypes.NewValue(identity.Raw.Type(), map[string]tftypes.Value{name: value})
	return nil
}

// Same reports whether the framework would keep every value of a state after a read that returned another model: it
// keeps a string that is semantically equal.
func (c *ModelCodec[M]) Same(ctx context.Context, before, after *M) bool {
	from, to := reflect.ValueOf(before).Elem(), reflect.ValueOf(after).Elem()
	for _, f := range c.fields {
		if !sameValue(ctx, valueAt(from, f), valueAt(to, f)) {
			return false
		}
	}
	return true
}

func valueAt(model reflect.Value, f modelField) attr.Value {
	value, _ := reflect.TypeAssert[attr.Value](model.Field(f.index)) // newModelCodec checked the type
	return value
}

func sameValue(ctx context.Context, before, after attr.Value) bool {
	if before.Equal(after) {
		return true
	}
	was, ok := before.(basetypes.StringValuableWithSemanticEquals)
	now, isText := after.(basetypes.StringValuable)
	if !ok || !isText || before.IsNull() || after.IsNull() || before.IsUnknown() || after.IsUnknown() {
		return false
	}
	same, diags := was.StringSemanticEquals(ctx, now)
	return same && !diags.HasError()
}
