package providertest

import (
	"encoding/json"
	"maps"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	ctymsgpack "github.com/zclconf/go-cty/cty/msgpack"
)

// Values are the arguments of a configuration. A nested one is a map or a list.
type Values map[string]any

// With is a copy of values with others in their place; a nil value removes one.
func (v Values) With(others Values) Values {
	out := maps.Clone(v)
	maps.Copy(out, others)
	return out
}

func Members(v tftypes.Value) map[string]tftypes.Value {
	var out map[string]tftypes.Value
	if v.IsKnown() && !v.IsNull() {
		_ = v.As(&out)
	}
	return out
}

func Elements(v tftypes.Value) []tftypes.Value {
	var out []tftypes.Value
	if v.IsKnown() && !v.IsNull() {
		_ = v.As(&out)
	}
	return out
}

// Proposed is what the CLI proposes: the configuration, with the prior value of computed attributes that it omits.
func Proposed(schema *tfprotov6.Schema, prior, config tftypes.Value) tftypes.Value {
	if config.IsNull() {
		return config
	}
	return tftypes.NewValue(config.Type(), proposedAttributes(schema.Block.Attributes, Members(prior), Members(config)))
}

func proposedAttributes(attributes []*tfprotov6.SchemaAttribute, prior, config map[string]tftypes.Value) map[string]tftypes.Value {
	out := map[string]tftypes.Value{}
	for _, a := range attributes {
		given := config[a.Name]
		before, existed := prior[a.Name]
		if !existed {
			before = tftypes.NewValue(given.Type(), nil)
		}
		switch {
		case a.WriteOnly:
			out[a.Name] = tftypes.NewValue(given.Type(), nil)
		case given.IsNull() && a.Computed:
			out[a.Name] = before
		case a.NestedType != nil && given.IsKnown() && !given.IsNull():
			out[a.Name] = proposedNested(a.NestedType, before, given)
		default:
			out[a.Name] = given
		}
	}
	return out
}

func proposedNested(nested *tfprotov6.SchemaObject, prior, given tftypes.Value) tftypes.Value {
	element := func(before, now tftypes.Value) tftypes.Value {
		if !now.IsKnown() || now.IsNull() {
			return now
		}
		return tftypes.NewValue(now.Type(), proposedAttributes(nested.Attributes, Members(before), Members(now)))
	}
	switch nested.Nesting {
	case tfprotov6.SchemaObjectNestingModeSingle:
		return element(prior, given)
	case tfprotov6.SchemaObjectNestingModeMap:
		before, out := Members(prior), map[string]tftypes.Value{}
		for name, value := range Members(given) {
			out[name] = element(before[name], value)
		}
		return tftypes.NewValue(given.Type(), out)
	default: // also of a set without computed attributes in its elements
		before, out := Elements(prior), Elements(given)
		for i := range out {
			var was tftypes.Value
			if i < len(before) {
				was = before[i]
			}
			out[i] = element(was, out[i])
		}
		return tftypes.NewValue(given.Type(), out)
	}
}

// Plain is a value as in JSON, nil if it is not known.
func Plain(v tftypes.Value) (out any) {
	value, err := ToLanguage(v)
	if err != nil {
		panic(err)
	}
	value = cty.UnknownAsNull(value)
	text, err := ctyjson.Marshal(value, value.Type())
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		panic(err)
	}
	return out
}

// Dynamic is a value as requests have it. One that cannot be written is a bug of the test.
func Dynamic(v tftypes.Value) *tfprotov6.DynamicValue {
	out, err := tfprotov6.NewDynamicValue(v.Type(), v)
	if err != nil {
		panic(err)
	}
	return &out
}

// ToLanguage is a value of the protocol as one of the language.
func ToLanguage(v tftypes.Value) (cty.Value, error) {
	packed, err := tfprotov6.NewDynamicValue(tftypes.DynamicPseudoType, v)
	if err != nil {
		return cty.NilVal, err
	}
	return ctymsgpack.Unmarshal(packed.MsgPack, cty.DynamicPseudoType)
}

// InStateFile is an object as the state file has it, with the types of dynamic values.
func InStateFile(v tftypes.Value) ([]byte, error) {
	shape, err := ToLanguage(tftypes.NewValue(v.Type(), nil))
	if err != nil {
		return nil, err
	}
	value, err := ToLanguage(v)
	if err != nil {
		return nil, err
	}
	return ctyjson.Marshal(value, shape.Type())
}
