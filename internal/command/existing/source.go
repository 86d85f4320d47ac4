package existing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/export/hclblock"
)

// source is a configured provider.
type source struct {
	server tfprotov6.ProviderServer
	schema *tfprotov6.GetProviderSchemaResponse
	types  map[string]cty.Type // of the resources that were asked for
}

// connect configures the provider without a provider block, so that all settings come from the environment.
func connect(ctx context.Context, server tfprotov6.ProviderServer, stderr io.Writer) (*source, error) {
	schema, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	s := &source{server, schema, map[string]cty.Type{}}
	for _, name := range Types {
		if s.types[name], err = hclblock.Type(schema.ResourceSchemas[name]); err != nil {
			return nil, err
		}
	}
	none, err := tfprotov6.NewDynamicValue(schema.Provider.ValueType(), tftypes.NewValue(schema.Provider.ValueType(), nil))
	if err != nil {
		return nil, err
	}
	set, err := server.ConfigureProvider(ctx, &tfprotov6.ConfigureProviderRequest{Config: &none})
	if err != nil {
		return nil, err
	}
	for _, d := range set.Diagnostics {
		if d.Severity == tfprotov6.DiagnosticSeverityWarning {
			fmt.Fprintf(stderr, "%s. %s\n", d.Summary, d.Detail)
		}
	}
	if err := errorOf(set.Diagnostics); err != nil {
		return nil, err
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
	object := imported.ImportedResources[0]
	return s.read(ctx, &tfprotov6.ReadResourceRequest{
		TypeName: typeName, CurrentState: object.State, CurrentIdentity: object.Identity, Private: object.Private,
	}, id)
}

// read returns the state of an object after a read.
func (s *source) read(ctx context.Context, req *tfprotov6.ReadResourceRequest, name string) (cty.Value, error) {
	state, err := s.server.ReadResource(ctx, req)
	if err == nil {
		err = errorOf(state.Diagnostics)
	}
	if err != nil {
		return cty.NilVal, err
	}
	value, err := msgpack.Unmarshal(state.NewState.MsgPack, s.types[req.TypeName])
	if err == nil && value.IsNull() {
		err = &problem{goneSummary, name}
	}
	return value, err
}

// listed is one result of a list: its name, and its state or its identity.
type listed struct {
	name  string
	value cty.Value
}

// list returns the objects of a type.
func (s *source) list(ctx context.Context, typeName string, given map[string]string, states bool) ([]listed, error) {
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
	var out []listed
	for result := range stream.Results {
		data := result.Resource
		typ := s.types[typeName]
		err := errorOf(result.Diagnostics)
		if err == nil && !states {
			data = result.Identity.IdentityData
			typ, err = msgpack.ImpliedType(data.MsgPack)
		}
		if err != nil {
			return nil, err
		}
		value, err := msgpack.Unmarshal(data.MsgPack, typ)
		if err != nil {
			return nil, err
		}
		out = append(out, listed{result.DisplayName, value})
	}
	return out, nil
}

// accepts returns what the schema rejects of a configuration with some attributes.
func (s *source) accepts(ctx context.Context, typeName string, attributes []hclblock.Attribute) error {
	data, err := msgpack.Marshal(hclblock.Config(s.types[typeName], attributes), s.types[typeName])
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

const dashboard = "reseller_dashboard"

// slug of the reseller, from the dashboard.
func (s *source) slug(ctx context.Context) (string, error) {
	config, err := configured(s.schema.DataSourceSchemas[dashboard], nil)
	if err != nil {
		return "", err
	}
	read, err := s.server.ReadDataSource(ctx, &tfprotov6.ReadDataSourceRequest{TypeName: dashboard, Config: config})
	if err == nil {
		err = errorOf(read.Diagnostics)
	}
	if err != nil {
		return "", err
	}
	typ, err := hclblock.Type(s.schema.DataSourceSchemas[dashboard])
	if err != nil {
		return "", err
	}
	value, err := msgpack.Unmarshal(read.State.MsgPack, typ)
	if err != nil {
		return "", err
	}
	return textOf(value, "slug"), nil
}

func textOf(state cty.Value, name string) string {
	value := state.GetAttr(name)
	if value.IsNull() {
		return ""
	}
	return value.AsString()
}

// problem is what a response rejects.
type problem struct{ summary, text string }

func (p *problem) Error() string {
	return p.text
}

// errorOf returns the errors of a response.
func errorOf(diagnostics []*tfprotov6.Diagnostic) error {
	var p problem
	var texts []string
	for _, d := range diagnostics {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			p.summary = d.Summary
			texts = append(texts, d.Summary+". "+d.Detail)
		}
	}
	if len(texts) == 0 {
		return nil
	}
	slices.Sort(texts) // the framework has no order of its own
	p.text = strings.Join(texts, "\n")
	return &p
}

// Summaries of the provider's errors for an object that it does not find, and that a read no longer finds.
const (
	goneSummary    = "Private label not found"
	noItemSummary  = "Catalog item not found"
	unknownSummary = "Object not found, its reseller is unknown"
)

// isGone reports whether an object no longer exists, or never did.
func isGone(err error) bool {
	var p *problem
	return errors.As(err, &p) && slices.Contains([]string{goneSummary, noItemSummary, unknownSummary}, p.summary)
}
