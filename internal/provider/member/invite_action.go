package member

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

type resendInviteModel struct {
	PrivateLabelID types.String `tfsdk:"private_label_id"`
	UserID         types.String `tfsdk:"user_id"`
}

var resendInvite = &object.Action{
	Type:   "resend_invite",
	Schema: resendInviteSchema,
	Effect: emailTo(""),
	UserID: "user_id",
	Invoke: func(ctx context.Context, s *session.Session, req action.InvokeRequest, resp *action.InvokeResponse) {
		var m resendInviteModel
		resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
		if resp.Diagnostics.HasError() {
			return
		}
		label, user := m.PrivateLabelID.ValueString(), m.UserID.ValueString()
		if err := s.Client.ResendInvite(ctx, label, user); err != nil {
			resp.Diagnostics.Append(inviteFailure(s.HostOf(ctx, label), user, err).Diagnostic(err))
			return
		}
		resp.SendProgress(action.InvokeProgressEvent{Message: fmt.Sprintf("User %s of %s was sent a set-password email.", user, s.HostOf(ctx, label))})
	},
}
