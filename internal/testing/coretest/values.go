package coretest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/gocty"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Values of a configuration, written once for both drivers: as HCL for the CLI, and as values of the protocol.

// An expression is a string, bool, int, float64, nil, tftypes.UnknownValue, ref, object, table or list, or a formula.
type expression = any

// ref is an attribute of another resource of the configuration.
type ref struct{ address, attribute string }

type (
	object = providertest.Values // an object or a map
	list   = []expression
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
	after     []*group                        // depends_on
	before    bool                            // create_before_destroy
	imports   string                          // ID to import if the resource is not in state
	identity  *tfprotov6.ResourceIdentityData // to import by, instead of an ID
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

// language is an object as a value of the language. What refers to it comes after its last change.
func (s *scope) language(address string) (cty.Value, error) {
	if value, ok := s.converted[address]; ok {
		return value, nil
	}
	object, ok := s.planned(address)
	if !ok {
		return cty.NilVal, errUnplanned
	}
	value, err := providertest.ToLanguage(object)
	s.converted[address] = value
	return value, err
}

// evaluate returns a value of a type.
func evaluate(e expression, typ tftypes.Type, in *scope) (tftypes.Value, error) {
	value, err := in.value(e)
	if err != nil {
		return tftypes.Value{}, err
	}
	return fromLanguage(value, typ)
}

// evaluateBlock evaluates each attribute by itself: an error of the CLI is about one of them.
func evaluateBlock(attrs object, typ tftypes.Object, in *scope) (tftypes.Value, error) {
	values := map[string]tftypes.Value{}
	for name, attribute := range typ.AttributeTypes {
		value, err := evaluate(attrs[name], attribute, in)
		if err != nil {
			return value, err
		}
		values[name] = value
	}
	for name := range attrs {
		if _, known := values[name]; !known {
			return tftypes.Value{}, languageError{"Unsupported argument", name}
		}
	}
	return tftypes.NewValue(typ, values), nil
}

// value is an expression as a value of the language.
func (s *scope) value(e expression) (cty.Value, error) {
	if e == tftypes.UnknownValue {
		return cty.DynamicVal, nil
	}
	switch e := e.(type) {
	case nil:
		return cty.NullVal(cty.DynamicPseudoType), nil
	case ref:
		from, err := s.language(e.address)
		if err != nil {
			return from, err
		}
		return from.GetAttr(e.attribute), nil
	case formula:
		return e.value(s)
	case object:
		fields := map[string]cty.Value{}
		for name, inner := range e {
			value, err := s.value(inner)
			if err != nil {
				return value, err
			}
			fields[name] = value
		}
		return cty.ObjectVal(fields), nil
	case table:
		return s.tableValue(e)
	case list:
		var elements []cty.Value
		for _, inner := range e {
			value, err := s.value(inner)
			if err != nil {
				return value, err
			}
			elements = append(elements, value)
		}
		return cty.TupleVal(elements), nil
	default:
		typ, err := gocty.ImpliedType(e)
		if err != nil {
			return cty.NilVal, err
		}
		return gocty.ToCtyValue(e, typ)
	}
}

// tableValue is unknown as a whole if a key is.
func (s *scope) tableValue(t table) (cty.Value, error) {
	fields, known := map[string]cty.Value{}, true
	for _, r := range t {
		key, err := s.value(r.key)
		if err != nil {
			return key, err
		}
		value, err := s.value(r.value)
		if err != nil {
			return value, err
		}
		if known = known && key.IsKnown(); known {
			fields[key.AsString()] = value
		}
	}
	if !known {
		return cty.DynamicVal, nil
	}
	return cty.ObjectVal(fields), nil
}

// honors reports whether a value fits a planned one: equal except for unknown values. The CLI reports another value as
// a bug of the provider.
func honors(planned, got tftypes.Value, at string) error {
	_, isSet := planned.Type().(tftypes.Set)
	want, have := parts(planned), parts(got)
	switch {
	case !planned.IsKnown(), planned.Equal(got):
		return nil
	case !planned.IsFullyKnown() && (!got.IsKnown() || isSet && !got.IsNull()): // nobody can show which element is the unknown one
		return nil
	case isSet, len(want) != len(have), len(want) == 0:
		return fmt.Errorf("%s: planned %s, got %s", at, planned, got)
	}
	for name := range want {
		value, found := have[name]
		if !found {
			return fmt.Errorf("%s.%s: planned, and omitted", at, name)
		}
		if err := honors(want[name], value, at+"."+name); err != nil {
			return err
		}
	}
	return nil
}

// parts are the members of an object or of a map, or the elements of a list by their numbers.
func parts(v tftypes.Value) map[string]tftypes.Value {
	out := map[string]tftypes.Value{}
	maps.Copy(out, providertest.Members(v))
	for i, element := range providertest.Elements(v) {
		out[strconv.Itoa(i)] = element
	}
	return out
}
