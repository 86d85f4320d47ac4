package object_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

const (
	typeName = "reseller_toy"
	slug     = "partner.example"
)

// toyProvider is a provider with one resource.
type toyProvider struct {
	run         *session.Session
	newResource func() resource.Resource
}

func (p *toyProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "reseller"
}

func (p *toyProvider) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}

func (p *toyProvider) Configure(_ context.Context, _ provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	resp.ResourceData = p.run
}

func (p *toyProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (p *toyProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{p.newResource}
}

// noLabels is an API whose reseller has a slug and nothing else. Any other call panics.
type noLabels struct{ inventory.API }

func (noLabels) Slug(context.Context) (string, error) { return slug, nil }

func (noLabels) ListPrivateLabels(context.Context, string) (*client.PrivateLabelList, error) {
	return &client.PrivateLabelList{}, nil
}

// rig drives the resource of a kind through the protocol, as Terraform does.
type rig struct {
	t *testing.T
	*shop
	kind   *toyKind
	typ    *object.Type[*model, *toy]
	server tfprotov6.ProviderServer
	run    *session.Session
	shape  tftypes.Type
	ids    tftypes.Type
	schema *tfprotov6.Schema

	state    tftypes.Value
	private  []byte
	identity *tfprotov6.ResourceIdentityData
}

// newRig has a toy shop and the kind of its toys, which the functions change.
func newRig(t *testing.T, changes ...func(*toyKind)) *rig {
	t.Helper()
	r := &rig{t: t, shop: newShop()}
	r.kind = newKind(r.shop)
	for _, change := range changes {
		change(r.kind)
	}
	r.restart()
	r.state = r.null()
	return r
}

// restart starts another process of the provider.
func (r *rig) restart() {
	r.t.Helper()
	ctx := r.t.Context()
	r.run = session.New(false, nil)
	r.run.Client, r.run.Inventory = newClient(r.t), inventory.New(noLabels{})
	r.typ = object.New(r.kind.as(r.kind))
	r.server = providerserver.NewProtocol6(&toyProvider{r.run, r.typ.New})()
	schemas := must(r.server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{}))
	empty := tftypes.Object{AttributeTypes: map[string]tftypes.Type{}}
	config := must(tfprotov6.NewDynamicValue(empty, tftypes.NewValue(empty, map[string]tftypes.Value{})))
	must(r.server.ConfigureProvider(ctx, &tfprotov6.ConfigureProviderRequest{Config: &config}))
	r.schema = schemas.ResourceSchemas[typeName]
	r.shape = r.schema.ValueType()
	identities := must(r.server.GetResourceIdentitySchemas(ctx, &tfprotov6.GetResourceIdentitySchemasRequest{}))
	r.ids = identities.IdentitySchemas[typeName].ValueType()
}

func must[V any](v V, err error) V {
	if err != nil {
		panic(err)
	}
	return v
}

func (r *rig) null() tftypes.Value { return tftypes.NewValue(r.shape, nil) }

func (r *rig) dynamic(v tftypes.Value) *tfprotov6.DynamicValue {
	d := must(tfprotov6.NewDynamicValue(r.shape, v))
	return &d
}

func (r *rig) value(d *tfprotov6.DynamicValue) tftypes.Value {
	if d == nil {
		return r.null()
	}
	return must(d.Unmarshal(r.shape))
}

// config is a toy in the configuration; "?" is known after apply.
type config struct {
	name, policy, note string
	parts              []string
}

func (r *rig) valueOf(c *config) tftypes.Value {
	if c == nil {
		return r.null()
	}
	toy, _ := r.shape.(tftypes.Object)
	values := map[string]tftypes.Value{}
	for name, typ := range toy.AttributeTypes {
		values[name] = tftypes.NewValue(typ, nil)
	}
	for name, text := range map[string]string{"name": c.name, "deletion_policy": c.policy, "note": c.note} {
		switch text {
		case "":
		case "?":
			values[name] = tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
		default:
			values[name] = tftypes.NewValue(tftypes.String, text)
		}
	}
	parts := []tftypes.Value{}
	for _, part := range c.parts {
		parts = append(parts, tftypes.NewValue(tftypes.String, part))
	}
	values["parts"] = tftypes.NewValue(toy.AttributeTypes["parts"], parts)
	return tftypes.NewValue(r.shape, values)
}

// proposed has the prior values of computed attributes that a configuration leaves out.
func (r *rig) proposed(prior, config tftypes.Value) tftypes.Value {
	if config.IsNull() || prior.IsNull() {
		return config
	}
	now, before := fields(config), fields(prior)
	for _, a := range r.schema.Block.Attributes {
		if a.Computed && now[a.Name].IsNull() {
			now[a.Name] = before[a.Name]
		}
	}
	return tftypes.NewValue(r.shape, now)
}

func fields(v tftypes.Value) map[string]tftypes.Value {
	out := map[string]tftypes.Value{}
	if err := v.As(&out); err != nil {
		panic(err)
	}
	return out
}

// half of a plan: a create, an update or a destroy.
type half struct {
	prior, config, planned tftypes.Value
	private                []byte
}

func (r *rig) half(prior, config tftypes.Value, private []byte) (half, bool, said) {
	resp := must(r.server.PlanResourceChange(r.t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: typeName, PriorState: r.dynamic(prior), Config: r.dynamic(config), ProposedNewState: r.dynamic(r.proposed(prior, config)),
		PriorPrivate: private, PriorIdentity: r.identity,
	}))
	return half{prior, config, r.value(resp.PlannedState), resp.PlannedPrivate}, len(resp.RequiresReplace) > 0, saying(resp.Diagnostics)
}

// plan plans like Terraform, with both halves of a replacement. nil is a removed block.
func (r *rig) plan(c *config) ([]half, said) {
	r.restart()
	return r.planned(r.valueOf(c), false)
}

// replace is a plan with -replace.
func (r *rig) replace(c *config) ([]half, said) {
	r.restart()
	return r.planned(r.valueOf(c), true)
}

func (r *rig) planned(config tftypes.Value, forced bool) ([]half, said) {
	first, replaces, told := r.half(r.state, config, r.private)
	if told.failed() || !replaces && !forced || config.IsNull() || r.state.IsNull() {
		return []half{first}, told
	}
	second, _, more := r.half(r.null(), config, first.private)
	if more.failed() {
		return nil, append(told, more...)
	}
	return []half{{prior: r.state, config: r.null(), planned: r.null(), private: second.private}, second}, told
}

// taint is a plan of a tainted object: only its create is planned.
func (r *rig) taint(c *config) ([]half, said) {
	r.restart()
	create, _, told := r.half(r.null(), r.valueOf(c), nil)
	return []half{{prior: r.state, config: r.null(), planned: r.null(), private: create.private}, create}, told
}

// apply applies a plan in another process, which plans again what it creates or updates. The CLI has shown the warnings
// of a plan, so that only its errors are returned.
func (r *rig) apply(plan []half) said {
	r.restart()
	var all said
	for _, h := range plan {
		if !h.planned.IsNull() {
			again, _, told := r.half(r.state, h.config, r.private)
			if told.failed() {
				return append(all, told...)
			}
			if !h.planned.IsFullyKnown() || again.planned.Equal(h.planned) {
				h.private = again.private
			} else {
				r.t.Errorf("the final plan differs: %s, was %s", again.planned, h.planned)
			}
			h.planned = again.planned
		}
		resp := must(r.server.ApplyResourceChange(r.t.Context(), &tfprotov6.ApplyResourceChangeRequest{
			TypeName: typeName, PriorState: r.dynamic(h.prior), PlannedState: r.dynamic(h.planned), Config: r.dynamic(h.config),
			PlannedPrivate: h.private, PlannedIdentity: r.identity,
		}))
		r.state, r.private, r.identity = r.value(resp.NewState), resp.Private, resp.NewIdentity
		if r.state.IsNull() {
			r.private, r.identity = nil, nil
		}
		all = append(all, saying(resp.Diagnostics)...)
		assert.True(r.t, r.state.IsFullyKnown(), "the state has unknown values: %s", r.state)
		if all.failed() {
			return all
		}
		honored(r.t, h.planned, r.state)
	}
	return all
}

// honored asserts that a state has what its plan knew.
func honored(t *testing.T, planned, state tftypes.Value) {
	t.Helper()
	if planned.IsNull() || state.IsNull() {
		assert.Equal(t, state.IsNull(), planned.IsNull(), "the plan is %s, the state %s", planned, state)
		return
	}
	for name, want := range fields(planned) {
		if got := fields(state)[name]; want.IsFullyKnown() && !got.Equal(want) {
			t.Errorf("%s is %s in state, the plan said %s", name, got, want)
		}
	}
}

// runs plans and applies.
func (r *rig) runs(c *config) said {
	plan, told := r.plan(c)
	if told.failed() {
		return told
	}
	return append(told, r.apply(plan)...)
}

func (r *rig) readRequest() *tfprotov6.ReadResourceRequest {
	return &tfprotov6.ReadResourceRequest{TypeName: typeName, CurrentState: r.dynamic(r.state), Private: r.private, CurrentIdentity: r.identity}
}

func (r *rig) read() said {
	r.restart()
	resp := must(r.server.ReadResource(r.t.Context(), r.readRequest()))
	r.state, r.private, r.identity = r.value(resp.NewState), resp.Private, resp.NewIdentity
	return saying(resp.Diagnostics)
}

func (r *rig) imported(id string, identity map[string]string) said {
	req := &tfprotov6.ImportResourceStateRequest{TypeName: typeName, ID: id}
	if identity != nil {
		values := map[string]tftypes.Value{}
		for name, text := range identity {
			values[name] = tftypes.NewValue(tftypes.String, text)
		}
		v := must(tfprotov6.NewDynamicValue(r.ids, tftypes.NewValue(r.ids, values)))
		req.Identity = &tfprotov6.ResourceIdentityData{IdentityData: &v}
	}
	resp := must(r.server.ImportResourceState(r.t.Context(), req))
	told := saying(resp.Diagnostics)
	if told.failed() {
		return told
	}
	imported := resp.ImportedResources[0]
	r.state, r.private, r.identity = r.value(imported.State), imported.Private, imported.Identity
	return append(told, r.read()...)
}

// attribute is a text of the state, "" for null.
func (r *rig) attribute(name string) string {
	r.t.Helper()
	require.False(r.t, r.state.IsNull(), "there is no state")
	v := fields(r.state)[name]
	var text string
	var many map[string]tftypes.Value
	var list []tftypes.Value
	switch {
	case v.IsNull():
		return ""
	case v.As(&text) == nil:
		return text
	case v.As(&many) == nil:
		var out []string
		for key, inner := range many {
			_ = inner.As(&text)
			out = append(out, key+"="+text)
		}
		slices.Sort(out)
		return strings.Join(out, " ")
	default:
		_ = v.As(&list)
		var out []string
		for _, inner := range list {
			_ = inner.As(&text)
			out = append(out, text)
		}
		slices.Sort(out)
		return strings.Join(out, " ")
	}
}

// kept is the runtime's private state.
func (r *rig) kept() string {
	var keys map[string][]byte
	if len(r.private) == 0 || json.Unmarshal(r.private, &keys) != nil {
		return ""
	}
	return string(keys["reseller"])
}

func (r *rig) wantCalls(keys ...string) {
	r.t.Helper()
	assert.Equal(r.t, keys, r.calls, "the calls")
	r.calls = nil
}

func (r *rig) wantState(parts string) {
	r.t.Helper()
	assert.Equal(r.t, parts, r.attribute("parts"), "the state has the parts")
}

// said are diagnostics: "error at PATH: SUMMARY: DETAIL".
type said []string

func saying(diags []*tfprotov6.Diagnostic) said {
	var out said
	for _, d := range diags {
		at := ""
		if d.Attribute != nil {
			at = " at " + d.Attribute.String()
		}
		out = append(out, fmt.Sprintf("%s%s: %s: %s", strings.ToLower(d.Severity.String()), at, d.Summary, d.Detail))
	}
	return out
}

func (s said) failed() bool {
	return slices.ContainsFunc(s, func(text string) bool { return strings.HasPrefix(text, "error") })
}

// want asserts one diagnostic for each given one, which begins with its severity and has all parts after it.
func (s said) want(t *testing.T, want ...[]string) {
	t.Helper()
	if len(s) != len(want) {
		t.Errorf("said %q, want %q", s, want)
		return
	}
	for i, parts := range want {
		for j, part := range parts {
			if j == 0 && !strings.HasPrefix(s[i], part) || !strings.Contains(s[i], part) {
				t.Errorf("said %q, want %q", s[i], parts)
			}
		}
	}
}

func isError(parts ...string) []string   { return append([]string{"error"}, parts...) }
func isWarning(parts ...string) []string { return append([]string{"warning"}, parts...) }

// newClient returns a client whose waits take no time.
func newClient(t *testing.T) *client.Client {
	t.Helper()
	c, err := client.New(client.Config{
		Settings: transport.Settings{Clock: transporttest.NewClock()}, BaseURL: transporttest.URL, AccessToken: transporttest.GivenToken,
	})
	require.NoError(t, err)
	return c
}
