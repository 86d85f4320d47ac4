package privatelabel

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

type AttachDomainAction struct{ session.ActionBase }

func NewAttachDomainAction() action.Action { return &AttachDomainAction{} }

type attachDomainModel struct {
	PrivateLabelID types.String `tfsdk:"private_label_id"`
}

func (a *AttachDomainAction) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_attach_domain"
}

func (a *AttachDomainAction) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Attaches the host name of a private label to its portal. It has no effect if the host name is attached. " +
			"An apply of `reseller_private_label` does the same.",
		Attributes: map[string]schema.Attribute{"private_label_id": session.ActionLabelArgument()},
	}
}

func (a *AttachDomainAction) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var m attachDomainModel
	if !a.Begin(ctx, req.Config, &m, &resp.Diagnostics) {
		return
	}
	label := m.PrivateLabelID.ValueString()
	host := a.HostOf(ctx, label)
	setup, err := attachHost(ctx, a.Session, label)
	switch {
	case err != nil:
		failure := step{kind: attach, host: host}.failure(false)
		failure.Unchanged, failure.Remedies = "Nothing was changed", notALabel
		resp.Diagnostics.Append(failure.Diagnostic(err))
	case !setup.Attached:
		resp.Diagnostics.AddError(summaryNotAttached, acceptedNotAttached(host))
	case setup.Verified:
		resp.SendProgress(action.InvokeProgressEvent{Message: host + " is attached, and its DNS is correct."})
	default:
		resp.SendProgress(action.InvokeProgressEvent{Message: diagnostic.JoinParagraphs(host+" is attached, but its DNS is not correct yet", expectedRecord(*setup))})
	}
}
