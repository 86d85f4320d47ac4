package shortpath

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/defaults"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
)

// decoder reads a state into its model as the framework does, which would take most of the time of the short path: it
// decodes each value by the schema, converts it, and searches for its field on every call.
type decoder map[string]decodedField

type decodedField struct {
	object.Field
	typ      attr.Type
	null     attr.Value
	fallback attr.Value // the attribute's default, nil for none
}

func newDecoder(fields object.Fields) decoder {
	ctx := context.Background()
	d := decoder{}
	for name, f := range fields {
		typ := f.Attribute.GetType()
		null, err := typ.ValueFromTerraform(ctx, tftypes.NewValue(typ.TerraformType(ctx), nil))
		if err != nil {
			panic(fmt.Sprintf("%s cannot be null: %s", name, err)) // every test of the type would find this
		}
		d[name] = decodedField{Field: f, typ: typ, null: null, fallback: defaultOf(ctx, f.Attribute)}
	}
	return d
}

func defaultOf(ctx context.Context, attribute schema.Attribute) attr.Value {
	field := reflect.ValueOf(attribute).FieldByName("Default")
	if !field.IsValid() || field.IsNil() {
		return nil
	}
	switch d := field.Interface().(type) {
	case defaults.String:
		var resp defaults.StringResponse
		d.DefaultString(ctx, defaults.StringRequest{}, &resp)
		return resp.PlanValue
	case defaults.Bool:
		var resp defaults.BoolResponse
		d.DefaultBool(ctx, defaults.BoolRequest{}, &resp)
		return resp.PlanValue
	default:
		panic(fmt.Sprintf("the short path knows no %T", d))
	}
}

// hasDefaults reports whether every attribute with a default has it. Terraform proposes the prior value of an attribute
// that was removed from the configuration, and the framework restores the default.
func (d decoder) hasDefaults(model any) bool {
	value := reflect.ValueOf(model).Elem()
	for _, f := range d {
		if f.fallback != nil && !f.fallback.Equal(f.Of(value)) {
			return false
		}
	}
	return true
}

// decode fills the model that into points to. It returns false for no object, for unknown values, and for a state that
// cannot be read, which the framework reports.
func (d decoder) decode(ctx context.Context, state *tfprotov6.DynamicValue, into any) bool {
	if state == nil || len(state.MsgPack) == 0 {
		return false
	}
	from := msgpack.GetDecoder()
	defer msgpack.PutDecoder(from)
	from.Reset(bytes.NewReader(state.MsgPack))
	if n, err := from.DecodeMapLen(); err != nil || n != len(d) {
		return false
	}
	model := reflect.ValueOf(into).Elem()
	for range d {
		name, err := from.DecodeString()
		f, ok := d[name]
		if err != nil || !ok {
			return false
		}
		value, err := f.decode(ctx, from)
		if err != nil {
			return false
		}
		model.FieldByIndex(f.Index).Set(reflect.ValueOf(value))
	}
	return true
}

var errUnknown = errors.New("unknown value")

func (f decodedField) decode(ctx context.Context, from *msgpack.Decoder) (attr.Value, error) {
	if code, err := from.PeekCode(); err == nil && code == msgpcode.Nil {
		return f.null, from.DecodeNil()
	}
	return decodeValue(ctx, from, f.typ)
}

// decodeValue decodes texts, booleans, short objects and lists, which most values are, and leaves all others to the framework.
func decodeValue(ctx context.Context, from *msgpack.Decoder, typ attr.Type) (attr.Value, error) {
	code, err := from.PeekCode()
	if err != nil {
		return nil, err
	}
	switch typ := typ.(type) {
	case basetypes.StringTypable:
		if msgpcode.IsString(code) {
			given, err := from.DecodeString()
			value, diags := typ.ValueFromString(ctx, basetypes.NewStringValue(given))
			return value, cmp.Or(err, diagnostic.AsError(diags))
		}
	case basetypes.BoolType:
		if code == msgpcode.True || code == msgpcode.False {
			given, err := from.DecodeBool()
			return basetypes.NewBoolValue(given), err
		}
	case basetypes.ObjectType:
		if msgpcode.IsFixedMap(code) {
			return decodeObject(ctx, from, typ)
		}
	case basetypes.ListType:
		if msgpcode.IsFixedArray(code) {
			return decodeList(ctx, from, typ)
		}
	}
	raw, err := from.DecodeRaw()
	if err != nil {
		return nil, err
	}
	value, err := (&tfprotov6.DynamicValue{MsgPack: raw}).Unmarshal(typ.TerraformType(ctx))
	if err == nil && !value.IsFullyKnown() {
		err = errUnknown
	}
	if err != nil {
		return nil, err
	}
	return typ.ValueFromTerraform(ctx, value)
}

func decodeObject(ctx context.Context, from *msgpack.Decoder, typ basetypes.ObjectType) (attr.Value, error) {
	n, err := from.DecodeMapLen()
	values := make(map[string]attr.Value, n)
	for range n {
		name, nameErr := from.DecodeString()
		element, ok := typ.AttrTypes[name]
		if nameErr != nil || !ok {
			return nil, cmp.Or(nameErr, errUnknown)
		}
		if values[name], err = decodeValue(ctx, from, element); err != nil {
			return nil, err
		}
	}
	value, diags := basetypes.NewObjectValue(typ.AttrTypes, values)
	return value, cmp.Or(err, diagnostic.AsError(diags))
}

func decodeList(ctx context.Context, from *msgpack.Decoder, typ basetypes.ListType) (attr.Value, error) {
	n, err := from.DecodeArrayLen()
	values := make([]attr.Value, n)
	for i := range values {
		if values[i], err = decodeValue(ctx, from, typ.ElemType); err != nil {
			return nil, err
		}
	}
	value, diags := basetypes.NewListValue(typ.ElemType, values)
	return value, cmp.Or(err, diagnostic.AsError(diags))
}
