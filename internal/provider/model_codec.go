package provider

import (
	"context"
	"fmt"
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// modelCodec converts between the value of a resource and its model M, a struct of attr.Value with tfsdk tags. The
// framework's Get and Set do the same, but look for the fields on every call and compile a regular expression for each.
type modelCodec[M any] struct {
	object tftypes.Object
	fields []modelField
}

type modelField struct {
	name  string
	index int
	typ   attr.Type
}

// newModelCodec panics when the model does not have exactly the attributes of the schema.
func newModelCodec[M any](r resource.Resource) *modelCodec[M] {
	ctx := context.Background()
	var resp resource.SchemaResponse
	r.Schema(ctx, resource.SchemaRequest{}, &resp)
	c := &modelCodec[M]{object: tftypes.Object{AttributeTypes: map[string]tftypes.Type{}}}
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
func (c *modelCodec[M]) decode(ctx context.Context, object tftypes.Value) (M, error) {
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

// encode returns the object of a model.
func (c *modelCodec[M]) encode(ctx context.Context, m *M) (tftypes.Value, error) {
	values := make(map[string]tftypes.Value, len(c.fields))
	from := reflect.ValueOf(m).Elem()
	for _, f := range c.fields {
		value, err := valueAt(from, f).ToTerraformValue(ctx)
		if err != nil {
			return tftypes.Value{}, fmt.Errorf("%s: %w", f.name, err)
		}
		values[f.name] = value
	}
	return tftypes.NewValue(c.object, values), nil
}

// same reports whether the framework would keep every value of a state after a read that returned another model: a
// text is kept where the new one means the same.
func (c *modelCodec[M]) same(ctx context.Context, before, after *M) bool {
	from, to := reflect.ValueOf(before).Elem(), reflect.ValueOf(after).Elem()
	for _, f := range c.fields {
		if !sameValue(ctx, valueAt(from, f), valueAt(to, f)) {
			return false
		}
	}
	return true
}

func valueAt(model reflect.Value, f modelField) attr.Value {
	value, _ := reflect.TypeAssert[attr.Value](model.Field(f.index)) // newModelCodec saw to it
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
