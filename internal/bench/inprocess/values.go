package inprocess

import (
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Values are attributes: strings, numbers, booleans, and Values for an object
// or a map. What an object lacks is null.
type Values map[string]any

func encode(typ tftypes.Type, values Values) (*tfprotov6.DynamicValue, error) {
	value, err := build(typ, values)
	if err != nil {
		return nil, err
	}
	encoded, err := tfprotov6.NewDynamicValue(typ, value)
	return &encoded, err
}

func build(typ tftypes.Type, given any) (tftypes.Value, error) {
	values, nested := given.(Values)
	if !nested {
		return tftypes.NewValue(typ, given), tftypes.ValidateValue(typ, given)
	}
	fields := map[string]tftypes.Value{}
	add := func(name string, typ tftypes.Type) (err error) {
		fields[name], err = build(typ, values[name])
		return err
	}
	switch typ := typ.(type) {
	case tftypes.Object:
		for name, of := range typ.AttributeTypes {
			if err := add(name, of); err != nil {
				return tftypes.Value{}, fmt.Errorf("%s: %w", name, err)
			}
		}
	case tftypes.Map:
		for name := range values {
			if err := add(name, typ.ElementType); err != nil {
				return tftypes.Value{}, fmt.Errorf("%s: %w", name, err)
			}
		}
	default:
		return tftypes.Value{}, fmt.Errorf("several values for %s", typ)
	}
	return tftypes.NewValue(typ, fields), nil
}

// toJSON encodes a value as the state file does.
func toJSON(v tftypes.Value, shape tftypes.Type) ([]byte, error) {
	plain, err := plainOf(v)
	if err != nil {
		return nil, err
	}
	var values map[string]tftypes.Value
	object, ok := shape.(tftypes.Object)
	stored, isMap := plain.(map[string]any)
	if !ok || !isMap || v.As(&values) != nil {
		return json.Marshal(plain)
	}
	for name, typ := range object.AttributeTypes { // a state file has the type of a dynamic value beside it
		if typ.Is(tftypes.DynamicPseudoType) && stored[name] != nil {
			stored[name] = map[string]any{"value": stored[name], "type": values[name].Type()}
		}
	}
	return json.Marshal(stored)
}

func plainOf(v tftypes.Value) (any, error) {
	if v.IsNull() {
		return nil, nil //nolint:nilnil // null is a value
	}
	switch {
	case v.Type().Is(tftypes.String):
		var text string
		return &text, v.As(&text)
	case v.Type().Is(tftypes.Bool):
		var flag bool
		return &flag, v.As(&flag)
	case v.Type().Is(tftypes.Number):
		var number big.Float
		err := v.As(&number)
		return json.Number(number.Text('f', -1)), err
	}
	var rows []tftypes.Value
	if v.As(&rows) == nil {
		out := make([]any, len(rows))
		for i, row := range rows {
			plain, err := plainOf(row)
			if err != nil {
				return nil, fmt.Errorf("%d: %w", i, err)
			}
			out[i] = plain
		}
		return out, nil
	}
	var fields map[string]tftypes.Value
	if err := v.As(&fields); err != nil {
		return nil, err
	}
	out := map[string]any{}
	for name, field := range fields {
		plain, err := plainOf(field)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out[name] = plain
	}
	return out, nil
}
