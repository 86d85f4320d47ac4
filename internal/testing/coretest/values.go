package coretest

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
)

// Values of a configuration, written once for both drivers: as HCL for the CLI, and as values of the protocol.

// An expression is a string, bool, int, float64, nil, ref, object, table or list, or a formula.
type expression any

// ref is an attribute of another resource of the configuration.
type ref struct{ address, attribute string }

type (
	object map[string]expression // an object or a map
	list   []expression
	table  []row // a map whose keys are expressions
)

type row struct {
	key, value expression
}

// block is an instance of a resource or of a data source of the configuration.
type block struct {
	typ, name string
	key       string // such as [0] or ["a"] of a repeated block
	isData    bool
	attrs     object
	after     []*group // depends_on
	imports   string   // ID to import if the resource is not in state
}

func (b *block) address() string {
	if b.isData {
		return "data." + b.typ + "." + b.name + b.key
	}
	return b.typ + "." + b.name + b.key
}

// eachKey is the key of an instance with for_each.
func (b *block) eachKey() string { return strings.Trim(b.key, `[]"`) }

// references lists the addresses that a block depends on.
func (b *block) references() []string {
	found := map[string]bool{}
	collect(b.attrs, found)
	collectGroups(b.after, found)
	return slices.Sorted(maps.Keys(found))
}

func collectGroups(groups []*group, into map[string]bool) {
	for _, g := range groups {
		for _, b := range g.instances {
			into[b.address()] = true
		}
	}
}

func collect(e expression, into map[string]bool) {
	switch e := e.(type) {
	case ref:
		into[e.address] = true
	case formula:
		collectGroups(e.groups, into)
	case object:
		for _, inner := range e {
			collect(inner, into)
		}
	case list:
		for _, inner := range e {
			collect(inner, into)
		}
	case table:
		for _, r := range e {
			collect(r.key, into)
			collect(r.value, into)
		}
	}
}

// scope has the objects of resources and data sources.
type scope struct {
	planned   func(address string) (tftypes.Value, bool) // false: it could not be planned
	converted map[string]cty.Value
}

func newScope(planned func(address string) (tftypes.Value, bool)) *scope {
	return &scope{planned, map[string]cty.Value{}}
}

// errUnplanned is for what depends on a resource that has an error.
var errUnplanned = errors.New("a resource that it refers to could not be planned")

func (s *scope) attribute(r ref) (tftypes.Value, error) {
	value, ok := s.planned(r.address)
	attribute, found := members(value)[r.attribute]
	if !ok || !found {
		return attribute, errUnplanned
	}
	return attribute, nil
}

// language is an object as a value of the language. What refers to it comes after its last change.
func (s *scope) language(address string) (cty.Value, error) {
	if value, ok := s.converted[address]; ok {
		return value, nil
	}
	object, ok := s.planned(address)
	if !ok {
		return cty.NilVal, errUnplanned
	}
	value, err := toLanguage(object)
	s.converted[address] = value
	return value, err
}

// evaluate returns a value of a type.
func evaluate(e expression, typ tftypes.Type, in *scope) (tftypes.Value, error) {
	switch e := e.(type) {
	case nil:
		return tftypes.NewValue(typ, nil), nil
	case ref:
		value, err := in.attribute(e)
		if err != nil || value.Type().Equal(typ) || typ.Is(tftypes.DynamicPseudoType) {
			return value, err
		}
		converted, err := toLanguage(value)
		if err != nil {
			return value, err
		}
		return fromLanguage(converted, typ)
	case formula:
		value, err := e.value(in)
		if err != nil {
			return tftypes.Value{}, err
		}
		return fromLanguage(value, typ)
	case object:
		return evaluateObject(e, typ, in)
	case table:
		return evaluateTable(e, typ, in)
	case list:
		var out []tftypes.Value
		for i, inner := range e {
			value, err := evaluate(inner, elementType(typ, "", i), in)
			if err != nil {
				return value, err
			}
			out = append(out, value)
		}
		return tftypes.NewValue(typ, out), nil
	default:
		return tftypes.NewValue(typ, primitive(e)), nil
	}
}

func evaluateObject(e object, typ tftypes.Type, in *scope) (tftypes.Value, error) {
	if typ.Is(tftypes.DynamicPseudoType) {
		typ = objectType(e)
	}
	values := map[string]tftypes.Value{}
	if shape, isObject := typ.(tftypes.Object); isObject {
		for name, attribute := range shape.AttributeTypes {
			values[name] = tftypes.NewValue(attribute, nil)
		}
	}
	for name, inner := range e {
		value, err := evaluate(inner, elementType(typ, name, 0), in)
		if err != nil {
			return value, err
		}
		values[name] = value
	}
	return tftypes.NewValue(typ, values), nil
}

// evaluateTable is unknown as a whole if a key is.
func evaluateTable(e table, typ tftypes.Type, in *scope) (tftypes.Value, error) {
	values, known := map[string]tftypes.Value{}, true
	for _, r := range e {
		key, err := evaluate(r.key, tftypes.String, in)
		if err != nil {
			return key, err
		}
		valueType := elementType(typ, "", 0)
		if valueType.Is(tftypes.DynamicPseudoType) {
			valueType = tftypes.Number
		}
		value, err := evaluate(r.value, valueType, in)
		if err != nil {
			return value, err
		}
		var name string
		known = known && key.IsKnown()
		_ = key.As(&name)
		values[name] = value
	}
	if typ.Is(tftypes.DynamicPseudoType) {
		typ = tftypes.Map{ElementType: tftypes.Number}
	}
	if !known {
		return tftypes.NewValue(typ, tftypes.UnknownValue), nil
	}
	return tftypes.NewValue(typ, values), nil
}

// objectType of an expression without references.
func objectType(e expression) tftypes.Type {
	switch e := e.(type) {
	case object:
		types := map[string]tftypes.Type{}
		for name, inner := range e {
			types[name] = objectType(inner)
		}
		return tftypes.Object{AttributeTypes: types}
	case string:
		return tftypes.String
	case bool:
		return tftypes.Bool
	default:
		return tftypes.Number
	}
}

func elementType(typ tftypes.Type, name string, i int) tftypes.Type {
	switch typ := typ.(type) {
	case tftypes.Object:
		return typ.AttributeTypes[name]
	case tftypes.Map:
		return typ.ElementType
	case tftypes.List:
		return typ.ElementType
	case tftypes.Set:
		return typ.ElementType
	case tftypes.Tuple:
		return typ.ElementTypes[i]
	default:
		return tftypes.DynamicPseudoType
	}
}

func primitive(e expression) any {
	switch e := e.(type) {
	case int:
		return big.NewFloat(float64(e))
	case float64:
		return big.NewFloat(e)
	default:
		return e
	}
}

func members(v tftypes.Value) map[string]tftypes.Value {
	var out map[string]tftypes.Value
	if v.IsKnown() && !v.IsNull() {
		_ = v.As(&out)
	}
	return out
}

func elements(v tftypes.Value) []tftypes.Value {
	var out []tftypes.Value
	if v.IsKnown() && !v.IsNull() {
		_ = v.As(&out)
	}
	return out
}

// proposedState is what the CLI proposes: the configuration, with the prior value of computed attributes that it omits.
func proposedState(schema *tfprotov6.Schema, prior, config tftypes.Value) tftypes.Value {
	if config.IsNull() {
		return config
	}
	return tftypes.NewValue(config.Type(), proposedAttributes(schema.Block.Attributes, members(prior), members(config)))
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
		return tftypes.NewValue(now.Type(), proposedAttributes(nested.Attributes, members(before), members(now)))
	}
	switch nested.Nesting {
	case tfprotov6.SchemaObjectNestingModeSingle:
		return element(prior, given)
	case tfprotov6.SchemaObjectNestingModeMap:
		before, out := members(prior), map[string]tftypes.Value{}
		for name, value := range members(given) {
			out[name] = element(before[name], value)
		}
		return tftypes.NewValue(given.Type(), out)
	default: // also of a set without computed attributes in its elements
		before, out := elements(prior), elements(given)
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

// honors reports whether a value fits a planned one: equal except for unknown values. The CLI reports another value as
// a bug of the provider.
func honors(planned, got tftypes.Value, at string) error {
	switch {
	case !planned.IsKnown():
		return nil
	case !got.IsKnown() && planned.IsFullyKnown():
		return fmt.Errorf("%s: planned %s, is unknown", at, planned)
	case !got.IsKnown():
		return nil
	case planned.IsNull() != got.IsNull():
		return fmt.Errorf("%s: planned %s, got %s", at, planned, got)
	case planned.IsNull():
		return nil
	}
	if want, have := members(planned), members(got); want != nil {
		for name := range want {
			value, found := have[name]
			if !found {
				return fmt.Errorf("%s.%s: planned, and omitted", at, name)
			}
			if err := honors(want[name], value, at+"."+name); err != nil {
				return err
			}
		}
		if len(have) != len(want) {
			return fmt.Errorf("%s: planned %d members, got %d", at, len(want), len(have))
		}
		return nil
	}
	if _, isSet := planned.Type().(tftypes.Set); isSet && !planned.IsFullyKnown() {
		return nil
	}
	if !planned.IsFullyKnown() {
		want, have := elements(planned), elements(got)
		if len(want) != len(have) {
			return fmt.Errorf("%s: planned %d elements, got %d", at, len(want), len(have))
		}
		for i := range want {
			if err := honors(want[i], have[i], fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
		return nil
	}
	if !planned.Equal(got) {
		return fmt.Errorf("%s: planned %s, got %s", at, planned, got)
	}
	return nil
}

// asInState is a value in the form of the state file.
func asInState(v tftypes.Value) any {
	if !v.IsKnown() || v.IsNull() {
		return nil
	}
	var text string
	var number big.Float
	var flag bool
	switch {
	case v.As(&text) == nil:
		return text
	case v.As(&number) == nil:
		out, _ := number.Float64()
		return out
	case v.As(&flag) == nil:
		return flag
	}
	if fields := members(v); fields != nil {
		out := map[string]any{}
		for name, value := range fields {
			out[name] = asInState(value)
		}
		return out
	}
	out := []any{}
	for _, value := range elements(v) {
		out = append(out, asInState(value))
	}
	return out
}
