// Package schemafile passes a provider's resource schemas from the bench to the floor provider, in a JSON file.
package schemafile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

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

// file is the schemas without the types of their attributes, which JSON cannot be decoded into, and these types in the
// order of places.
type file struct {
	*Schemas

	Types []json.RawMessage
}

// Write writes the schemas to a file, and keeps no type.
func (s *Schemas) Write(path string) error {
	f := file{Schemas: s}
	for _, place := range s.places() {
		raw, err := json.Marshal(*place) // null for an attribute with a nested type
		if err != nil {
			return err
		}
		f.Types = append(f.Types, raw)
		*place = nil
	}
	raw, err := json.Marshal(f) //nolint:musttag // the types of tfprotov6 have no tags, and reading uses the same names
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
	f := file{Schemas: &Schemas{}}
	if err := json.Unmarshal(raw, &f); err != nil { //nolint:musttag // as in Write
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	places := f.places()
	if len(places) == 0 || len(places) != len(f.Types) {
		return nil, errors.New(path + " has no provider schema")
	}
	for i, raw := range f.Types {
		if string(raw) == "null" {
			continue
		}
		if *places[i], err = tftypes.ParseJSONType(raw); err != nil { //nolint:staticcheck // SA1019: the only reader of what MarshalJSON of a type writes
			return nil, err
		}
	}
	return f.Schemas, nil
}

// places are those of all types, in a fixed order.
func (s *Schemas) places() (out []*tftypes.Type) {
	var block func(*tfprotov6.SchemaBlock)
	var attributes func([]*tfprotov6.SchemaAttribute)
	attributes = func(all []*tfprotov6.SchemaAttribute) {
		for _, a := range all {
			out = append(out, &a.Type)
			if a.NestedType != nil {
				attributes(a.NestedType.Attributes)
			}
		}
	}
	block = func(b *tfprotov6.SchemaBlock) {
		attributes(b.Attributes)
		for _, nested := range b.BlockTypes {
			block(nested.Block)
		}
	}
	if s.Provider != nil {
		block(s.Provider.Block)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Resources)) {
		block(s.Resources[name].Block)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Identities)) {
		for _, a := range s.Identities[name].IdentityAttributes {
			out = append(out, &a.Type)
		}
	}
	return out
}
