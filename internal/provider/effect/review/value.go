package review

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// decodeAny reads JSON with its numbers as text. Nothing is null.
func decodeAny(text json.RawMessage) (any, error) {
	if len(text) == 0 {
		return nil, nil //nolint:nilnil // null is a value
	}
	var v any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	err := decoder.Decode(&v)
	return v, err
}

// toValue converts a value of a plan. Unknown parts are true in a second value of the same shape, and missing or null
// in the first. Attributes that this version does not know are omitted; attributes that the plan lacks are null.
func toValue(typ tftypes.Type, known, unknown any) (tftypes.Value, error) {
	if unknown == true {
		return tftypes.NewValue(typ, tftypes.UnknownValue), nil
	}
	if known == nil && !anyTrue(unknown) {
		return tftypes.NewValue(typ, nil), nil
	}
	switch typ := typ.(type) {
	case tftypes.Object:
		return objectValue(typ, known, unknown)
	case tftypes.Map:
		return mapValue(typ, known, unknown)
	case tftypes.List:
		elements, err := elementValues(typ.ElementType, known, unknown)
		return newValue(typ, elements, err)
	case tftypes.Set:
		elements, err := elementValues(typ.ElementType, known, unknown)
		return newValue(typ, elements, err)
	default:
		return scalarValue(typ, known)
	}
}

// newValue returns null after an error.
func newValue(typ tftypes.Type, v any, err error) (tftypes.Value, error) {
	if err != nil {
		return tftypes.NewValue(typ, nil), err
	}
	return tftypes.NewValue(typ, v), nil
}

func objectValue(typ tftypes.Object, known, unknown any) (tftypes.Value, error) {
	has, err := fields(known)
	lacks, _ := unknown.(map[string]any)
	values := map[string]tftypes.Value{}
	for name, attribute := range typ.AttributeTypes {
		if err != nil {
			break
		}
		if values[name], err = toValue(attribute, has[name], lacks[name]); err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}
	return newValue(typ, values, err)
}

func mapValue(typ tftypes.Map, known, unknown any) (tftypes.Value, error) {
	has, err := fields(known)
	lacks, _ := unknown.(map[string]any)
	values := map[string]tftypes.Value{}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(has)), slices.Collect(maps.Keys(lacks))) {
		if err != nil {
			break
		}
		values[name], err = toValue(typ.ElementType, has[name], lacks[name])
	}
	return newValue(typ, values, err)
}

func fields(known any) (map[string]any, error) {
	has, ok := known.(map[string]any)
	if !ok && known != nil {
		return nil, fmt.Errorf("%s where an object belongs", jsonKind(known))
	}
	return has, nil
}

func elementValues(typ tftypes.Type, known, unknown any) ([]tftypes.Value, error) {
	has, ok := known.([]any)
	if !ok && known != nil {
		return nil, fmt.Errorf("%s where a list belongs", jsonKind(known))
	}
	lacks, _ := unknown.([]any)
	values := []tftypes.Value{}
	for i := range max(len(has), len(lacks)) {
		value, err := toValue(typ, at(has, i), at(lacks, i))
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, nil
}

func at(list []any, i int) any {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// scalarValue keeps a dynamic value unknown: it is the settings of a package, and no notice depends on it.
func scalarValue(typ tftypes.Type, known any) (tftypes.Value, error) {
	switch v := known.(type) {
	case string:
		if typ.Is(tftypes.String) {
			return tftypes.NewValue(typ, v), nil
		}
	case bool:
		if typ.Is(tftypes.Bool) {
			return tftypes.NewValue(typ, v), nil
		}
	case json.Number:
		if f, err := v.Float64(); err == nil && typ.Is(tftypes.Number) {
			return tftypes.NewValue(typ, f), nil
		}
	}
	if typ.Is(tftypes.DynamicPseudoType) {
		return tftypes.NewValue(typ, tftypes.UnknownValue), nil
	}
	return tftypes.NewValue(typ, nil), fmt.Errorf("%s where a %s belongs", jsonKind(known), strings.ToLower(strings.TrimPrefix(typ.String(), "tftypes.")))
}

func jsonKind(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "a string"
	case bool:
		return "a bool"
	case json.Number:
		return "a number"
	case []any:
		return "a list"
	default:
		return "an object"
	}
}
