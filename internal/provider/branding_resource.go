package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

type brandingResource struct {
	forResource
	fallback *logoFiles // before Configure
}

var (
	_ resource.ResourceWithConfigure   = (*brandingResource)(nil)
	_ resource.ResourceWithIdentity    = (*brandingResource)(nil)
	_ resource.ResourceWithImportState = (*brandingResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*brandingResource)(nil)
)

func newBrandingResource() resource.Resource { return &brandingResource{fallback: newLogoFiles()} }

func (r *brandingResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_branding"
}

// files judges logos; one judge serves a whole run.
func (r *brandingResource) files() *logoFiles {
	if r.session == nil {
		return r.fallback
	}
	return shared(r.session, func(*session) *logoFiles { return newLogoFiles() })
}

// Create sends what is declared. Where that fails half-way there is an error
// and no state: an error with state would taint, and sending all again is free
// (§1).
func (r *brandingResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan brandingModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if !r.ready() {
		resp.Diagnostics.Append(r.notReady())
		return
	}
	var sent brandingModel
	resp.Diagnostics.Append(r.send(ctx, req.Config, &plan, &sent)...)
	if resp.Diagnostics.HasError() {
		return
	}
	r.save(ctx, &plan, &resp.State, resp.Identity, resp.Private, &resp.Diagnostics)
}

func (r *brandingResource) save(ctx context.Context, m *brandingModel, state *tfsdk.State, identity *tfsdk.ResourceIdentity, private privateWriter, diags *diag.Diagnostics) {
	m.ID = m.Domain.StringValue
	diags.Append(state.Set(ctx, m)...)
	diags.Append(identity.Set(ctx, m.identity())...)
	diags.Append(memory{ID: m.ID.ValueString(), Host: m.ID.ValueString(), Slug: r.slug(ctx)}.save(ctx, private)...)
}

// Update sends what changed. What succeeded stays in state when the rest fails.
func (r *brandingResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan, state brandingModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if !r.ready() {
		resp.Diagnostics.Append(r.notReady())
		return
	}
	diags := r.send(ctx, req.Config, &plan, &state)
	resp.Diagnostics.Append(diags...)
	if diags.HasError() {
		plan = state // with what was sent
	}
	r.save(ctx, &plan, &resp.State, resp.Identity, resp.Private, &resp.Diagnostics)
}

// send sends what differs from before: the colours with one call, the logos with
// another. What was sent goes into before.
func (r *brandingResource) send(ctx context.Context, config tfsdk.Config, plan, before *brandingModel) diag.Diagnostics {
	host := plan.Domain.ValueString()
	logos, diags := r.changedLogos(ctx, config, plan, before)
	if diags.HasError() {
		return diags // nothing is half done because of a file
	}
	if colors := plan.changedColors(before); colors != (client.Colors{}) {
		if err := r.client.UpdateColors(ctx, host, colors); err != nil {
			diags.Append(colorsFailure(host).diagnose(err))
			return diags
		}
		before.keepColors(plan)
	}
	if logos == (client.Logos{}) {
		return diags
	}
	if err := r.client.UploadLogos(ctx, host, logos); err != nil {
		diags.Append(logosFailure(host).diagnose(err))
	}
	return diags
}

// changedLogos opens the files to send where the configuration says they are:
// the plan keeps the old path of a file that only moved.
func (r *brandingResource) changedLogos(ctx context.Context, config tfsdk.Config, plan, before *brandingModel) (client.Logos, diag.Diagnostics) {
	var (
		logos    client.Logos
		declared brandingModel
	)
	diags := config.Get(ctx, &declared)
	for _, f := range logoFields {
		at, hash := path.Root(f.attribute), f.hash(plan)
		where := *f.path(&declared)
		if diags.HasError() || where.IsNull() || !plan.reapplies(before) && hash.Equal(*f.hash(before)) {
			continue
		}
		file, err := r.files().open(where.ValueString())
		switch {
		case err != nil:
			diags.AddAttributeError(at, "Not usable as a logo of "+plan.Domain.ValueString(), err.Error()+". Nothing was sent.")
		case !hash.IsUnknown() && hash.ValueString() != file.sha256:
			diags.AddAttributeError(at, "The logo of "+plan.Domain.ValueString()+" changed after the plan",
				fmt.Sprintf("%s has another content than when it was planned. Nothing was sent. Plan again.", where.ValueString()))
		default:
			*hash = stringValue(file.sha256)
			*f.sent(&logos) = &file.File
		}
	}
	return logos, diags
}

// Read looks whether the label is still there: the list that every read of a run
// shares. Colours and logos cannot be read.
func (r *brandingResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	state, diags := brandingCodec().read(ctx, req.State)
	resp.Diagnostics.Append(diags...)
	resp.Diagnostics.Append(setIdentity(ctx, resp.Identity, "domain", state.Domain)...)
	mem, diags := readMemory(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() || !r.ready() {
		return // not ready: what is in state stays as it is
	}
	host := state.Domain.ValueString()
	name := "The branding of " + host
	labels, err := failedOnce(ctx, readLabels, r.inventory.Labels)
	if err != nil {
		resp.Diagnostics.Append(readFailure(name).diagnose(err))
		return
	}
	if _, ok := labels.ByAnyHost(host); !ok {
		v := verdictOf(r.inventory.CheckHostPresence(ctx, host, mem.Slug))
		r.removeAbsent(ctx, resp, sought{name, mem.Slug}, v, diag.NewWarningDiagnostic("Branding removed from state with its label",
			"The reseller's list no longer shows "+host+": the private label was deprovisioned, or the platform moved it."))
		return
	}
	if now := (memory{ID: host, Host: host, Slug: r.slug(ctx)}); now != mem && now.Slug != "" {
		resp.Diagnostics.Append(now.save(ctx, resp.Private)...)
	}
	if state.isRead() {
		return // the response has the prior state
	}
	state.ID = state.Domain.StringValue
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
}

// Delete sends nothing: the service keeps colours and logos.
func (r *brandingResource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {
}

// ImportState takes a host name, or the identity.
func (r *brandingResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	given, diags := importedBy(ctx, req, "domain")
	resp.Diagnostics.Append(diags...)
	if !looksLikeHost(given) {
		resp.Diagnostics.AddError(fmt.Sprintf("%q is no host name", given),
			"Import a branding by the host name of its label, such as sign.acme.example, without scheme or path. Nothing was imported.")
		return
	}
	if _, diags := r.lookUp(ctx, given); diags.HasError() {
		resp.Diagnostics.Append(diags...)
		return
	}
	resp.Diagnostics.Append(resp.Identity.Set(ctx, brandingIdentity{Domain: stringValue(given)})...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("domain"), given)...)
}

var notOurHost = remedy{path.Root("domain"), "The host is not one of this reseller's live labels. Check its spelling, and that the key is the right one; a label that is made in the same apply has to be referred to (domain = reseller_private_label.NAME.domain)."}

func colorsFailure(host string) failure {
	return failure{
		summary: "The colours of " + host + " were not changed",
		undone:  "The colours stay as they were, and no logo was sent.",
		remedies: map[string]remedy{
			client.CodeUnauthorized: notOurHost,
			client.CodeNotFound:     {path.Root("domain"), "The host has no branding that could be changed. Ask the service's support."},
			client.CodeInvalidColor: {path.Root("color_primary"), "Write colours as #rgb or #rrggbb."},
			client.CodeDomainEmpty:  {path.Root("domain"), "Give the host name."},
		},
	}
}

func logosFailure(host string) failure {
	at := path.Root("logo_path")
	return failure{
		summary: "The logos of " + host + " were not changed",
		undone:  "The logos stay as they were; colours that were to change are changed, and applying again sends the rest.",
		remedies: map[string]remedy{
			client.CodeUnauthorized:        notOurHost,
			client.CodeInvalidImage:        {at, "The service cannot read one of the images, or finds it larger than 4096 x 4096 pixels. Save it anew as a plain PNG."},
			client.CodeLimitFileSize:       {at, "A logo has at most 1 MB."},
			client.CodeLimitUnexpectedFile: {at, "The service takes PNG, JPEG, GIF and SVG."},
			client.CodeDomainInvalid:       {path.Root("domain"), "Write the bare host name, such as sign.acme.example."},
		},
	}
}
