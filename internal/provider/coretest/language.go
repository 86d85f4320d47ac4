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
)

// formula is an expression of the language.
type formula struct {
	expr  hclsyntax.Expression
	known map[string]cty.Value // var, path, count and each
	of    []*group
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
	"concat":     stdlib.ConcatFunc,
	"distinct":   stdlib.DistinctFunc,
	"floor":      stdlib.FloorFunc,
	"format":     stdlib.FormatFunc,
	"jsondecode": stdlib.JSONDecodeFunc,
	"jsonencode": stdlib.JSONEncodeFunc,
	"keys":       stdlib.KeysFunc,
	"length":     stdlib.LengthFunc,
	"merge":      stdlib.MergeFunc,
	"toset":      stdlib.MakeToFunc(cty.Set(cty.DynamicPseudoType)),
}

// value evaluates an expression. It is false if a resource of it could not be planned.
func (f formula) value(in *scope) (cty.Value, bool) {
	known := maps.Clone(f.known)
	managed, data := map[string]map[string]cty.Value{}, map[string]map[string]cty.Value{}
	for _, g := range f.of {
		value, ok := g.value(in)
		if !ok {
			return cty.NilVal, false
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
		panic(diags)
	}
	return value, true
}

// value is that of one instance, or of all in a tuple or in an object.
func (g *group) value(in *scope) (cty.Value, bool) {
	var all []cty.Value
	byKey := map[string]cty.Value{}
	for _, b := range g.instances {
		value, ok := in.language(b.address())
		if !ok {
			return cty.NilVal, false
		}
		all = append(all, value)
		byKey[b.eachKey()] = value
	}
	switch g.repeated {
	case counted:
		return cty.TupleVal(all), true
	case forEach:
		return cty.ObjectVal(byKey), true
	default:
		return all[0], true
	}
}

// as is the value as an attribute of a type.
func (f formula) as(typ tftypes.Type, in *scope) (tftypes.Value, bool) {
	value, ok := f.value(in)
	if !ok {
		return tftypes.Value{}, false
	}
	return must(fromLanguage(value, typ)), true
}

// must panics with an error, which a test reports.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// toLanguage is a value of the protocol as one of the language.
func toLanguage(v tftypes.Value) (cty.Value, error) {
	packed, err := tfprotov6.NewDynamicValue(tftypes.DynamicPseudoType, v)
	if err != nil {
		return cty.NilVal, err
	}
	return ctymsgpack.Unmarshal(packed.MsgPack, cty.DynamicPseudoType)
}

// fromLanguage converts a value as the language does. An object may lack any attribute.
func fromLanguage(v cty.Value, typ tftypes.Type) (tftypes.Value, error) {
	shape, err := toLanguage(null(typ))
	if err != nil {
		return tftypes.Value{}, err
	}
	v, err = convert.Convert(v, optional(shape.Type()))
	if err != nil {
		return tftypes.Value{}, fmt.Errorf("%#v: %w", v, err)
	}
	packed, err := ctymsgpack.Marshal(v, shape.Type())
	if err != nil {
		return tftypes.Value{}, err
	}
	return tfprotov6.DynamicValue{MsgPack: packed}.Unmarshal(typ)
}

// optional makes all attributes of objects in a type optional.
func optional(typ cty.Type) cty.Type {
	switch {
	case typ.IsObjectType():
		attributes := map[string]cty.Type{}
		for name, of := range typ.AttributeTypes() {
			attributes[name] = optional(of)
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
