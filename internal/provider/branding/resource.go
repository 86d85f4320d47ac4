// Package branding is reseller_branding: colors and logos of a private label.
package branding

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/file"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

type Resource struct {
	session.ResourceBase
	fallback *file.LogoFiles // before Configure
}

var (
	_ resource.ResourceWithConfigure   = (*Resource)(nil)
	_ resource.ResourceWithIdentity    = (*Resource)(nil)
	_ resource.ResourceWithImportState = (*Resource)(nil)
	_ resource.ResourceWithModifyPlan  = (*Resource)(nil)
)

func NewResource() resource.Resource { return &Resource{fallback: file.NewLogoFiles()} }

func (r *Resource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_branding"
}

// files returns the checked logo files; a run shares one set.
func (r *Resource) files() *file.LogoFiles {
	if r.Session == nil {
		return r.fallback
	}
	return session.Shared(r.Session, func(*session.Session) *file.LogoFiles { return file.NewLogoFiles() })
}

// Create sends the configured values. A partial create returns an error without state: an error with state would taint
// the resource, and sending everything again costs nothing (§1).
func (r *Resource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan model
	if !r.Begin(ctx, req.Plan, &plan, &resp.Diagnostics) {
		return
	}
	var sent model
	resp.Diagnostics.Append(r.send(ctx, req.Config, &plan, &sent)...)
	if resp.Diagnostics.HasError() {
		return
	}
	r.save(ctx, &plan, &resp.State, resp.Identity, resp.Private, &resp.Diagnostics)
}

// memory is the private state of a branding.
func memory(host, slug string) session.PrivateState {
	return session.PrivateState{ID: host, Host: host, Slug: slug}
}

func (r *Resource) save(
	ctx context.Context, m *model, state *tfsdk.State, identity *tfsdk.ResourceIdentity, private session.PrivateWriter, diags *diag.Diagnostics,
) {
	m.ID = m.Domain.StringValue
	diags.Append(state.Set(ctx, m)...)
	diags.Append(identity.Set(ctx, m.Identity())...)
	diags.Append(memory(m.ID.ValueString(), r.Slug(ctx)).Save(ctx, private)...)
}

// Update sends the changed values. If one call fails, the values that were sent stay in state.
func (r *Resource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan, state model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if !r.Begin(ctx, req.State, &state, &resp.Diagnostics) {
		return
	}
	diags := r.send(ctx, req.Config, &plan, &state)
	resp.Diagnostics.Append(diags...)
	if diags.HasError() {
		plan = state // with the values that were sent
	}
	r.save(ctx, &plan, &resp.State, resp.Identity, resp.Private, &resp.Diagnostics)
}

// send sends what differs from before: colors with one API call, logos with another. It records in before what was
// sent.
func (r *Resource) send(ctx context.Context, config tfsdk.Config, plan, before *model) diag.Diagnostics {
	host := plan.Domain.ValueString()
	logos, diags := r.changedLogos(ctx, config, plan, before)
	if diags.HasError() {
		return diags // a file error must not leave a partial change
	}
	if colors := plan.changedColors(before); colors != (client.Colors{}) {
		if err := r.Client.UpdateColors(ctx, host, colors); err != nil {
			diags.Append(colorsFailure(host).Diagnostic(err))
			return diags
		}
		before.keepColors(plan)
	}
	if logos == (client.Logos{}) {
		return diags
	}
	if err := r.Client.UploadLogos(ctx, host, logos); err != nil {
		diags.Append(logosFailure(host).Diagnostic(err))
	}
	return diags
}

// changedLogos opens the logos to send at the configured path. The plan keeps the old path of a file that was only
// moved.
func (r *Resource) changedLogos(ctx context.Context, config tfsdk.Config, plan, before *model) (client.Logos, diag.Diagnostics) {
	var (
		logos    client.Logos
		declared model
	)
	diags := config.Get(ctx, &declared)
	for _, f := range logoFields {
		at, hash := path.Root(f.attribute), f.hash(plan)
		where := *f.path(&declared)
		if diags.HasError() || where.IsNull() || !plan.reapplies(before) && hash.Equal(*f.hash(before)) {
			continue
		}
		logo, err := r.files().Open(where.ValueString())
		switch {
		case err != nil:
			diags.AddAttributeError(at, file.SummaryInvalid, file.AboutFile(err, where.ValueString())+". No logo of "+plan.Domain.ValueString()+" was sent.")
		case !hash.IsUnknown() && hash.ValueString() != logo.SHA256:
			diags.AddAttributeError(at, file.SummaryChanged,
				fmt.Sprintf("%s, a logo of %s, has other content than at plan time. Nothing was sent. Plan again.", where.ValueString(), plan.Domain.ValueString()))
		default:
			*hash = fwtype.StringValue(logo.SHA256)
			*f.sent(&logos) = &logo.File
		}
	}
	return logos, diags
}

// Read checks whether the private label still exists, in the list that all reads of a run share. The API does not
// return colors and logos.
func (r *Resource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	state, diags := brandingCodec().Read(ctx, req.State)
	resp.Diagnostics.Append(diags...)
	resp.Diagnostics.Append(session.SetIdentity(ctx, resp.Identity, "domain", state.Domain)...)
	mem, diags := session.ReadPrivateState(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() || !r.Ready() {
		return // not configured: state stays unchanged
	}
	host := state.Domain.ValueString()
	name := "The branding of " + host
	labels, err := r.Labels(ctx)
	if err != nil {
		resp.Diagnostics.Append(diagnostic.ReadFailure(summaryRead, name).Diagnostic(err))
		return
	}
	if _, ok := labels.ByAnyHost(host); !ok {
		v := session.VerdictOf(r.Inventory.CheckHostPresence(ctx, host, mem.Slug))
		r.RemoveAbsent(ctx, resp, session.Sought{Name: name, LastSlug: mem.Slug}, v, diag.NewWarningDiagnostic(summaryGone,
			"The reseller's list no longer shows "+host+": the private label was deprovisioned, or the platform moved it. Its branding was removed from state."))
		return
	}
	resp.Diagnostics.Append(memory(host, r.Slug(ctx)).SaveChange(ctx, mem, resp.Private)...)
	if state.isRead() {
		return // the response has the prior state
	}
	state.ID = state.Domain.StringValue
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
}

// Delete makes no API call, because the API keeps colors and logos.
func (r *Resource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {
}

// ImportState takes a host name, or the identity.
func (r *Resource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	given, diags := session.ImportedBy(ctx, req, "domain")
	resp.Diagnostics.Append(diags...)
	if !fwtype.LooksLikeHost(given) {
		resp.Diagnostics.Append(notAHostName(given))
		return
	}
	if _, diags := r.LookUp(ctx, given); diags.HasError() {
		resp.Diagnostics.Append(diags...)
		return
	}
	resp.Diagnostics.Append(resp.Identity.Set(ctx, identity{Domain: fwtype.StringValue(given)})...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("domain"), given)...)
}
