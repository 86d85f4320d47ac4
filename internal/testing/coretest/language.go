package coretest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	ctymsgpack "github.com/zclconf/go-cty/cty/msgpack"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// formula is an expression of the language.
type formula struct {
	expr   hclsyntax.Expression
	known  map[string]cty.Value // var, path, count and each
	groups []*group
}

// group is a declared resource or data source with its instances.
type group struct {
	address   string
	repeated  repetition
	instances []*block
}

type repetition int

const (
	once repetition = iota
	counted
	forEach
)

// functions of the language that tests use.
var functions = map[string]function.Function{
	"abspath": function.New(&function.Spec{ // of a path that is absolute
		Params: []function.Parameter{{Name: "path", Type: cty.String}},
		Type:   function.StaticReturnType(cty.String),
		Impl:   func(args []cty.Value, _ cty.Type) (cty.Value, error) { return args[0], nil },
	}),
	"coalesce":   stdlib.CoalesceFunc,
	"concat":     stdlib.ConcatFunc,
	"distinct":   stdlib.DistinctFunc,
	"floor":      stdlib.FloorFunc,
	"format":     stdlib.FormatFunc,
	"join":       stdlib.JoinFunc,
	"jsondecode": stdlib.JSONDecodeFunc,
	"jsonencode": stdlib.JSONEncodeFunc,
	"keys":       stdlib.KeysFunc,
	"length":     stdlib.LengthFunc,
	"merge":      stdlib.MergeFunc,
	"toset":      stdlib.MakeToFunc(cty.Set(cty.DynamicPseudoType)),
}

// value evaluates an expression.
func (f formula) value(in *scope) (cty.Value, error) {
	known := maps.Clone(f.known)
	managed, data := map[string]map[string]cty.Value{}, map[string]map[string]cty.Value{}
	for _, g := range f.groups {
		value, err := g.value(in)
		if err != nil {
			return cty.NilVal, err
		}
		names, into := strings.Split(g.address, "."), managed
		if names[0] == "data" {
			names, into = names[1:], data
		}
		if into[names[0]] == nil {
			into[names[0]] = map[string]cty.Value{}
		}
		into[names[0]][names[1]] = value
	}
	for typ, names := range managed {
		known[typ] = cty.ObjectVal(names)
	}
	types := map[string]cty.Value{}
	for typ, names := range data {
		types[typ] = cty.ObjectVal(names)
	}
	known["data"] = cty.ObjectVal(types)
	value, diags := f.expr.Value(&hcl.EvalContext{Variables: known, Functions: functions})
	if diags.HasErrors() {
		return cty.NilVal, languageError{diags[0].Summary, diags[0].Detail}
	}
	return value, nil
}

const summaryWrongType = "Incorrect attribute value type"

// languageError is an error of the CLI, not of the provider.
type languageError struct{ summary, detail string }

func (e languageError) Error() string { return e.summary + ": " + e.detail }

// value is that of one instance, or of all in a tuple or in an object.
func (g *group) value(in *scope) (cty.Value, error) {
	var all []cty.Value
	byKey := map[string]cty.Value{}
	for _, b := range g.instances {
		value, err := in.language(b.address())
		if err != nil {
			return cty.NilVal, err
		}
		all = append(all, value)
		byKey[b.eachKey()] = value
	}
	switch g.repeated {
	case counted:
		return cty.TupleVal(all), nil
	case forEach:
		return cty.ObjectVal(byKey), nil
	default:
		return all[0], nil
	}
}

// fromLanguage converts a value as the language does. An object may lack any attribute.
func fromLanguage(v cty.Value, typ tftypes.Type) (tftypes.Value, error) {
	shape, err := providertest.ToLanguage(null(typ))
	if err != nil {
		return tftypes.Value{}, err
	}
	v, err = convert.Convert(v, optional(shape.Type()))
	if err != nil {
		return tftypes.Value{}, languageError{summaryWrongType, err.Error()}
	}
	packed, err := ctymsgpack.Marshal(v, shape.Type())
	if err != nil {
		return tftypes.Value{}, err
	}
	return tfprotov6.DynamicValue{MsgPack: packed}.Unmarshal(typ)
}

// missing finds a required attribute without a value. It is called an argument at the top.
func missing(attributes []*tfprotov6.SchemaAttribute, values map[string]tftypes.Value, what string) error {
	for _, a := range attributes {
		value, given := values[a.Name]
		if !given || value.IsNull() {
			if a.Required {
				summary := "Missing required argument"
				if what == "attribute" {
					summary = summaryWrongType
				}
				return languageError{summary, fmt.Sprintf("The %s %q is required.", what, a.Name)}
			}
			continue
		}
		if a.NestedType == nil || !value.IsKnown() {
			continue
		}
		for _, object := range objectsIn(a.NestedType, value) {
			if object.IsNull() || !object.IsKnown() {
				continue
			}
			if err := missing(a.NestedType.Attributes, providertest.Members(object), "attribute"); err != nil {
				return err
			}
		}
	}
	return nil
}

func objectsIn(nested *tfprotov6.SchemaObject, value tftypes.Value) []tftypes.Value {
	switch nested.Nesting {
	case tfprotov6.SchemaObjectNestingModeSingle:
		return []tftypes.Value{value}
	case tfprotov6.SchemaObjectNestingModeMap:
		return slices.Collect(maps.Values(providertest.Members(value)))
	default:
		return providertest.Elements(value)
	}
}

// optional makes all attributes of objects in a type optional.
func optional(typ cty.Type) cty.Type {
	switch {
	case typ.IsObjectType():
		attributes := map[string]cty.Type{}
		for name, attribute := range typ.AttributeTypes() {
			attributes[name] = optional(attribute)
		}
		return cty.ObjectWithOptionalAttrs(attributes, slices.Collect(maps.Keys(attributes)))
	case typ.IsListType():
		return cty.List(optional(typ.ElementType()))
	case typ.IsSetType():
		return cty.Set(optional(typ.ElementType()))
	case typ.IsMapType():
		return cty.Map(optional(typ.ElementType()))
	default:
		return typ
	}
}

// addressOf is the address in a reference.
func addressOf(path hcl.Traversal) string {
	var out strings.Builder
	out.WriteString(path.RootName())
	for _, step := range path[1:] {
		switch step := step.(type) {
		case hcl.TraverseAttr:
			out.WriteString("." + step.Name)
		case hcl.TraverseIndex:
			out.WriteString(instanceKey(step.Key))
		}
	}
	return out.String()
}

// instanceKey is [0] or ["a"].
func instanceKey(key cty.Value) string {
	if key.Type() == cty.String {
		return fmt.Sprintf("[%q]", key.AsString())
	}
	return fmt.Sprintf("[%s]", key.AsBigFloat().Text('f', 0))
}
