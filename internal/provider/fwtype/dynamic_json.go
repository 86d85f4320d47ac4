package fwtype

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"math/big"

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

// JSONOf encodes a value as Terraform means it.
//
//nolint:contextcheck,nolintlint // it waits for nothing; the first linter reads this at the callers
func JSONOf(v attr.Value) (json.RawMessage, error) { return jsonOf(context.Background(), v, sameName) }

func jsonOf(ctx context.Context, v attr.Value, named func(string) string) (json.RawMessage, error) {
	raw, err := v.ToTerraformValue(ctx)
	if err != nil {
		return nil, err
	}
	plain, err := plainOf(raw, named)
	if err != nil {
		return nil, err
	}
	return json.Marshal(plain)
}

// PlainOf is a value as JSON is decoded.
func PlainOf(v tftypes.Value) (any, error) { return plainOf(v, sameName) }

func sameName(name string) string { return name }

func plainOf(v tftypes.Value, named func(string) string) (any, error) {
	var (
		text   string
		flag   bool
		number big.Float
		rows   []tftypes.Value
		fields map[string]tftypes.Value
		err    error
	)
	switch {
	case v.IsNull():
		return nil, nil //nolint:nilnil // JSON's null
	case !v.IsKnown():
		return nil, errors.New("the value is known after apply")
	case v.As(&text) == nil:
		return text, nil
	case v.As(&flag) == nil:
		return flag, nil
	case v.As(&number) == nil:
		return plainNumber(&number)
	case v.As(&rows) == nil:
		out := make([]any, len(rows))
		for i, row := range rows {
			if out[i], err = plainOf(row, named); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	err = v.As(&fields)
	out := make(map[string]any, len(fields))
	for name, field := range fields {
		if out[named(name)], err = plainOf(field, named); err != nil {
			return nil, err
		}
	}
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

// CheckExact returns ErrRounded for JSON with such a number, at any depth.
func CheckExact(raw json.RawMessage) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	for {
		token, err := dec.Token()
		if err != nil {
			return nil //nolint:nilerr // the end
		}
		if number, ok := token.(json.Number); ok {
			if f := bigFloat(number); f.IsInt() && f.Abs(f).Cmp(big.NewFloat(MaxExact)) > 0 {
				return ErrRounded
			}
		}
	}
}

// ValueOf reads JSON into the value that Terraform would write for it.
func ValueOf(ctx context.Context, raw json.RawMessage) (attr.Value, error) {
	plain, err := anyjson.Decode(raw)
	if err != nil {
		return nil, err
	}
	return valueOfPlain(ctx, plain), nil
}

func valueOfPlain(ctx context.Context, plain any) attr.Value {
	switch p := plain.(type) {
	case string:
		return types.StringValue(p)
	case bool:
		return types.BoolValue(p)
	case json.Number:
		return types.NumberValue(bigFloat(p))
	case []any:
		kinds, values := make([]attr.Type, len(p)), make([]attr.Value, len(p))
		for i, element := range p {
			values[i] = valueOfPlain(ctx, element)
			kinds[i] = values[i].Type(ctx)
		}
		return types.TupleValueMust(kinds, values)
	case map[string]any:
		kinds, values := map[string]attr.Type{}, map[string]attr.Value{}
		for name, field := range p {
			values[name] = valueOfPlain(ctx, field)
			kinds[name] = values[name].Type(ctx)
		}
		return types.ObjectValueMust(kinds, values)
	default:
		return types.DynamicNull()
	}
}

// DeclaredPart is what the API returned for a configured value, without the fields of objects that are not configured.
// A configured field that the API did not return is not in it, unless null is configured.
func DeclaredPart(returned, declared json.RawMessage) (json.RawMessage, error) {
	return combined(returned, declared, false)
}

// Overlaid is a configured value with the fields of objects that only the API has.
func Overlaid(returned, declared json.RawMessage) (json.RawMessage, error) {
	return combined(returned, declared, true)
}

func combined(returned, declared json.RawMessage, overlaid bool) (json.RawMessage, error) {
	live, err := anyjson.Decode(returned)
	if err != nil {
		return nil, err
	}
	want, err := anyjson.Decode(declared)
	if err != nil {
		return nil, err
	}
	return json.Marshal(combinedPlain(live, want, overlaid))
}

// combinedPlain combines objects by name, and lists of one length by position.
func combinedPlain(live, declared any, overlaid bool) any {
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
				out[name] = combinedPlain(value, want, overlaid)
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
			out = append(out, combinedPlain(value, declared[i], overlaid))
		}
		return out
	default:
		return whole
	}
}

// SameJSON compares by meaning: 1 is 1.0, and the order of fields does not matter.
//
//nolint:contextcheck,nolintlint // it waits for nothing; the first linter reads this at the callers
func SameJSON(a, b json.RawMessage) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	x, errX := ValueOf(context.Background(), a)
	y, errY := ValueOf(context.Background(), b)
	return errX == nil && errY == nil && x.Equal(y)
}

// bigFloat is a number of JSON, which anyjson.Decode has accepted.
func bigFloat(n json.Number) *big.Float {
	f, _ := new(big.Float).SetPrec(512).SetString(n.String())
	return f
}
