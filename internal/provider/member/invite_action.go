package member

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

type ResendInviteAction struct{ session.ActionBase }

func NewResendInviteAction() action.Action { return &ResendInviteAction{} }

type resendInviteModel struct {
	PrivateLabelID types.String `tfsdk:"private_label_id"`
	UserID         types.String `tfsdk:"user_id"`
}

func (a *ResendInviteAction) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_resend_invite"
}

func (a *ResendInviteAction) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Sends a member a new set-password email. The API allows one email for each member in 5 minutes, including the one sent when the member was added. The call is never retried.",
		Attributes: map[string]schema.Attribute{
			"private_label_id": session.ActionLabelArgument(),
			"user_id": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "User ID of the member, such as `id` of a `reseller_member` or `owner.user_id` of a private label. API: `:userId`.",
				Validators:          []validator.String{fwtype.LabelIDValidator},
			},
		},
	}
}

func (a *ResendInviteAction) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var m resendInviteModel
	if !a.Begin(ctx, req.Config, &m, &resp.Diagnostics) {
		return
	}
	label, user := m.PrivateLabelID.ValueString(), m.UserID.ValueString()
	if err := a.Client.ResendInvite(ctx, label, user); err != nil {
		resp.Diagnostics.Append(inviteFailure(a.HostOf(ctx, label), user, err).Diagnostic(err))
		return
	}
	resp.SendProgress(action.InvokeProgressEvent{Message: fmt.Sprintf("User %s of %s was sent a set-password email.", user, a.HostOf(ctx, label))})
}

func inviteFailure(host, user string, err error) diagnostic.APIFailure {
	again := "in five minutes"
	var answer *transport.Error
	if errors.As(err, &answer) && answer.RetryAfter > 0 {
		again = "after " + answer.RetryAfter.Round(time.Second).String()
	}
	return diagnostic.APIFailure{
		Summary:   summaryInvite,
		Object:    host,
		Failed:    fmt.Sprintf("User %s of %s was not sent a set-password email", user, host),
		Unchanged: "This call sent no email",
		Remedies: map[string]diagnostic.Remedy{
			client.CodeTooFrequent:  {Advice: "A user receives at most one set-password email in five minutes, including the one sent when the member was added. Invoke the action again " + again + "."},
			client.CodeInternal:     {Advice: "The API could not send the email. Invoke the action again after five minutes; the failed attempt counts."},
			client.CodeUserNotFound: {At: path.Root("user_id"), Advice: "No member of the private label has this ID. The data source reseller_members lists all members."},
			client.CodeInvalidTarget: {
				At: path.Root("private_label_id"), Advice: "This is not a private label of the reseller. Check the ID.",
			},
		},
	}
}
