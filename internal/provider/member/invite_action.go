package member

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/types"

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
