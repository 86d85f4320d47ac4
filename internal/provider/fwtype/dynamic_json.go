package fwtype

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"math/big"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
)

// ElementsOf returns the fields of an object or a map.
func ElementsOf(v attr.Value) (map[string]attr.Value, error) {
	switch v := v.(type) {
	case types.Object:
		return v.Attributes(), nil
	case types.Map:
		return v.Elements(), nil
	default:
		return nil, errors.New("settings must be an object: { field = value }")
	}
}

// PlainOf is a value as JSON is decoded.
//
//nolint:contextcheck,nolintlint // it waits for nothing; the first linter reads this at the callers
func PlainOf(v attr.Value) (any, error) {
	raw, err := v.ToTerraformValue(context.Background())
	if err != nil {
		return nil, err
	}
	return Plain(raw)
}

// Plain is a value of the protocol as JSON is decoded.
func Plain(v tftypes.Value) (any, error) {
	return plainWith(v, func(name string) string { return name })
}

// plainWith names the fields of JSON.
func plainWith(v tftypes.Value, named func(string) string) (any, error) {
	switch typ := v.Type(); {
	case v.IsNull():
		return nil, nil //nolint:nilnil // JSON's null
	case !v.IsKnown():
		return nil, errors.New("the value is known after apply")
	case typ.Is(tftypes.String):
		return as[string](v)
	case typ.Is(tftypes.Bool):
		return as[bool](v)
	case typ.Is(tftypes.Number):
		number, err := as[big.Float](v)
		if err != nil {
			return nil, err
		}
		return plainNumber(&number)
	case typ.Is(tftypes.Object{}), typ.Is(tftypes.Map{}):
		fields, err := as[map[string]tftypes.Value](v)
		out := make(map[string]any, len(fields))
		for name, field := range fields {
			if out[named(name)], err = plainWith(field, named); err != nil {
				return nil, err
			}
		}
		return out, err
	default:
		rows, err := as[[]tftypes.Value](v)
		out := make([]any, len(rows))
		for i, row := range rows {
			if out[i], err = plainWith(row, named); err != nil {
				return nil, err
			}
		}
		return out, err
	}
}

func as[T any](v tftypes.Value) (out T, err error) {
	err = v.As(&out)
	return out, err
}

// plainNumber rejects a number before it is written in decimal, which would not end for a large exponent.
func plainNumber(f *big.Float) (any, error) {
	const bitsOfDigit = 3.33
	if exponent := f.MantExp(nil); f.IsInf() || math.Abs(float64(exponent)) > bitsOfDigit*anyjson.MaxExponent {
		return nil, anyjson.ErrNumberRange
	}
	return json.Number(f.Text('g', -1)), nil
}

// MaxExact is 2^53: JSON's readers may round whole numbers beyond it.
const MaxExact = 1 << 53

// ErrRounded is for a whole number beyond MaxExact.
var ErrRounded = errors.New("whole numbers lie between -9007199254740992 and 9007199254740992 (2^53), because readers of JSON may round others")

// CheckExact returns ErrRounded for decoded JSON with such a number, at any depth.
func CheckExact(plain any) error {
	var parts []any
	switch p := plain.(type) {
	case json.Number:
		if f := anyjson.BigFloat(p); f.IsInt() && f.Abs(f).Cmp(big.NewFloat(MaxExact)) > 0 {
			return ErrRounded
		}
	case []any:
		parts = p
	case map[string]any:
		parts = slices.Collect(maps.Values(p))
	}
	for _, part := range parts {
		if err := CheckExact(part); err != nil {
			return err
		}
	}
	return nil
}

// ValueOf reads JSON into the value that Terraform would write for it.
func ValueOf(ctx context.Context, raw json.RawMessage) (attr.Value, error) {
	plain, err := anyjson.Decode(raw)
	if err != nil {
		return nil, err
	}
	return ValueOfPlain(ctx, plain), nil
}

// ValueOfPlain is the value that Terraform would write for decoded JSON.
func ValueOfPlain(ctx context.Context, plain any) attr.Value {
	switch p := plain.(type) {
	case string:
		return types.StringValue(p)
	case bool:
		return types.BoolValue(p)
	case json.Number:
		return types.NumberValue(anyjson.BigFloat(p))
	case []any:
		kinds := make([]attr.Type, len(p))
		values := make([]attr.Value, len(p))
		for i, element := range p {
			values[i] = ValueOfPlain(ctx, element)
			kinds[i] = values[i].Type(ctx)
		}
		return types.TupleValueMust(kinds, values)
	case map[string]any:
		kinds := map[string]attr.Type{}
		values := map[string]attr.Value{}
		for name, field := range p {
			values[name] = ValueOfPlain(ctx, field)
			kinds[name] = values[name].Type(ctx)
		}
		return types.ObjectValueMust(kinds, values)
	default:
		return types.DynamicNull()
	}
}

// DeclaredPart is what the API returned for a configured value, without the fields of objects that are not configured.
// A configured field that the API did not return is not in it, unless null is configured. All are decoded JSON.
func DeclaredPart(returned, declared any) any {
	return combined(returned, declared, false)
}

// Overlaid is a configured value with the fields of objects that only the API has.
func Overlaid(returned, declared any) any {
	return combined(returned, declared, true)
}

// combined combines objects by name, and lists of one length by position.
func combined(live, declared any, overlaid bool) any {
	whole := live
	if overlaid {
		whole = declared
	}
	switch declared := declared.(type) {
	case map[string]any:
		object, ok := live.(map[string]any)
		if !ok {
			return whole
		}
		out := make(map[string]any, len(declared))
		if overlaid {
			maps.Copy(out, object)
		}
		for name, want := range declared {
			if value, ok := object[name]; ok || overlaid || want == nil {
				out[name] = combined(value, want, overlaid)
			}
		}
		return out
	case []any:
		list, ok := live.([]any)
		if !ok || len(list) != len(declared) {
			return whole
		}
		out := make([]any, 0, len(list))
		for i, value := range list {
			out = append(out, combined(value, declared[i], overlaid))
		}
		return out
	default:
		return whole
	}
}
