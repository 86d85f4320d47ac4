package object

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// What package shortpath, which reads a state without the framework, asks the runtime: models are those of NewModel.

// NewModel returns an empty model.
func (t *Type[M]) NewModel() any {
	return newModel[M]()
}

// ReadModel reads an object in state, and reports whether model and private state stay as they are. known is the resource
// with which the framework handles the same request, so that no call is made twice; nil if nothing was read. ids are the
// values of the identity.
func (t *Type[M]) ReadModel(ctx context.Context, run *session.Session, model any, raw []byte) (known resource.Resource, ids []string, unchanged bool) {
	state, isModel := model.(M)
	before, isOwn := ownPrivate(raw)
	if !isModel || !isOwn || state.base().Reseller.IsNull() {
		return nil, nil, false
	}
	done := t.with(run).read(ctx, state, before)
	unchanged = len(done.diags) == 0 && done.private == before && t.Fields().Same(ctx, state, done.state)
	return &resourceOf[M]{t: t, known: done}, t.ids(state), unchanged
}

// Served returns the framework's server with the resource that ReadModel returned.
func Served(known resource.Resource) tfprotov6.ProviderServer {
	return providerserver.NewProtocol6(only{known})()
}

// only is a provider with one resource.
type only struct{ known resource.Resource }

func (only) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = effect.ProviderType
}

func (only) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {
}

func (only) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {
}

func (only) DataSources(context.Context) []func() datasource.DataSource {
	return nil
}

func (o only) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return o.known }}
}

// KeepsModel reports whether a plan that proposes the state keeps it without diagnostics, and records that it does: no
// step leads away from it, and no other resource of the plan has the object.
func (t *Type[M]) KeepsModel(run *session.Session, model any, raw []byte) bool {
	m, isModel := model.(M)
	p, isOwn := ownPrivate(raw)
	if !isModel || !isOwn || len(t.Steps(m, m, zero[M]())) > 0 {
		return false
	}
	if warns, ok := t.resource.(NoWarnings[M]); ok && !warns.NoWarnings(m) {
		return false
	}
	return run.Register.RecordAlone(t.claims(run, m, m, zero[M](), p.Instance))
}

// ownPrivate decodes private state. It returns false if there is another key, such as the framework's own after an import,
// and for a planned destroy.
func ownPrivate(raw []byte) (private, bool) {
	p, keys := session.PrivateOf[private](raw)
	return p, len(keys) == 1 && p.Announced == nil
}
