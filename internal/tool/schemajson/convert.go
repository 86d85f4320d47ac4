package main

import (
	"encoding/json"
	"fmt"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// convert returns the schema in the form of the CLI's JSON. This provider has nested attributes only: a nested block is
// an error.
func convert(from *tfprotov6.GetProviderSchemaResponse, identities map[string]*tfprotov6.ResourceIdentitySchema) (*tfjson.ProviderSchema, error) {
	var c converter
	out := &tfjson.ProviderSchema{
		ConfigSchema:             c.schema(from.Provider),
		ResourceSchemas:          each(from.ResourceSchemas, c.schema),
		DataSourceSchemas:        each(from.DataSourceSchemas, c.schema),
		EphemeralResourceSchemas: each(from.EphemeralResourceSchemas, c.schema),
		ListResourceSchemas:      each(from.ListResourceSchemas, c.schema),
		ActionSchemas: each(from.ActionSchemas, func(a *tfprotov6.ActionSchema) *tfjson.ActionSchema {
			return &tfjson.ActionSchema{Block: c.schema(a.Schema).Block}
		}),
		Functions:               each(from.Functions, c.function),
		ResourceIdentitySchemas: each(identities, c.identity),
	}
	return out, c.err
}

func each[From, To any](from map[string]From, conversion func(From) To) map[string]To {
	to := make(map[string]To, len(from))
	for name, v := range from {
		to[name] = conversion(v)
	}
	return to
}

// converter has the first error.
type converter struct{ err error }

func (c *converter) typ(t tftypes.Type) (out cty.Type) {
	if t == nil { // of an attribute with a nested type
		return cty.NilType
	}
	raw, err := json.Marshal(t)
	if err == nil {
		out, err = ctyjson.UnmarshalType(raw)
	}
	if err != nil && c.err == nil {
		c.err = err
	}
	return out
}

func (c *converter) schema(s *tfprotov6.Schema) *tfjson.Schema {
	if len(s.Block.BlockTypes) > 0 && c.err == nil {
		c.err = fmt.Errorf("nested block %q; this provider uses nested attributes", s.Block.BlockTypes[0].TypeName)
	}
	return &tfjson.Schema{Version: uint64(s.Version), Block: &tfjson.SchemaBlock{
		Attributes:  c.attributes(s.Block.Attributes),
		Description: s.Block.Description, DescriptionKind: kind(s.Block.DescriptionKind), Deprecated: s.Block.Deprecated,
	}}
}

func (c *converter) attributes(from []*tfprotov6.SchemaAttribute) map[string]*tfjson.SchemaAttribute {
	to := make(map[string]*tfjson.SchemaAttribute, len(from))
	for _, a := range from {
		to[a.Name] = &tfjson.SchemaAttribute{
			AttributeType: c.typ(a.Type), Description: a.Description, DescriptionKind: kind(a.DescriptionKind), Deprecated: a.Deprecated,
			Required: a.Required, Optional: a.Optional, Computed: a.Computed, Sensitive: a.Sensitive, WriteOnly: a.WriteOnly,
		}
		if a.NestedType != nil {
			to[a.Name].AttributeNestedType = &tfjson.SchemaNestedAttributeType{
				Attributes:  c.attributes(a.NestedType.Attributes),
				NestingMode: tfjson.SchemaNestingMode(strings.ToLower(a.NestedType.Nesting.String())),
			}
		}
	}
	return to
}

func (c *converter) function(f *tfprotov6.Function) *tfjson.FunctionSignature {
	to := &tfjson.FunctionSignature{
		Description: f.Description, Summary: f.Summary, DeprecationMessage: f.DeprecationMessage, ReturnType: c.typ(f.Return.Type),
		VariadicParameter: c.parameter(f.VariadicParameter),
	}
	for _, p := range f.Parameters {
		to.Parameters = append(to.Parameters, c.parameter(p))
	}
	return to
}

func (c *converter) parameter(p *tfprotov6.FunctionParameter) *tfjson.FunctionParameter {
	if p == nil {
		return nil
	}
	return &tfjson.FunctionParameter{Name: p.Name, Description: p.Description, IsNullable: p.AllowNullValue, Type: c.typ(p.Type)}
}

func (c *converter) identity(s *tfprotov6.ResourceIdentitySchema) *tfjson.IdentitySchema {
	to := &tfjson.IdentitySchema{Version: uint64(s.Version), Attributes: map[string]*tfjson.IdentityAttribute{}}
	for _, a := range s.IdentityAttributes {
		to.Attributes[a.Name] = &tfjson.IdentityAttribute{
			IdentityType: c.typ(a.Type), Description: a.Description,
			RequiredForImport: a.RequiredForImport, OptionalForImport: a.OptionalForImport,
		}
	}
	return to
}

func kind(k tfprotov6.StringKind) tfjson.SchemaDescriptionKind {
	return tfjson.SchemaDescriptionKind(strings.ToLower(k.String()))
}
