// Package hclblock decides what a resource block says about an object that exists: for `export`, and for the configuration
// that a CLI generates.
package hclblock

import (
	"encoding/json"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// Label is the attribute that refers to a private label.
const Label = "private_label_id"

// Attribute of a resource.
type Attribute struct {
	Name  string
	Value cty.Value
}

const (
	policy = "deletion_policy"
	owner  = "owner"
)

// isUnwritten reports whether an import sets an attribute that a configuration need not have: the defaults of
// deletion_policy and required, and the owner, who is sent only at provisioning.
func isUnwritten(name string, value cty.Value) bool {
	return name == policy || name == owner || name == "required" && value.RawEquals(cty.True)
}

// Attributes returns what a configuration says about a state, the private label first, then the required attributes. It
// also returns the names of required attributes that the state does not have.
func Attributes(schema *tfprotov6.Schema, state cty.Value) (out []Attribute, missing []string) {
	var required, optional []Attribute
	for _, a := range schema.Block.Attributes {
		value := state.GetAttr(a.Name)
		switch {
		case !a.Required && !a.Optional, isUnwritten(a.Name, value), a.Sensitive, a.WriteOnly:
		case value.IsNull() && a.Required:
			missing = append(missing, a.Name)
		case value.IsNull():
		case a.Name == Label:
			out = append(out, Attribute{a.Name, value})
		case a.Required:
			required = append(required, Attribute{a.Name, value})
		default:
			optional = append(optional, Attribute{a.Name, value})
		}
	}
	return slices.Concat(out, required, optional), missing
}

// Carried is what a configuration says about a state that another configuration wrote: besides Attributes, its deletion
// policy unless it is the default, and the owner, if names were configured.
func Carried(schema *tfprotov6.Schema, state cty.Value, defaultPolicy string) (out []Attribute, missing []string) {
	out, missing = Attributes(schema, state)
	for _, a := range schema.Block.Attributes {
		value := state.GetAttr(a.Name)
		switch {
		case value.IsNull():
		case a.Name == policy && value.AsString() != defaultPolicy:
			out = append(out, Attribute{a.Name, value})
		case a.Name == owner && !value.GetAttr("first_name").IsNull():
			configured := map[string]cty.Value{}
			for _, nested := range a.NestedType.Attributes {
				if nested.Required || nested.Optional {
					configured[nested.Name] = value.GetAttr(nested.Name)
				}
			}
			out = append(out, Attribute{a.Name, cty.ObjectVal(configured)})
		}
	}
	return out, missing
}

// Config is a configuration with some attributes; the others are null.
func Config(typ cty.Type, attributes []Attribute) cty.Value {
	values := map[string]cty.Value{}
	for name, typ := range typ.AttributeTypes() {
		values[name] = cty.NullVal(typ)
	}
	for _, a := range attributes {
		values[a.Name] = a.Value
		if attribute := typ.AttributeType(a.Name); attribute.IsObjectType() && !a.Value.IsNull() { // without what is computed
			var nested []Attribute
			for name, value := range a.Value.AsValueMap() {
				nested = append(nested, Attribute{name, value})
			}
			values[a.Name] = Config(attribute, nested)
		}
	}
	return cty.ObjectVal(values)
}

// Type is the type of a schema in the library that writes configurations.
func Type(schema *tfprotov6.Schema) (typ cty.Type, err error) {
	text, err := json.Marshal(schema.ValueType()) // a form of types that both libraries know
	if err == nil {
		typ, err = ctyjson.UnmarshalType(text)
	}
	return typ, err
}
