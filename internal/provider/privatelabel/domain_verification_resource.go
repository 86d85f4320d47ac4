package privatelabel

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// defaultVerificationTime is how long a create waits by default.
const defaultVerificationTime = 30 * time.Minute

type domainVerificationResource struct {
	session.ResourceBase
}

var (
	_ resource.ResourceWithConfigure   = (*domainVerificationResource)(nil)
	_ resource.ResourceWithIdentity    = (*domainVerificationResource)(nil)
	_ resource.ResourceWithImportState = (*domainVerificationResource)(nil)

	_ resource.ResourceWithValidateConfig = (*domainVerificationResource)(nil)
)

func NewDomainVerificationResource() resource.Resource { return &domainVerificationResource{} }

type domainVerificationModel struct {
	PrivateLabelID types.String   `tfsdk:"private_label_id"`
	ID             types.String   `tfsdk:"id"`
	Domain         types.String   `tfsdk:"domain"`
	Timeouts       timeouts.Value `tfsdk:"timeouts"`
}

func (m *domainVerificationModel) Identity() session.LabelIdentity {
	return session.LabelIdentity{PrivateLabelID: m.PrivateLabelID}
}

func (r *domainVerificationResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_domain_verification"
}

// Create waits on the session's clock, so that a sandbox waits in its own time.
func (r *domainVerificationResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan domainVerificationModel
	if !r.Begin(ctx, req.Plan, &plan, &resp.Diagnostics) {
		return
	}
	limit, diags := plan.Timeouts.Create(ctx, defaultVerificationTime)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	label := plan.PrivateLabelID.ValueString()
	live, err := session.Shared(r.Session, newVerificationPollerOf).wait(ctx, label, limit)
	r.Inventory.InvalidateLabel(label) // the inventory may have an older response
	if err != nil {
		resp.Diagnostics.Append(r.unverified(ctx, label, live, err))
		return
	}
	plan.ID, plan.Domain = plan.PrivateLabelID, types.StringValue(live.PrimaryHost)
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, plan.Identity())...)
	resp.Diagnostics.Append(session.PrivateState{ID: label, Host: live.PrimaryHost, Slug: r.Slug(ctx)}.Save(ctx, resp.Private)...)
}

// unverified says what is missing. live is the last read, nil for none.
func (r *domainVerificationResource) unverified(ctx context.Context, label string, live *client.PrivateLabel, err error) diag.Diagnostic {
	if live == nil {
		return diagnostic.APIFailure{
			Summary:   summaryVerify,
			Failed:    "The domain verification of " + r.HostOf(ctx, label) + " could not be checked",
			Unchanged: "Nothing was changed. Another apply starts to wait again",
			Remedies:  notALabel,
		}.Diagnostic(err)
	}
	host, remedy := live.PrimaryHost, "Apply again to continue to wait, or wait longer with timeouts = { create = \"2h\" }."
	detail := diagnostic.JoinParagraphs(host+" is attached, but its DNS is not correct yet. "+diagnostic.Capitalize(err.Error()), expectedRecord(live.DomainSetup))
	if !live.DomainSetup.Attached {
		detail = diagnostic.JoinParagraphs("The API has not attached " + host + ". " + diagnostic.Capitalize(err.Error()))
		remedy = "Apply reseller_private_label again, or invoke the action reseller_attach_domain, to attach the host name. Then apply again."
	}
	return diag.NewErrorDiagnostic(summaryNotVerified, diagnostic.JoinParagraphs(detail, "The private label was not changed, and nothing is in state. "+remedy))
}

// ValidateConfig rejects a negative time; 0s reads once.
func (r *domainVerificationResource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var config domainVerificationModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	limit, diags := config.Timeouts.Create(ctx, defaultVerificationTime)
	resp.Diagnostics.Append(diags...)
	if limit < 0 {
		resp.Diagnostics.Append(diagnostic.InvalidValue(path.Root("timeouts").AtName("create"), limit.String(),
			"set a duration that is not negative, such as 30m; 0s checks once"))
	}
}

// Read checks whether the private label still exists, in the list that all reads of a run share.
func (r *domainVerificationResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state domainVerificationModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, state.Identity())...)
	mem, diags := session.ReadPrivateState(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() || !r.Ready() {
		return // not configured: state stays unchanged
	}
	label := state.PrivateLabelID.ValueString()
	name := "The domain verification of " + state.Domain.ValueString()
	labels, err := r.Inventory.Labels(ctx)
	if err != nil {
		resp.Diagnostics.Append(diagnostic.ReadFailure(diagnostic.SummaryListLabels, name).Diagnostic(err))
		return
	}
	item, ok := labels.ByID(label)
	if !ok {
		v := session.VerdictOf(r.Inventory.CheckPresence(ctx, label, mem.Slug))
		r.RemoveAbsent(ctx, resp, session.Sought{Name: name, LastSlug: mem.Slug}, v,
			diag.NewWarningDiagnostic(summaryVerificationGone, session.GoneText(state.Domain.ValueString(), label)))
		return
	}
	state.ID, state.Domain = state.PrivateLabelID, types.StringValue(item.PrimaryHost)
	resp.Diagnostics.Append(session.PrivateState{ID: label, Host: item.PrimaryHost, Slug: r.Slug(ctx)}.SaveChange(ctx, mem, resp.Private)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
}

// Update makes no API call: only the time to wait can change.
func (r *domainVerificationResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan domainVerificationModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, plan.Identity())...)
}

// Delete only removes the resource from state.
func (r *domainVerificationResource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {
}

// ImportState accepts a private label ID, a host name or the identity of a private label whose host name is verified.
func (r *domainVerificationResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	given, id, diags := r.ImportedLabel(ctx, req)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	live, err := r.Inventory.Label(ctx, id)
	switch {
	case err != nil:
		resp.Diagnostics.Append(diagnostic.ReadFailure(diagnostic.SummaryReadLabel, "The private label "+given).Diagnostic(err))
		return
	case !verified(live):
		resp.Diagnostics.AddError(summaryNotVerified, notImportedUnverified(live))
		return
	}
	resp.Diagnostics.Append(resp.Identity.Set(ctx, session.LabelIdentity{PrivateLabelID: fwtype.StringValue(id)})...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("private_label_id"), id)...)
}
