package object

import (
	"context"
	"fmt"
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
)

// Fields are the attributes of a model, by name.
type Fields map[string]Field

// Field is where a model has an attribute.
type Field struct {
	Index     []int
	Attribute schema.Attribute
}

// Of returns the attribute of a model.
func (f Field) Of(model reflect.Value) attr.Value {
	value, _ := reflect.TypeAssert[attr.Value](model.FieldByIndex(f.Index))
	return value
}

// NewFields panics if the model does not have exactly the attributes of the schema: every test of the type finds it.
func NewFields(model reflect.Type, s schema.Schema) Fields {
	fields := Fields{}
	for _, field := range reflect.VisibleFields(model) {
		name := field.Tag.Get("tfsdk")
		if name == "" {
			continue // an embedded struct, whose fields follow
		}
		attribute, ok := s.Attributes[name]
		if !ok || reflect.TypeOf(attribute.GetType().ValueType(context.Background())) != field.Type {
			panic(fmt.Sprintf("%s.%s does not fit the schema", model, field.Name))
		}
		fields[name] = Field{Index: field.Index, Attribute: attribute}
	}
	if len(fields) != len(s.Attributes) {
		panic(fmt.Sprintf("%s lacks attributes of the schema", model))
	}
	return fields
}

// attribute returns an attribute of a model by its name, nil for none.
func (fields Fields) attribute(model any, name string) attr.Value {
	f, ok := fields[name]
	if !ok {
		return nil
	}
	return f.Of(reflect.ValueOf(model).Elem())
}

// text returns a string attribute of a model, "" if it is null, unknown or none of the model's.
func (fields Fields) text(model any, name string) string {
	if text, ok := fields.attribute(model, name).(interface{ ValueString() string }); ok {
		return text.ValueString()
	}
	return ""
}

// copy sets attributes of a model to those of another one.
func (fields Fields) copy(to, from any, names []string) {
	source := reflect.ValueOf(from).Elem()
	target := reflect.ValueOf(to).Elem()
	for _, name := range names {
		target.FieldByIndex(fields[name].Index).Set(source.FieldByIndex(fields[name].Index))
	}
}

// Same reports whether the framework would keep every value of a state after a read that returned another model: it
// keeps a string that is semantically equal.
func (fields Fields) Same(ctx context.Context, before, after any) bool {
	from := reflect.ValueOf(before).Elem()
	to := reflect.ValueOf(after).Elem()
	for _, f := range fields {
		if !sameValue(ctx, f.Of(from), f.Of(to)) {
			return false
		}
	}
	return true
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
