package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
)

// source is a configured provider.
type source struct {
	server tfprotov6.ProviderServer
	schema *tfprotov6.GetProviderSchemaResponse
	types  map[string]cty.Type // of the resources that were asked for
}

// connect configures the provider with an empty provider block, so that all settings come from the environment.
func connect(ctx context.Context, server tfprotov6.ProviderServer, stderr io.Writer) (*source, error) {
	schema, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	s := &source{server, schema, map[string]cty.Type{}}
	for _, name := range exported {
		text, err := json.Marshal(schema.ResourceSchemas[name].ValueType()) // a form of types that both libraries know
		if err != nil {
			return nil, err
		}
		if s.types[name], err = ctyjson.UnmarshalType(text); err != nil {
			return nil, err
		}
	}
	config, err := configured(schema.Provider, nil)
	if err != nil {
		return nil, err
	}
	set, err := server.ConfigureProvider(ctx, &tfprotov6.ConfigureProviderRequest{Config: config})
	if err != nil {
		return nil, err
	}
	for _, d := range set.Diagnostics {
		if d.Severity == tfprotov6.DiagnosticSeverityWarning {
			fmt.Fprintf(stderr, "%s. %s\n", d.Summary, d.Detail)
		}
	}
	if err := errorOf(set.Diagnostics); err != nil {
		return nil, fmt.Errorf("%w An export has no provider block: set the environment variables", err)
	}
	return s, nil
}

// configured is a configuration with some attributes; the others are null.
func configured(schema *tfprotov6.Schema, given map[string]string) (*tfprotov6.DynamicValue, error) {
	values := map[string]tftypes.Value{}
	for _, a := range schema.Block.Attributes {
		values[a.Name] = tftypes.NewValue(a.ValueType(), nil)
		if text, ok := given[a.Name]; ok {
			values[a.Name] = tftypes.NewValue(tftypes.String, text)
		}
	}
	config, err := tfprotov6.NewDynamicValue(schema.ValueType(), tftypes.NewValue(schema.ValueType(), values))
	return &config, err
}

// imported returns the state of an object after an import.
func (s *source) imported(ctx context.Context, typeName, id string) (cty.Value, error) {
	imported, err := s.server.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{TypeName: typeName, ID: id})
	if err == nil {
		err = errorOf(imported.Diagnostics)
	}
	if err != nil {
		return cty.NilVal, err
	}
	one := imported.ImportedResources[0]
	state, err := s.server.ReadResource(ctx, &tfprotov6.ReadResourceRequest{
		TypeName: typeName, CurrentState: one.State, CurrentIdentity: one.Identity, Private: one.Private,
	})
	if err == nil {
		err = errorOf(state.Diagnostics)
	}
	if err != nil {
		return cty.NilVal, err
	}
	value, err := msgpack.Unmarshal(state.NewState.MsgPack, s.types[typeName])
	if err == nil && value.IsNull() {
		err = fmt.Errorf("%s %s was removed during the export; run it again", typeName, id)
	}
	return value, err
}

// list returns the states of the objects of a type, or their identities.
func (s *source) list(ctx context.Context, typeName string, given map[string]string, states bool) ([]cty.Value, error) {
	config, err := configured(s.schema.ListResourceSchemas[typeName], given)
	if err != nil {
		return nil, err
	}
	lists, ok := s.server.(tfprotov6.ListResourceServer)
	if !ok {
		return nil, errors.New("this provider lists nothing")
	}
	stream, err := lists.ListResource(ctx, &tfprotov6.ListResourceRequest{TypeName: typeName, Config: config, IncludeResource: states})
	if err != nil {
		return nil, err
	}
	var out []cty.Value
	for one := range stream.Results {
		data, typ, err := one.Resource, s.types[typeName], errorOf(one.Diagnostics)
		if err == nil && !states {
			data = one.Identity.IdentityData
			typ, err = msgpack.ImpliedType(data.MsgPack)
		}
		if err != nil {
			return nil, err
		}
		value, err := msgpack.Unmarshal(data.MsgPack, typ)
		if err != nil {
			return nil, err
		}
		out = append(out, value)
	}
	return out, nil
}

// accepts returns what the schema rejects of a configuration with some attributes.
func (s *source) accepts(ctx context.Context, typeName string, attributes []attribute) error {
	values := map[string]cty.Value{}
	for name, typ := range s.types[typeName].AttributeTypes() {
		values[name] = cty.NullVal(typ)
	}
	for _, a := range attributes {
		values[a.name] = a.value
	}
	data, err := msgpack.Marshal(cty.ObjectVal(values), s.types[typeName])
	if err != nil {
		return err
	}
	config := &tfprotov6.DynamicValue{MsgPack: data}
	checked, err := s.server.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{TypeName: typeName, Config: config})
	if err != nil {
		return err
	}
	return errorOf(checked.Diagnostics)
}

// attribute of a resource.
type attribute struct {
	name  string
	value cty.Value
}

// unwritten are attributes that an import sets and a configuration need not have: the default of deletion_policy, and the
// owner, who is sent only at provisioning.
var unwritten = map[string]bool{"deletion_policy": true, "owner": true}

// configurable returns what a configuration says about a state: the private label first, then the required attributes.
func (s *source) configurable(typeName string, state cty.Value) []attribute {
	var out []attribute
	rank := map[string]int{}
	for _, a := range s.schema.ResourceSchemas[typeName].Block.Attributes {
		if value := state.GetAttr(a.Name); (a.Required || a.Optional) && !value.IsNull() && !unwritten[a.Name] {
			out = append(out, attribute{a.Name, value})
		}
		if a.Required {
			rank[a.Name]--
		}
	}
	rank[attributeLabel]--
	slices.SortStableFunc(out, func(a, b attribute) int { return rank[a.name] - rank[b.name] })
	return out
}

func textOf(state cty.Value, name string) string {
	value := state.GetAttr(name)
	if value.IsNull() {
		return ""
	}
	return value.AsString()
}

// errorOf returns the errors of a response.
func errorOf(diagnostics []*tfprotov6.Diagnostic) error {
	var texts []string
	for _, d := range diagnostics {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			texts = append(texts, d.Summary+". "+d.Detail)
		}
	}
	if len(texts) == 0 {
		return nil
	}
	slices.Sort(texts) // the framework has no order of its own
	return errors.New(strings.Join(texts, "\n"))
}
