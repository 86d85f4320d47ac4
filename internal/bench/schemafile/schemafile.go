// Package schemafile passes a provider's resource schemas from the bench to the floor provider, in a JSON file.
package schemafile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Variable is the environment variable that names the file to the floor provider.
const Variable = "RESELLER_BENCH_SCHEMA"

// Schemas are the parts of a provider's schema that a plan over resources uses.
type Schemas struct {
	Capabilities *tfprotov6.ServerCapabilities
	Provider     *tfprotov6.Schema
	Resources    map[string]*tfprotov6.Schema
	Identities   map[string]*tfprotov6.ResourceIdentitySchema
}

// Of returns the schemas of a provider.
func Of(ctx context.Context, server tfprotov6.ProviderServer) (*Schemas, error) {
	schema, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, fmt.Errorf("get the provider schema: %w", err)
	}
	identity, err := server.GetResourceIdentitySchemas(ctx, &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		return nil, fmt.Errorf("get the identity schemas: %w", err)
	}
	for _, d := range append(schema.Diagnostics, identity.Diagnostics...) {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			return nil, fmt.Errorf("invalid provider schema: %s: %s", d.Summary, d.Detail)
		}
	}
	return &Schemas{
		Capabilities: schema.ServerCapabilities,
		Provider:     schema.Provider,
		Resources:    schema.ResourceSchemas,
		Identities:   identity.IdentitySchemas,
	}, nil
}

// Write writes the schemas to a file.
func (s *Schemas) Write(path string) error {
	raw, err := json.Marshal(s) //nolint:musttag // the types of tfprotov6 have no tags, and reading uses the same names
	if err != nil {
		return err
	}
	return os.WriteFile(path, raw, 0o600)
}

// Read reads the schemas from a file of Write.
func Read(path string) (*Schemas, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var f file
	if err := json.Unmarshal(raw, &f); err != nil { //nolint:musttag // as in Write
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if f.Provider == nil || f.Resources == nil {
		return nil, errors.New(path + " has no provider schema")
	}
	s := &Schemas{
		Capabilities: f.Capabilities, Provider: f.Provider.schema(),
		Resources: map[string]*tfprotov6.Schema{}, Identities: map[string]*tfprotov6.ResourceIdentitySchema{},
	}
	for name, resource := range f.Resources {
		s.Resources[name] = resource.schema()
	}
	for name, identity := range f.Identities {
		s.Identities[name] = identity.schema()
	}
	return s, nil
}

// The types below mirror those of tfprotov6 that JSON cannot be decoded into, because an attribute's type is an
// interface. A field of the mirror hides the embedded field of the same name.
type (
	file struct {
		Capabilities *tfprotov6.ServerCapabilities
		Provider     *schema
		Resources    map[string]*schema
		Identities   map[string]*identitySchema
	}
	schema struct {
		tfprotov6.Schema
		Block *block
	}
	block struct {
		tfprotov6.SchemaBlock
		Attributes []*attribute
		BlockTypes []*nestedBlock
	}
	nestedBlock struct {
		tfprotov6.SchemaNestedBlock
		Block *block
	}
	attribute struct {
		tfprotov6.SchemaAttribute
		Type       jsonType
		NestedType *object
	}
	object struct {
		tfprotov6.SchemaObject
		Attributes []*attribute
	}
	identitySchema struct {
		tfprotov6.ResourceIdentitySchema
		IdentityAttributes []*identityAttribute
	}
	identityAttribute struct {
		tfprotov6.ResourceIdentitySchemaAttribute
		Type jsonType
	}
	jsonType struct{ tftypes.Type }
)

// UnmarshalJSON reads the form that tftypes writes.
func (t *jsonType) UnmarshalJSON(raw []byte) error {
	if string(raw) == "null" { // of an attribute with a nested type
		return nil
	}
	var err error
	t.Type, err = tftypes.ParseJSONType(raw) //nolint:staticcheck // SA1019: the only reader of what tftypes.Type's MarshalJSON writes
	return err
}

func (s *schema) schema() *tfprotov6.Schema {
	s.Schema.Block = s.Block.block()
	return &s.Schema
}

func (b *block) block() *tfprotov6.SchemaBlock {
	b.SchemaBlock.Attributes = attributes(b.Attributes)
	for _, nested := range b.BlockTypes {
		nested.SchemaNestedBlock.Block = nested.Block.block()
		b.SchemaBlock.BlockTypes = append(b.SchemaBlock.BlockTypes, &nested.SchemaNestedBlock)
	}
	return &b.SchemaBlock
}

func attributes(from []*attribute) []*tfprotov6.SchemaAttribute {
	var out []*tfprotov6.SchemaAttribute
	for _, a := range from {
		a.SchemaAttribute.Type = a.Type.Type
		if a.NestedType != nil {
			a.NestedType.SchemaObject.Attributes = attributes(a.NestedType.Attributes)
			a.SchemaAttribute.NestedType = &a.NestedType.SchemaObject
		}
		out = append(out, &a.SchemaAttribute)
	}
	return out
}

func (s *identitySchema) schema() *tfprotov6.ResourceIdentitySchema {
	for _, a := range s.IdentityAttributes {
		a.ResourceIdentitySchemaAttribute.Type = a.Type.Type
		s.ResourceIdentitySchema.IdentityAttributes = append(s.ResourceIdentitySchema.IdentityAttributes, &a.ResourceIdentitySchemaAttribute)
	}
	return &s.ResourceIdentitySchema
}
