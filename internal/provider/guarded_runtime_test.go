package provider

import (
	"context"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	runtime "github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// stepModel is an object of which a create makes two steps.
type stepModel struct {
	ID   types.String `tfsdk:"id"`
	Name types.String `tfsdk:"name"`
	runtime.Base
}

// stepProvider has one resource of a kind, which panics in one function.
type stepProvider struct {
	*panicky
	resumes bool
}

func (p *stepProvider) Configure(_ context.Context, _ provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	run := session.New(false, nil)
	run.Client, run.Inventory = &client.Client{}, inventory.New(onlySlug{})
	resp.ResourceData = run
}

func (p *stepProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{runtime.New[*stepModel, *struct{}](stepKind{p.panicky, p.resumes}).New}
}

type onlySlug struct{ inventory.API }

func (onlySlug) Slug(context.Context) (string, error) { return "partner.example", nil }

type stepKind struct {
	*panicky
	resumes bool
}

func (k stepKind) Describe() runtime.Description {
	return runtime.Description{
		Type: "thing", Identity: []runtime.Attribute{{Name: "id", Description: "ID."}}, Subject: "name", Resumes: k.resumes,
		LookBeforeCreate: runtime.DontLook, LookBeforeUpdate: runtime.DontLook,
	}
}

func (stepKind) Schema(context.Context) schema.Schema {
	return schema.Schema{Attributes: map[string]schema.Attribute{"id": schema.StringAttribute{Computed: true}, "name": schema.StringAttribute{Required: true}}}
}

func (stepKind) Name(context.Context, *session.Session, *stepModel) string { return "The thing" }

func (stepKind) Import(context.Context, *session.Session, string) ([]string, diag.Diagnostics) {
	return nil, nil
}

func (k stepKind) Look(context.Context, *session.Session, *stepModel, inventory.Age) (*struct{}, error) {
	k.throw("look")
	return &struct{}{}, nil
}

func (stepKind) Proof(*stepModel) inventory.Proof { return nil }

func (stepKind) Gone(context.Context, *session.Session, *stepModel) diag.Diagnostic { return nil }

func (k stepKind) Fill(*stepModel, *struct{}) { k.throw("fill") }

func (k stepKind) Steps(was, want *stepModel, _ *struct{}) []*effect.Step {
	k.throw("steps")
	if was != nil && want != nil && was.Name.Equal(want.Name) {
		return nil
	}
	return []*effect.Step{{Key: "first"}, {Key: "second"}}
}

func (k stepKind) Announce(runtime.View[*stepModel, *struct{}], []*effect.Step) effect.Notices {
	k.throw("announce")
	return nil
}

func (k stepKind) Begin(*runtime.Request[*stepModel, *struct{}]) runtime.Change[*stepModel] { return k }

func (k stepKind) Take(_ context.Context, s *effect.Step, now *stepModel) transport.Outcome {
	k.throw(s.Key)
	if now != nil {
		now.ID = types.StringValue("id-1")
	}
	return transport.Done()
}

func (stepKind) Failed(context.Context, *effect.Step, transport.Outcome) diag.Diagnostics { return nil }

// A panic in any method of a kind becomes one diagnostic. A create keeps the object that its first step made,
// unless the next create does the rest.
func TestGuard_Kind(t *testing.T) {
	t.Parallel()
	shape := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"id": tftypes.String, "name": tftypes.String, "reseller": tftypes.String}}
	value := func(id, name any) *tfprotov6.DynamicValue {
		v, err := tfprotov6.NewDynamicValue(shape, tftypes.NewValue(shape, map[string]tftypes.Value{
			"id": tftypes.NewValue(tftypes.String, id), "name": tftypes.NewValue(tftypes.String, name), "reseller": tftypes.NewValue(tftypes.String, "partner.example"),
		}))
		require.NoError(t, err)
		return &v
	}
	null, err := tfprotov6.NewDynamicValue(shape, tftypes.NewValue(shape, nil))
	require.NoError(t, err)
	planned, created, other := value(tftypes.UnknownValue, "n"), value("id-1", "n"), value("id-1", "other")
	const isError, isWarning = tfprotov6.DiagnosticSeverityError, tfprotov6.DiagnosticSeverityWarning
	for name, tc := range map[string]struct {
		at             string
		resumes, reads bool
		prior, planned *tfprotov6.DynamicValue
		severity       tfprotov6.DiagnosticSeverity
		kept           bool // the object is in state afterwards
	}{
		"create, first step":              {at: "first", prior: &null, planned: planned, severity: isError},
		"create, second step":             {at: "second", prior: &null, planned: planned, severity: isWarning, kept: true},
		"create that resumes":             {at: "second", resumes: true, prior: &null, planned: planned, severity: isError},
		"create, look afterwards":         {at: "look", prior: &null, planned: planned, severity: isWarning, kept: true},
		"create, fill":                    {at: "fill", prior: &null, planned: planned, severity: isWarning, kept: true},
		"update, steps":                   {at: "steps", prior: created, planned: other, severity: isError, kept: true},
		"update, second step":             {at: "second", prior: created, planned: other, severity: isError, kept: true},
		"delete, second step":             {at: "second", prior: created, planned: &null, severity: isError, kept: true},
		"read, look":                      {at: "look", reads: true, prior: created, severity: isError, kept: true},
		"read, fill":                      {at: "fill", reads: true, prior: created, severity: isError, kept: true},
		"update, look after the last one": {at: "look", prior: created, planned: other, severity: isError, kept: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &panicky{tc.at}
			framework, _ := providerserver.NewProtocol6(&stepProvider{p, tc.resumes})().(Server)
			s := guardedServer{framework}
			config, err := tfprotov6.NewDynamicValue(tftypes.Object{}, tftypes.NewValue(tftypes.Object{}, map[string]tftypes.Value{}))
			require.NoError(t, err)
			_, err = s.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{Config: &config})
			require.NoError(t, err)
			var diags []*tfprotov6.Diagnostic
			var state *tfprotov6.DynamicValue
			if tc.reads {
				resp, err := s.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{TypeName: "panicky_thing", CurrentState: tc.prior})
				require.NoError(t, err)
				diags, state = resp.Diagnostics, resp.NewState
			} else {
				announced := []byte(`{"reseller":"eyJhbm5vdW5jZWQiOnsiZmlyc3QiOjEsInNlY29uZCI6MX19"}`)
				resp, err := s.ApplyResourceChange(t.Context(), &tfprotov6.ApplyResourceChangeRequest{TypeName: "panicky_thing", PriorState: tc.prior, PlannedState: tc.planned, Config: tc.planned, PlannedPrivate: announced})
				require.NoError(t, err)
				diags, state = resp.Diagnostics, resp.NewState
			}
			require.Len(t, diags, 1, "diagnostics")
			require.Equal(t, tc.severity, diags[0].Severity, "diagnostics %v", diags)
			require.Equal(t, "Provider failed internally", diags[0].Summary, "diagnostics %v", diags)
			after, err := state.Unmarshal(shape)
			require.NoError(t, err)
			assert.NotEqual(t, tc.kept, after.IsNull(), "the state is %s", after)
			assert.True(t, after.IsFullyKnown(), "the state is %s", after)
		})
	}
}

// A panic in an apply of any type becomes a diagnostic of its response, which has what was set until then.
func TestGuard_EveryTypeRecovers(t *testing.T) {
	t.Parallel()
	for _, newResource := range newProvider("test", Options{}).Resources(t.Context()) {
		r := newResource() // the requests are empty, which no resource expects
		var created resource.CreateResponse
		var updated resource.UpdateResponse
		r.Create(t.Context(), resource.CreateRequest{}, &created)
		r.Update(t.Context(), resource.UpdateRequest{}, &updated)
		for what, diags := range map[string]diag.Diagnostics{"create": created.Diagnostics, "update": updated.Diagnostics} {
			if !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Summary() == "Provider failed internally" }) {
				t.Errorf("%T: a %s has %v", r, what, diags)
			}
		}
	}
}
