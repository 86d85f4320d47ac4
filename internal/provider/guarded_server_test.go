package provider

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/action"
	aschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	dschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	eschema "github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/list"
	lschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// passed are the requests that run no code of a resource: schemas, which every test asks for, and what the provider does not have.
var passed = []string{
	"GetMetadata", "GetProviderSchema", "GetResourceIdentitySchemas", "GetFunctions", "StopProvider", "UpgradeResourceState", "UpgradeResourceIdentity",
	"MoveResourceState", "RenewEphemeralResource", "CloseEphemeralResource",
}

// Any other request that the guard does not have would reach the framework unguarded.
func TestGuard_HasEveryRequest(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "guarded_server.go", nil, 0)
	require.NoError(t, err)
	var methods []string
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Recv != nil {
			methods = append(methods, f.Name.Name)
		}
	}
	for method := range reflect.TypeFor[Server]().Methods() {
		if !slices.Contains(methods, method.Name) && !slices.Contains(passed, method.Name) {
			t.Errorf("%s is not guarded", method.Name)
		}
	}
}

const panicSecret = "hunter2hunter2"

// A panic anywhere becomes one diagnostic without its value, and the state stays.
func TestGuard_Panics(t *testing.T) {
	t.Parallel()
	const typeName = "panicky_thing"
	value := func(id, name any) *tfprotov6.DynamicValue { return thing(t, id, name) }
	planned := value(tftypes.UnknownValue, "n")
	created, other := value("id-1", "n"), value("id-1", "other")
	for _, tc := range []struct {
		name     string
		at       string
		request  func(context.Context, guardedServer) ([]*tfprotov6.Diagnostic, *tfprotov6.DynamicValue, error)
		state    *tfprotov6.DynamicValue // afterwards
		severity tfprotov6.DiagnosticSeverity
	}{
		{"create", "create", applyThing(nil, planned), nil, tfprotov6.DiagnosticSeverityError},
		{"update", "update", applyThing(created, other), created, tfprotov6.DiagnosticSeverityError},
		{"delete", "delete", applyThing(created, nothing(t)), created, tfprotov6.DiagnosticSeverityError},
		{"read", "read", func(ctx context.Context, s guardedServer) ([]*tfprotov6.Diagnostic, *tfprotov6.DynamicValue, error) {
			resp, err := s.ReadResource(ctx, &tfprotov6.ReadResourceRequest{TypeName: typeName, CurrentState: created})
			return resp.Diagnostics, resp.NewState, err
		}, created, tfprotov6.DiagnosticSeverityError},
		{"plan", "plan", func(ctx context.Context, s guardedServer) ([]*tfprotov6.Diagnostic, *tfprotov6.DynamicValue, error) {
			resp, err := s.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{TypeName: typeName, PriorState: nothing(t), ProposedNewState: planned, Config: value(nil, "n")})
			return resp.Diagnostics, nil, err
		}, nil, tfprotov6.DiagnosticSeverityError},
		{"import", "import", func(ctx context.Context, s guardedServer) ([]*tfprotov6.Diagnostic, *tfprotov6.DynamicValue, error) {
			resp, err := s.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{TypeName: typeName, ID: "id-1"})
			return resp.Diagnostics, nil, err
		}, nil, tfprotov6.DiagnosticSeverityError},
		{"validate", "validate", func(ctx context.Context, s guardedServer) ([]*tfprotov6.Diagnostic, *tfprotov6.DynamicValue, error) {
			resp, err := s.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{TypeName: typeName, Config: value(nil, "n")})
			return resp.Diagnostics, nil, err
		}, nil, tfprotov6.DiagnosticSeverityError},
		{"data source", "data", func(ctx context.Context, s guardedServer) ([]*tfprotov6.Diagnostic, *tfprotov6.DynamicValue, error) {
			resp, err := s.ReadDataSource(ctx, &tfprotov6.ReadDataSourceRequest{TypeName: typeName, Config: value(nil, "n")})
			return resp.Diagnostics, nil, err
		}, nil, tfprotov6.DiagnosticSeverityError},
		{"ephemeral resource", "open", func(ctx context.Context, s guardedServer) ([]*tfprotov6.Diagnostic, *tfprotov6.DynamicValue, error) {
			resp, err := s.OpenEphemeralResource(ctx, &tfprotov6.OpenEphemeralResourceRequest{TypeName: typeName, Config: value(nil, "n")})
			return resp.Diagnostics, nil, err
		}, nil, tfprotov6.DiagnosticSeverityError},
		{"list at once", "list", listThings, nil, tfprotov6.DiagnosticSeverityError},
		{"list in the middle", "listed", listThings, nil, tfprotov6.DiagnosticSeverityError},
		{"action", "invoke", func(ctx context.Context, s guardedServer) ([]*tfprotov6.Diagnostic, *tfprotov6.DynamicValue, error) {
			stream, err := s.InvokeAction(ctx, &tfprotov6.InvokeActionRequest{ActionType: typeName, Config: value(nil, "n")})
			var diags []*tfprotov6.Diagnostic
			for event := range stream.Events {
				if done, ok := event.Type.(tfprotov6.CompletedInvokeActionEventType); ok {
					diags = append(diags, done.Diagnostics...)
				}
			}
			return diags, nil, err
		}, nil, tfprotov6.DiagnosticSeverityError},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := panickyServer(t, tc.at)
			diags, state, err := tc.request(t.Context(), s)
			require.NoError(t, err)
			require.Len(t, diags, 1, "diagnostics")
			require.Equal(t, tc.severity, diags[0].Severity, "diagnostics %v", diags)
			require.Equal(t, "Provider failed internally", diags[0].Summary, "diagnostics %v", diags)
			if text := diags[0].Detail; strings.Contains(text, panicSecret) || !strings.Contains(text, "guarded_server_test.go:") {
				t.Errorf("the detail is %s", text)
			}
			assert.True(t, sameThing(t, state, tc.state), "the state is %v, want %v", state, tc.state)
		})
	}
	t.Run("function", func(t *testing.T) {
		t.Parallel()
		s := panickyServer(t, "function")
		resp, err := s.CallFunction(t.Context(), &tfprotov6.CallFunctionRequest{Name: "thing"})
		require.NoError(t, err, resp)
		require.NotNil(t, resp.Error, "%v, %v", resp, err)
		assert.NotContains(t, resp.Error.Text, panicSecret, resp)
	})
}

// All text is cleaned, whether the framework or a resource set it.
func TestGuard_CleansText(t *testing.T) {
	t.Parallel()
	s := panickyServer(t, "bad text")
	const typeName = "panicky_thing"
	read, err := s.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{TypeName: typeName, Config: thing(t, nil, "n")})
	require.NoError(t, err, read)
	require.Len(t, read.Diagnostics, 2, read)
	for _, d := range read.Diagnostics {
		assert.Equal(t, "a\ufffd[31mb c", d.Summary, "%q", d.Detail)
		assert.True(t, strings.HasPrefix(d.Detail, "line\nline\ufffd"), "%q: %q", d.Summary, d.Detail)
		assert.True(t, strings.HasSuffix(d.Detail, "remedy"), "%q: %q", d.Summary, d.Detail)
		assert.LessOrEqual(t, len([]rune(d.Detail)), diagnostic.MaxDetail, "characters")
	}
	stream, err := s.ListResource(t.Context(), &tfprotov6.ListResourceRequest{TypeName: typeName, Config: thing(t, nil, "n")})
	require.NoError(t, err)
	for result := range stream.Results {
		assert.Equal(t, "a\ufffd[31mb c", result.DisplayName)
	}
	events, err := s.InvokeAction(t.Context(), &tfprotov6.InvokeActionRequest{ActionType: typeName, Config: thing(t, nil, "n")})
	require.NoError(t, err)
	told := 0
	for event := range events.Events {
		if progress, ok := event.Type.(tfprotov6.ProgressInvokeActionEventType); ok {
			told++
			assert.Equal(t, "a\ufffd[31mb\nc", progress.Message)
		}
	}
	called, err := s.CallFunction(t.Context(), &tfprotov6.CallFunctionRequest{Name: "thing"})
	if err != nil || called.Error == nil || called.Error.Text != "a\ufffd[31mb\nc" || told != 1 {
		t.Errorf("%v, %v", called, err)
	}
}

const badText = "a\x1b[31mb\nc"

func thingType() tftypes.Object {
	return tftypes.Object{AttributeTypes: map[string]tftypes.Type{"id": tftypes.String, "name": tftypes.String}}
}

func thing(t *testing.T, id, name any) *tfprotov6.DynamicValue {
	t.Helper()
	v, err := tfprotov6.NewDynamicValue(thingType(), tftypes.NewValue(thingType(), map[string]tftypes.Value{
		"id": tftypes.NewValue(tftypes.String, id), "name": tftypes.NewValue(tftypes.String, name),
	}))
	require.NoError(t, err)
	return &v
}

func nothing(t *testing.T) *tfprotov6.DynamicValue {
	t.Helper()
	v, err := tfprotov6.NewDynamicValue(thingType(), tftypes.NewValue(thingType(), nil))
	require.NoError(t, err)
	return &v
}

// sameThing treats a null state as none.
func sameThing(t *testing.T, a, b *tfprotov6.DynamicValue) bool {
	t.Helper()
	read := func(v *tfprotov6.DynamicValue) tftypes.Value {
		if v == nil {
			return tftypes.NewValue(thingType(), nil)
		}
		out, err := v.Unmarshal(thingType())
		require.NoError(t, err)
		return out
	}
	return read(a).Equal(read(b))
}

func applyThing(prior, planned *tfprotov6.DynamicValue) func(context.Context, guardedServer) ([]*tfprotov6.Diagnostic, *tfprotov6.DynamicValue, error) {
	return func(ctx context.Context, s guardedServer) ([]*tfprotov6.Diagnostic, *tfprotov6.DynamicValue, error) {
		if prior == nil {
			null, err := tfprotov6.NewDynamicValue(thingType(), tftypes.NewValue(thingType(), nil))
			if err != nil {
				return nil, nil, err
			}
			prior = &null
		}
		resp, err := s.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{TypeName: "panicky_thing", PriorState: prior, PlannedState: planned, Config: planned})
		return resp.Diagnostics, resp.NewState, err
	}
}

func listThings(ctx context.Context, s guardedServer) ([]*tfprotov6.Diagnostic, *tfprotov6.DynamicValue, error) {
	null, err := tfprotov6.NewDynamicValue(thingType(), tftypes.NewValue(thingType(), map[string]tftypes.Value{
		"id": tftypes.NewValue(tftypes.String, nil), "name": tftypes.NewValue(tftypes.String, nil),
	}))
	if err != nil {
		return nil, nil, err
	}
	stream, err := s.ListResource(ctx, &tfprotov6.ListResourceRequest{TypeName: "panicky_thing", Config: &null, Limit: 10})
	if err != nil {
		return nil, nil, err
	}
	var diags []*tfprotov6.Diagnostic
	for result := range stream.Results {
		diags = append(diags, result.Diagnostics...)
	}
	return diags, nil, nil
}

// panicky is a provider that panics in one method.
type panicky struct{ at string }

func panickyServer(t *testing.T, at string) guardedServer {
	t.Helper()
	server, ok := providerserver.NewProtocol6(&panicky{at})().(Server)
	require.True(t, ok, "the framework's server lacks a part of the protocol")
	config, err := tfprotov6.NewDynamicValue(tftypes.Object{}, tftypes.NewValue(tftypes.Object{}, map[string]tftypes.Value{}))
	require.NoError(t, err)
	_, err = server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{Config: &config})
	require.NoError(t, err)
	return guardedServer{server}
}

func (p *panicky) throw(at string) {
	if p.at == at {
		panic(panicSecret)
	}
}

func (p *panicky) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "panicky"
}

func (p *panicky) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}

func (p *panicky) Configure(_ context.Context, _ provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	run := session.New(false, nil)
	run.Client = &client.Client{}
	resp.ActionData = run
}

func (p *panicky) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return &panickyResource{p} }}
}

func (p *panicky) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{func() datasource.DataSource { return &panickyDataSource{p} }}
}

func (p *panicky) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{func() ephemeral.EphemeralResource { return &panickyEphemeral{p} }}
}

func (p *panicky) ListResources(context.Context) []func() list.ListResource {
	return []func() list.ListResource{func() list.ListResource { return &panickyList{p} }}
}

func (p *panicky) Actions(context.Context) []func() action.Action {
	a := &registration.Action{
		Type: "thing",
		Schema: func() aschema.Schema {
			return aschema.Schema{Attributes: map[string]aschema.Attribute{"id": aschema.StringAttribute{Optional: true}, "name": aschema.StringAttribute{Optional: true}}}
		},
		Invoke: func(_ context.Context, _ *session.Session, _ action.InvokeRequest, resp *action.InvokeResponse) {
			p.throw("invoke")
			resp.SendProgress(action.InvokeProgressEvent{Message: badText})
		},
	}
	return []func() action.Action{a.New}
}

func (p *panicky) Functions(context.Context) []func() function.Function {
	return []func() function.Function{func() function.Function { return &panickyFunction{p} }}
}

type panickyResource struct{ *panicky }

func (r *panickyResource) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = "panicky_thing"
}

func (r *panickyResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"id":   schema.StringAttribute{Computed: true},
		"name": schema.StringAttribute{Optional: true},
	}}
}

func (r *panickyResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{"id": identityschema.StringAttribute{RequiredForImport: true}}}
}

func (r *panickyResource) ValidateConfig(context.Context, resource.ValidateConfigRequest, *resource.ValidateConfigResponse) {
	r.throw("validate")
}

func (r *panickyResource) ModifyPlan(context.Context, resource.ModifyPlanRequest, *resource.ModifyPlanResponse) {
	r.throw("plan")
}

func (r *panickyResource) ImportState(context.Context, resource.ImportStateRequest, *resource.ImportStateResponse) {
	r.throw("import")
}

func (r *panickyResource) Create(context.Context, resource.CreateRequest, *resource.CreateResponse) {
	r.throw("create")
}

func (r *panickyResource) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {
	r.throw("read")
}

func (r *panickyResource) Update(context.Context, resource.UpdateRequest, *resource.UpdateResponse) {
	r.throw("update")
}

func (r *panickyResource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {
	r.throw("delete")
}

type panickyDataSource struct{ *panicky }

func (d *panickyDataSource) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = "panicky_thing"
}

func (d *panickyDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = dschema.Schema{Attributes: map[string]dschema.Attribute{"id": dschema.StringAttribute{Optional: true}, "name": dschema.StringAttribute{Optional: true}}}
}

func (d *panickyDataSource) Read(_ context.Context, _ datasource.ReadRequest, resp *datasource.ReadResponse) {
	d.throw("data")
	if d.at == "bad text" {
		long := "line\r\nline\x07" + strings.Repeat("\u202e漢", 60<<10) + "remedy"
		resp.Diagnostics.AddError(badText, long)
		resp.Diagnostics.AddAttributeWarning(path.Root("id"), badText, long)
	}
}

type panickyEphemeral struct{ *panicky }

func (e *panickyEphemeral) Metadata(_ context.Context, _ ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = "panicky_thing"
}

func (e *panickyEphemeral) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = eschema.Schema{Attributes: map[string]eschema.Attribute{"id": eschema.StringAttribute{Optional: true}, "name": eschema.StringAttribute{Optional: true}}}
}

func (e *panickyEphemeral) Open(context.Context, ephemeral.OpenRequest, *ephemeral.OpenResponse) {
	e.throw("open")
}

type panickyList struct{ *panicky }

func (l *panickyList) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = "panicky_thing"
}

func (l *panickyList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = lschema.Schema{Attributes: map[string]lschema.Attribute{"id": lschema.StringAttribute{Optional: true}, "name": lschema.StringAttribute{Optional: true}}}
}

func (l *panickyList) List(ctx context.Context, req list.ListRequest, resp *list.ListResultsStream) {
	l.throw("list")
	var results iter.Seq[list.ListResult] = func(push func(list.ListResult) bool) {
		result := req.NewListResult(ctx)
		result.DisplayName = badText
		result.Diagnostics.Append(result.Identity.SetAttribute(ctx, path.Root("id"), "id-1")...)
		if push(result) {
			l.throw("listed")
		}
	}
	resp.Results = results
}

type panickyFunction struct{ *panicky }

func (f *panickyFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "thing"
}

func (f *panickyFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{Return: function.StringReturn{}}
}

func (f *panickyFunction) Run(_ context.Context, _ function.RunRequest, resp *function.RunResponse) {
	f.throw("function")
	resp.Error = function.NewFuncError(badText)
}
