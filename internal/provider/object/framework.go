package object

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/walk"
)

// resourceOf is the resource of a type, with the session of one request.
type resourceOf[M Model] struct {
	session.ResourceBase
	t     *Type[M]
	known *reading[M] // what the short path has read for this request; nil if nothing
}

func (r *resourceOf[M]) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + r.t.Type
}

func (r *resourceOf[M]) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = r.t.schema(ctx)
}

func (r *resourceOf[M]) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema.Attributes = map[string]identityschema.Attribute{}
	for _, a := range r.t.Identity {
		resp.IdentitySchema.Attributes[a.Name] = identityschema.StringAttribute{RequiredForImport: true, Description: a.Description}
	}
}

func (r *resourceOf[M]) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	if r.t.Validate != nil {
		resp.Diagnostics.Append(r.t.Validate(ctx, req.Config)...)
	}
}

// ImportState stores the identity; the read that follows fills the rest.
func (r *resourceOf[M]) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	given, diags := session.ImportedID(ctx, req, r.t.IdentityNames())
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	if !r.Ready() {
		resp.Diagnostics.Append(r.NotReady())
		return
	}
	run := r.ReadBy(walk.Request{Phase: walk.Refresh, Object: "imported " + r.t.Type + " " + given}) // no walk that applies imports
	values, diags := r.t.resource.Import(ctx, run, given)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	for i, a := range r.t.Identity {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(a.Name), values[i])...)
		resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root(a.Name), values[i])...)
	}
}

// IdentityNames are those of the attributes that identify an object.
func (t *Type[M]) IdentityNames() (names []string) {
	for _, a := range t.Identity {
		names = append(names, a.Name)
	}
	return names
}

// ids are the values of the identity.
func (t *Type[M]) ids(m M) []string {
	ids := make([]string, 0, len(t.Identity))
	for _, a := range t.Identity {
		ids = append(ids, t.Fields().text(m, a.Name))
	}
	return ids
}

// setIdentity sets the identity from a model; identity is nil for a CLI that has none.
func (t *Type[M]) setIdentity(ctx context.Context, identity *tfsdk.ResourceIdentity, m M) (diags diag.Diagnostics) {
	if identity == nil {
		return nil
	}
	for i, id := range t.ids(m) {
		diags.Append(identity.SetAttribute(ctx, path.Root(t.Identity[i].Name), id)...)
	}
	return diags
}

// begin names an object at the beginning of a sentence.
func (r *resourceOf[M]) begin(ctx context.Context, m M) string {
	return r.t.article("The ") + r.t.resource.Name(ctx, r.Session, m)
}

// name names an object within a sentence.
func (r *resourceOf[M]) name(ctx context.Context, m M) string {
	return r.t.article("the ") + r.t.resource.Name(ctx, r.Session, m)
}

func (t *Type[M]) article(the string) string {
	if t.ProperNames {
		return ""
	}
	return the
}

// readingBy is the resource as the request about an object reads it: one in state by its identity, a new one by its key.
func (r *resourceOf[M]) readingBy(phase walk.Phase, was, want M) *resourceOf[M] {
	switch {
	case !isNil(was):
		return r.t.with(r.ReadBy(walk.Request{Phase: phase, Object: r.t.Type + " " + strings.Join(r.t.ids(was), "/")}))
	case r.t.key(want) != "" && !r.t.RenamesFreely:
		return r.t.with(r.ReadBy(walk.Request{Phase: phase, Object: "new " + r.t.Type + " " + r.t.key(want)}))
	default:
		return r
	}
}
