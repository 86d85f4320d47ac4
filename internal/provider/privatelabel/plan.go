package privatelabel

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// Plan plans the computed attributes that a step changes, and warns about what has no effect.
func (c *change) Plan(ctx context.Context) (diags diag.Diagnostics) {
	if c.Destroys() || c.Creates() {
		return nil
	}
	if !c.Want.Domain.IsUnknown() && !c.Want.Domain.SameAs(c.Was.Domain) && !c.isOtherName(ctx) {
		diags.Append(permanentHost.ChangeError(path.Root("domain"), c.Was.Domain, c.Was.Domain, fwtype.Display(c.Want.Domain), ""))
	}
	if c.Was.detached() {
		c.Want.domainSetupModel.makeUnknown()
	}
	if c.Was.suspendedByPlatform() { // only the platform can lift this suspension
		if !c.Want.Suspended.IsNull() && !c.Was.Suspended.IsNull() {
			c.Want.Suspended = c.Was.Suspended
		}
		if !c.Want.SuspendReason.IsNull() && !c.Was.SuspendReason.IsNull() {
			c.Want.SuspendReason = c.Was.SuspendReason
		}
		diags.Append(suspendedByPlatform(c.Was))
	} else {
		diags.Append(planSuspension(ctx, c)...)
	}
	switch {
	case c.Want.owner("email").IsUnknown():
		c.Want.setOwnerID(types.StringUnknown())
	case c.Want.hasOtherOwner(c.Was):
		diags.Append(planOwner(ctx, c)...)
	}
	if changed := c.Want.recordedOnly(c.Was); len(changed) > 0 && !diags.HasError() {
		diags.AddWarning(SummaryRecordedOnly, fmt.Sprintf(recordedOnly, c.Was.Domain.ValueString(), strings.Join(changed, ", ")))
	}
	return diags
}

// planOwner plans to record the owner that the API shows, and rejects any other.
func planOwner(ctx context.Context, c *change) diag.Diagnostics {
	c.Want.setOwnerID(types.StringUnknown())
	if !c.Ready() {
		return nil // the plan that the apply makes again reads the owner
	}
	now, err := detailOf(ctx, c.Session, c.Was.ID.ValueString(), inventory.Current)
	switch want := c.Want.owner("email").ValueString(); {
	case err != nil:
		return diag.Diagnostics{diagnostic.ReadFailure(diagnostic.SummaryReadLabel, c.Was.name()).Diagnostic(err)}
	case now.Owner != nil && sameEmail(now.Owner.Email, want):
		c.Want.setOwnerID(types.StringValue(now.Owner.UserID))
		return nil
	default:
		shown := ""
		if now.Owner != nil {
			shown = fmt.Sprintf("The API shows the owner %s.", now.Owner.Email)
		}
		return diag.Diagnostics{permanentOwner.ChangeError(path.Root("owner").AtName("email"), c.Was.owner("email"), c.Was.Domain, want, shown)}
	}
}

// sameWhenEmpty keeps the state of a map where {} and an omitted one are the only difference: both are sent alike.
type sameWhenEmpty struct{}

func (sameWhenEmpty) Description(context.Context) string {
	return "An empty map and an omitted one are equal."
}

func (m sameWhenEmpty) MarkdownDescription(ctx context.Context) string { return m.Description(ctx) }

func (sameWhenEmpty) PlanModifyMap(_ context.Context, req planmodifier.MapRequest, resp *planmodifier.MapResponse) {
	isSame := len(req.StateValue.Elements()) == 0 && len(req.PlanValue.Elements()) == 0
	if isSame && !req.State.Raw.IsNull() && !req.PlanValue.IsUnknown() {
		resp.PlanValue = req.StateValue
	}
}

// isOtherName reports whether the planned host name is another name of the same private label: its primary host or its
// custom domain.
func (c *change) isOtherName(ctx context.Context) bool {
	if !c.Ready() {
		return false
	}
	labels, err := c.Inventory.Labels(ctx, inventory.Cached)
	if err != nil {
		return false
	}
	item, ok := labels.ByID(c.Was.ID.ValueString())
	return ok && item.HasHost(c.Want.Domain.ValueString())
}

// Validate: a reason explains why `suspended` is true. AlsoRequires would also accept `suspended = false`.
func (kind) Validate(ctx context.Context, config tfsdk.Config) diag.Diagnostics {
	var reason types.String
	var suspended types.Bool
	at := path.Root("suspend_reason")
	diags := config.GetAttribute(ctx, at, &reason)
	if reason.IsNull() || reason.IsUnknown() {
		return diags
	}
	diags.Append(config.GetAttribute(ctx, path.Root("suspended"), &suspended)...)
	if !suspended.IsUnknown() && !suspended.ValueBool() {
		diags.AddAttributeError(at, diagnostic.SummaryInvalidCombination,
			"suspend_reason requires suspended = true. Set it, or remove suspend_reason.")
	}
	return diags
}

// requireToProvision requires attributes that are optional in the schema because an import does not have them.
func requireToProvision(config *model) (diags diag.Diagnostics) {
	host := effect.NameOf(config.Domain, "the private label")
	if config.AppName.IsNull() {
		diags.AddAttributeError(path.Root("app_name"), summaryMissingAppName, fmt.Sprintf(appNameMissing, host))
	}
	if config.Owner.IsNull() {
		diags.AddAttributeError(path.Root("owner"), summaryMissingOwner, fmt.Sprintf(ownerMissing, host))
	}
	return diags
}

// planSuspension plans a suspension or its end. It rejects another reason during a suspension: a second suspend call keeps
// the first reason (§3.1).
func planSuspension(ctx context.Context, c *change) (diags diag.Diagnostics) {
	want, was := c.Want.SuspendReason, c.Was.SuspendReason
	switch {
	case c.Want.Suspended.IsNull():
		return nil
	case !c.Want.Suspended.Equal(c.Was.suspension()):
		c.Want.suspensionModel.makeUnknown()
		return nil
	case !c.Was.suspended() || want.IsUnknown() || want.IsNull() && was.IsNull():
		return nil
	}
	reason, host := reasonNow(ctx, c), c.Was.Domain.ValueString()
	switch {
	case want.Equal(reason):
	case want.Equal(was):
		diags.AddWarning(SummaryOtherReason, fmt.Sprintf(otherReason, host, reason.ValueString(), want.ValueString()))
	default:
		diags.AddAttributeError(path.Root("suspend_reason"), SummaryReasonFixed, fmt.Sprintf(reasonFixed, host, reason.ValueString()))
	}
	return diags
}

// reasonNow is the reason from the API, or from state if the API cannot be read.
func reasonNow(ctx context.Context, c *change) types.String {
	if c.Ready() {
		if labels, err := c.Inventory.Labels(ctx, inventory.Cached); err == nil {
			if item, ok := labels.ByID(c.Was.ID.ValueString()); ok && item.Status == client.StatusSuspended {
				return types.StringPointerValue(item.SuspendReason)
			}
		}
	}
	return c.Was.SuspendReason
}
