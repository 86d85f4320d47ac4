package review

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// toValue converts a value of a plan. Unknown parts are true in a second value of the same shape, and missing or null
// in the first. Attributes that this version does not know are omitted; attributes that the plan lacks are null. A dynamic
// value stays unknown: it is the settings of a package, and no warning depends on it.
func toValue(typ tftypes.Type, known, unknown any) (tftypes.Value, error) {
	if known == nil && !anyTrue(unknown) {
		return tftypes.NewValue(typ, nil), nil
	}
	if unknown == true || typ.Is(tftypes.DynamicPseudoType) {
		return tftypes.NewValue(typ, tftypes.UnknownValue), nil
	}
	var value any
	var err error
	switch typ := typ.(type) {
	case tftypes.Object:
		value, err = fieldValues(slices.Collect(maps.Keys(typ.AttributeTypes)), func(name string) tftypes.Type { return typ.AttributeTypes[name] }, known, unknown)
	case tftypes.Map:
		keys := slices.Concat(slices.Collect(maps.Keys(fieldsOf(known))), slices.Collect(maps.Keys(fieldsOf(unknown))))
		value, err = fieldValues(keys, func(string) tftypes.Type { return typ.ElementType }, known, unknown)
	case tftypes.List:
		value, err = elementValues(typ.ElementType, known, unknown)
	case tftypes.Set:
		value, err = elementValues(typ.ElementType, known, unknown)
	default:
		value, err = scalar(typ, known)
	}
	if err != nil {
		value = nil
	}
	return tftypes.NewValue(typ, value), err
}

func fieldValues(names []string, typeOf func(name string) tftypes.Type, known, unknown any) (map[string]tftypes.Value, error) {
	knownFields, ok := known.(map[string]any)
	if !ok && known != nil {
		return nil, errors.New("this is not an object")
	}
	unknownFields := fieldsOf(unknown)
	values := map[string]tftypes.Value{}
	for _, name := range names {
		value, err := toValue(typeOf(name), knownFields[name], unknownFields[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		values[name] = value
	}
	return values, nil
}

func elementValues(typ tftypes.Type, known, unknown any) ([]tftypes.Value, error) {
	knownElements, ok := known.([]any)
	if !ok && known != nil {
		return nil, errors.New("this is not a list")
	}
	unknownElements, _ := unknown.([]any)
	values := []tftypes.Value{}
	for i := range max(len(knownElements), len(unknownElements)) {
		value, err := toValue(typ, at(knownElements, i), at(unknownElements, i))
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

func scalar(typ tftypes.Type, known any) (any, error) {
	value := known
	if number, ok := known.(json.Number); ok {
		if f, err := number.Float64(); err == nil {
			value = f
		}
	}
	if tftypes.ValidateValue(typ, value) != nil {
		return nil, fmt.Errorf("this is not a %s", strings.ToLower(strings.TrimPrefix(typ.String(), "tftypes.")))
	}
	return value, nil
}
