package privatelabel

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

var attachDomain = &registration.Action{
	Type: "attach_domain",
	Schema: func() schema.Schema {
		return schema.Schema{
			MarkdownDescription: "Attaches the host name of a private label to its portal. It has no effect if the host name is attached. " +
				"Applying `reseller_private_label` has the same effect.",
			Attributes: map[string]schema.Attribute{"private_label_id": fwtype.ActionLabelArgument()},
		}
	},
	Invoke: func(ctx context.Context, s *session.Session, req action.InvokeRequest, resp *action.InvokeResponse) {
		var m struct {
			PrivateLabelID types.String `tfsdk:"private_label_id"`
		}
		resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
		if resp.Diagnostics.HasError() {
			return
		}
		label := m.PrivateLabelID.ValueString()
		host := s.HostOf(ctx, label)
		attached, o := attachHost(ctx, s, label)
		switch {
		case o.State != transport.Applied:
			failure := failureOf(effect.NewStep(attach, host, ""), false)
			failure.Unchanged, failure.Remedies = "Nothing was changed", notALabel
			resp.Diagnostics.Append(failure.Of(o))
		case !attached.DomainSetup.IsAttached():
			resp.Diagnostics.AddError(SummaryNotAttached, fmt.Sprintf(acceptedNotAttached, host))
		case attached.DomainSetup.IsVerified():
			resp.SendProgress(action.InvokeProgressEvent{Message: host + " is attached, and its DNS is correct."})
		default:
			message := diagnostic.JoinParagraphs(host+" is attached, but its DNS is not correct yet", expectedRecord(host, *attached.DomainSetup))
			resp.SendProgress(action.InvokeProgressEvent{Message: message})
		}
	},
}
