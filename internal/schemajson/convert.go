package main

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// The types below are the CLI's JSON format for this provider, which has nested attributes only. A nested block is an
// error.

type document struct {
	FormatVersion string                   `json:"format_version"`
	Providers     map[string]*providerJSON `json:"provider_schemas"`
}

type providerJSON struct {
	Provider           *schemaJSON              `json:"provider"`
	Resources          map[string]*schemaJSON   `json:"resource_schemas,omitempty"`
	DataSources        map[string]*schemaJSON   `json:"data_source_schemas,omitempty"`
	EphemeralResources map[string]*schemaJSON   `json:"ephemeral_resource_schemas,omitempty"`
	ListResources      map[string]*schemaJSON   `json:"list_resource_schemas,omitempty"`
	Actions            map[string]*schemaJSON   `json:"action_schemas,omitempty"`
	Functions          map[string]*functionJSON `json:"functions,omitempty"`
	Identities         map[string]*identityJSON `json:"resource_identity_schemas,omitempty"`
}

type schemaJSON struct {
	Version int64      `json:"version"`
	Block   *blockJSON `json:"block"`
}

type blockJSON struct {
	Attributes      map[string]*attributeJSON `json:"attributes,omitempty"`
	Description     string                    `json:"description,omitempty"`
	DescriptionKind string                    `json:"description_kind,omitempty"`
	Deprecated      bool                      `json:"deprecated,omitempty"`
}

type attributeJSON struct {
	Type            tftypes.Type `json:"type,omitempty"`
	NestedType      *nestedJSON  `json:"nested_type,omitempty"`
	Description     string       `json:"description,omitempty"`
	DescriptionKind string       `json:"description_kind,omitempty"`
	Deprecated      bool         `json:"deprecated,omitempty"`
	Required        bool         `json:"required,omitempty"`
	Optional        bool         `json:"optional,omitempty"`
	Computed        bool         `json:"computed,omitempty"`
	Sensitive       bool         `json:"sensitive,omitempty"`
	WriteOnly       bool         `json:"write_only,omitempty"`
}

type nestedJSON struct {
	Attributes  map[string]*attributeJSON `json:"attributes,omitempty"`
	NestingMode string                    `json:"nesting_mode"`
}

type functionJSON struct {
	Description        string           `json:"description,omitempty"`
	Summary            string           `json:"summary,omitempty"`
	DeprecationMessage string           `json:"deprecation_message,omitempty"`
	ReturnType         tftypes.Type     `json:"return_type"`
	Parameters         []*parameterJSON `json:"parameters,omitempty"`
	VariadicParameter  *parameterJSON   `json:"variadic_parameter,omitempty"`
}

type parameterJSON struct {
	Name        string       `json:"name,omitempty"`
	Description string       `json:"description,omitempty"`
	IsNullable  bool         `json:"is_nullable,omitempty"`
	Type        tftypes.Type `json:"type"`
}

type identityJSON struct {
	Version    int64                             `json:"version"`
	Attributes map[string]*identityAttributeJSON `json:"attributes,omitempty"`
}

type identityAttributeJSON struct {
	Type              tftypes.Type `json:"type"`
	Description       string       `json:"description,omitempty"`
	RequiredForImport bool         `json:"required_for_import,omitempty"`
	OptionalForImport bool         `json:"optional_for_import,omitempty"`
}

func convert(from *tfprotov6.GetProviderSchemaResponse, identities map[string]*tfprotov6.ResourceIdentitySchema) (*providerJSON, error) {
	actions := make(map[string]*tfprotov6.Schema, len(from.ActionSchemas))
	for name, a := range from.ActionSchemas {
		actions[name] = a.Schema
	}
	out := &providerJSON{
		Functions:  convertEach(from.Functions, convertFunction),
		Identities: convertEach(identities, convertIdentity),
	}
	var err error
	if out.Provider, err = convertSchema("provider", from.Provider); err != nil {
		return nil, err
	}
	for _, kind := range []struct {
		to   *map[string]*schemaJSON
		from map[string]*tfprotov6.Schema
	}{
		{&out.Resources, from.ResourceSchemas},
		{&out.DataSources, from.DataSourceSchemas},
		{&out.EphemeralResources, from.EphemeralResourceSchemas},
		{&out.ListResources, from.ListResourceSchemas},
		{&out.Actions, actions},
	} {
		*kind.to = make(map[string]*schemaJSON, len(kind.from))
		for name, s := range kind.from {
			if (*kind.to)[name], err = convertSchema(name, s); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func convertEach[From, To any](from map[string]From, one func(From) To) map[string]To {
	to := make(map[string]To, len(from))
	for name, v := range from {
		to[name] = one(v)
	}
	return to
}

func convertSchema(name string, s *tfprotov6.Schema) (*schemaJSON, error) {
	if len(s.Block.BlockTypes) > 0 {
		return nil, fmt.Errorf("%s has a nested block %q; this provider uses nested attributes", name, s.Block.BlockTypes[0].TypeName)
	}
	return &schemaJSON{
		Version: s.Version,
		Block: &blockJSON{
			Attributes:      convertAttributes(s.Block.Attributes),
			Description:     s.Block.Description,
			DescriptionKind: kind(s.Block.DescriptionKind),
			Deprecated:      s.Block.Deprecated,
		},
	}, nil
}

func convertAttributes(from []*tfprotov6.SchemaAttribute) map[string]*attributeJSON {
	to := make(map[string]*attributeJSON, len(from))
	for _, a := range from {
		attribute := &attributeJSON{
			Type:            a.Type,
			Description:     a.Description,
			DescriptionKind: kind(a.DescriptionKind),
			Deprecated:      a.Deprecated,
			Required:        a.Required,
			Optional:        a.Optional,
			Computed:        a.Computed,
			Sensitive:       a.Sensitive,
			WriteOnly:       a.WriteOnly,
		}
		if a.NestedType != nil {
			attribute.NestedType = &nestedJSON{
				Attributes:  convertAttributes(a.NestedType.Attributes),
				NestingMode: strings.ToLower(a.NestedType.Nesting.String()),
			}
		}
		to[a.Name] = attribute
	}
	return to
}

func convertFunction(f *tfprotov6.Function) *functionJSON {
	to := &functionJSON{
		Description:        f.Description,
		Summary:            f.Summary,
		DeprecationMessage: f.DeprecationMessage,
		ReturnType:         f.Return.Type,
	}
	for _, p := range f.Parameters {
		to.Parameters = append(to.Parameters, convertParameter(p))
	}
	if f.VariadicParameter != nil {
		to.VariadicParameter = convertParameter(f.VariadicParameter)
	}
	return to
}

func convertParameter(p *tfprotov6.FunctionParameter) *parameterJSON {
	return &parameterJSON{Name: p.Name, Description: p.Description, IsNullable: p.AllowNullValue, Type: p.Type}
}

func convertIdentity(s *tfprotov6.ResourceIdentitySchema) *identityJSON {
	to := &identityJSON{Version: s.Version, Attributes: make(map[string]*identityAttributeJSON, len(s.IdentityAttributes))}
	for _, a := range s.IdentityAttributes {
		to.Attributes[a.Name] = &identityAttributeJSON{
			Type:              a.Type,
			Description:       a.Description,
			RequiredForImport: a.RequiredForImport,
			OptionalForImport: a.OptionalForImport,
		}
	}
	return to
}

func kind(k tfprotov6.StringKind) string {
	if k == tfprotov6.StringKindMarkdown {
		return "markdown"
	}
	return "plain"
}
