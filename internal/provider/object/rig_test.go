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
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
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
	*coretest.Walker
	*shop
	t    *testing.T
	kind *toyResource
	typ  *object.Type[*model]
	run  *session.Session

	protocol *providertest.Protocol
}

// newRig has a toy shop and the kind of its toys, which the functions change.
func newRig(t *testing.T, changes ...func(*toyResource)) *rig {
	t.Helper()
	r := &rig{t: t, shop: newShop()}
	r.kind = newResource(r.shop)
	for _, change := range changes {
		change(r.kind)
	}
	r.restart()
	return r
}

// restart starts another process of the provider.
func (r *rig) restart() {
	r.t.Helper()
	r.run = session.New(false, nil)
	r.run.Client, r.run.Inventory = newClient(r.t), inventory.New(noLabels{})
	r.typ = object.New(r.kind.as(r.kind))
	r.kind.typ = r.typ
	server := providerserver.NewProtocol6(&toyProvider{r.run, r.typ.New})()
	schema := must(server.GetProviderSchema(r.t.Context(), &tfprotov6.GetProviderSchemaRequest{}))
	nothing := providertest.Dynamic(tftypes.NewValue(tftypes.Object{}, map[string]tftypes.Value{}))
	must(server.ConfigureProvider(r.t.Context(), &tfprotov6.ConfigureProviderRequest{Config: nothing}))
	served, _ := server.(providertest.ProtocolServer)
	r.protocol = &providertest.Protocol{Server: served, Schema: schema}
	next := coretest.NewWalker(r.t, r.protocol, typeName)
	if r.Walker != nil {
		next.Take(r.Walker)
	}
	r.Walker = next
}

func must[V any](v V, err error) V {
	if err != nil {
		panic(err)
	}
	return v
}

// config is a toy in the configuration; "?" is known after apply.
type config struct {
	name, policy, note string
	parts              []string
}

func (c *config) values() providertest.Values {
	if c == nil {
		return nil
	}
	parts := []any{}
	for _, part := range c.parts {
		parts = append(parts, part)
	}
	values := providertest.Values{"parts": parts}
	for name, text := range map[string]string{"name": c.name, "deletion_policy": c.policy, "note": c.note} {
		switch text {
		case "":
		case "?":
			values[name] = tftypes.UnknownValue
		default:
			values[name] = text
		}
	}
	return values
}

// plan plans like Terraform, with both halves of a replacement. nil is a removed block.
func (r *rig) plan(c *config) (*coretest.WalkerPlan, said) { return r.planned(c, false) }

// refreshedPlan reads and plans in one process.
func (r *rig) refreshedPlan(c *config) (*coretest.WalkerPlan, said) {
	r.restart()
	r.Read()
	plan, told := r.PlanFor(c.values(), false)
	return plan, saying(told)
}

// replace is a plan with -replace.
func (r *rig) replace(c *config) (*coretest.WalkerPlan, said) { return r.planned(c, true) }

func (r *rig) planned(c *config, replaced bool) (*coretest.WalkerPlan, said) {
	r.restart()
	plan, told := r.PlanFor(c.values(), replaced)
	return plan, saying(told)
}

// taint is a plan of a tainted object.
func (r *rig) taint(c *config) (*coretest.WalkerPlan, said) {
	r.Taint()
	return r.plan(c)
}

// apply applies a plan in another process.
func (r *rig) apply(plan *coretest.WalkerPlan) said {
	r.restart()
	return saying(r.ApplyPlan(plan))
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
	return &tfprotov6.ReadResourceRequest{TypeName: typeName, CurrentState: providertest.Dynamic(r.State()), Private: r.Private(), CurrentIdentity: r.Identity()}
}

func (r *rig) read() said {
	r.restart()
	return saying(r.Read())
}

// attribute is a text of the state, "" for null.
func (r *rig) attribute(name string) string {
	r.t.Helper()
	require.False(r.t, r.State().IsNull(), "there is no state")
	v := providertest.Members(r.State())[name]
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
	if r.State().IsNull() || json.Unmarshal(r.Private(), &keys) != nil {
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

func saying(diags providertest.Diagnostics) said {
	var out said
	for _, d := range diags {
		out = append(out, fmt.Sprintf("%s at %s: %s: %s", d.Severity, d.Attribute, d.Summary, d.Detail))
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
