// Package codec converts states as the framework does, faster: a state to its model, and what a plan knows to a state.
package codec

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/defaults"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
)

// Codec reads a state into its model as the framework does, which would take most of the time of the short path: it
// decodes each value by the schema, converts it, and searches for its field on every call.
type Codec struct {
	fields      map[string]modelField
	Fingerprint string // of the schema
}

type modelField struct {
	index    []int
	typ      attr.Type
	null     attr.Value
	fallback attr.Value // the attribute's default, nil for none
}

// Attribute returns an attribute of a model by its name, nil for none.
func (c *Codec) Attribute(model any, name string) attr.Value {
	f, ok := c.fields[name]
	if !ok {
		return nil
	}
	return f.of(reflect.ValueOf(model).Elem())
}

// Text returns a string attribute of a model, "" if it is null, unknown or none of the model's.
func (c *Codec) Text(model any, name string) string {
	if text, ok := c.Attribute(model, name).(interface{ ValueString() string }); ok {
		return text.ValueString()
	}
	return ""
}

// of returns the attribute of a model.
func (f modelField) of(model reflect.Value) attr.Value {
	value, _ := reflect.TypeAssert[attr.Value](model.FieldByIndex(f.index))
	return value
}

// New panics if the model does not have exactly the attributes of the schema: every test of the type finds it.
func New(model reflect.Type, s schema.Schema) *Codec {
	ctx := context.Background()
	c := &Codec{fields: map[string]modelField{}, Fingerprint: fingerprintOf(s)}
	for _, field := range reflect.VisibleFields(model) {
		name := field.Tag.Get("tfsdk")
		if name == "" {
			continue // an embedded struct, whose fields follow
		}
		attribute, ok := s.Attributes[name]
		if !ok || reflect.TypeOf(attribute.GetType().ValueType(ctx)) != field.Type {
			panic(fmt.Sprintf("%s.%s does not fit the schema", model, field.Name))
		}
		typ := attribute.GetType()
		null, err := typ.ValueFromTerraform(ctx, tftypes.NewValue(typ.TerraformType(ctx), nil))
		if err != nil {
			panic(fmt.Sprintf("%s.%s cannot be null: %s", model, field.Name, err))
		}
		c.fields[name] = modelField{index: field.Index, typ: typ, null: null, fallback: defaultOf(ctx, attribute)}
	}
	if len(c.fields) != len(s.Attributes) {
		panic(fmt.Sprintf("%s lacks attributes of the schema", model))
	}
	return c
}

// fingerprintOf is a hash of the parts of a schema that affect how a state is read. Descriptions are not included.
func fingerprintOf(s schema.Schema) string {
	lines := []string{fmt.Sprintf("version %d", s.Version)}
	for name, a := range s.Attributes {
		lines = append(lines, fmt.Sprintf("%s %s %t %t %t", name, a.GetType().TerraformType(context.Background()), a.IsRequired(), a.IsOptional(), a.IsComputed()))
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return hex.EncodeToString(sum[:8])
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

// HasDefaults reports whether every attribute with a default has it. Terraform proposes the prior value of an attribute
// that was removed from the configuration, and the framework restores the default.
func (c *Codec) HasDefaults(of any) bool {
	model := reflect.ValueOf(of).Elem()
	for _, f := range c.fields {
		if f.fallback != nil && !f.fallback.Equal(f.of(model)) {
			return false
		}
	}
	return true
}

// Decode fills the model that into points to. It returns false for no object, for unknown values, and for a state that
// cannot be read, which the framework reports.
func (c *Codec) Decode(ctx context.Context, state *tfprotov6.DynamicValue, into any) bool {
	if state == nil || len(state.MsgPack) == 0 {
		return false
	}
	d := msgpack.NewDecoder(bytes.NewReader(state.MsgPack))
	if n, err := d.DecodeMapLen(); err != nil || n != len(c.fields) {
		return false
	}
	model := reflect.ValueOf(into).Elem()
	for range c.fields {
		name, err := d.DecodeString()
		f, ok := c.fields[name]
		if err != nil || !ok {
			return false
		}
		value, err := f.decode(ctx, d)
		if err != nil {
			return false
		}
		model.FieldByIndex(f.index).Set(reflect.ValueOf(value))
	}
	return true
}

var errUnknown = errors.New("unknown value")

// decode decodes null and texts, which most values are, and leaves all others to the framework.
func (f modelField) decode(ctx context.Context, d *msgpack.Decoder) (attr.Value, error) {
	code, err := d.PeekCode()
	text, isText := f.typ.(basetypes.StringTypable)
	switch {
	case err != nil:
		return nil, err
	case code == msgpcode.Nil:
		return f.null, d.DecodeNil()
	case isText && msgpcode.IsString(code):
		given, err := d.DecodeString()
		value, diags := text.ValueFromString(ctx, basetypes.NewStringValue(given))
		return value, cmp.Or(err, diagnostic.AsError(diags))
	}
	raw, err := d.DecodeRaw()
	if err != nil {
		return nil, err
	}
	value, err := (&tfprotov6.DynamicValue{MsgPack: raw}).Unmarshal(f.typ.TerraformType(ctx))
	if err == nil && !value.IsFullyKnown() {
		err = errUnknown
	}
	if err != nil {
		return nil, err
	}
	return f.typ.ValueFromTerraform(ctx, value)
}

// Same reports whether the framework would keep every value of a state after a read that returned another model: it
// keeps a string that is semantically equal.
func (c *Codec) Same(ctx context.Context, before, after any) bool {
	from, to := reflect.ValueOf(before).Elem(), reflect.ValueOf(after).Elem()
	for _, f := range c.fields {
		if !sameValue(ctx, f.of(from), f.of(to)) {
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

// KeepPlanned returns a value with everything that a plan knows, and the rest from a result: Terraform reports a known
// value that changes during an apply as an error of the provider. The next plan shows such a change.
func KeepPlanned(planned, result tftypes.Value) tftypes.Value {
	switch {
	case !planned.IsKnown():
		return Known(result)
	case planned.IsFullyKnown():
		return planned
	}
	var want, have map[string]tftypes.Value
	if planned.As(&want) != nil {
		return Known(result) // a list or a set with unknown elements
	}
	_ = result.As(&have) // null or unknown: nothing is known of the elements
	out := map[string]tftypes.Value{}
	for name, value := range want {
		found, ok := have[name]
		if !ok {
			found = tftypes.NewValue(value.Type(), nil)
		}
		out[name] = KeepPlanned(value, found)
	}
	return tftypes.NewValue(planned.Type(), out)
}

// Known replaces what is unknown by null.
func Known(v tftypes.Value) tftypes.Value {
	out, err := tftypes.Transform(v, func(_ *tftypes.AttributePath, v tftypes.Value) (tftypes.Value, error) {
		if !v.IsKnown() {
			return tftypes.NewValue(v.Type(), nil), nil
		}
		return v, nil
	})
	if err != nil {
		return tftypes.NewValue(v.Type(), nil)
	}
	return out
}
