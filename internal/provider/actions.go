package provider

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
)

// forAction gives an action its session.
type forAction struct {
	*session
}

func (a *forAction) Configure(_ context.Context, req action.ConfigureRequest, resp *action.ConfigureResponse) {
	a.session = sessionFrom(req.ProviderData, &resp.Diagnostics)
}

func labelArgument() schema.StringAttribute {
	return schema.StringAttribute{
		Required:            true,
		MarkdownDescription: "Tenant id of the label. API: `:tenantId`.",
		Validators:          []validator.String{idValidator},
	}
}

type resendInviteAction struct{ forAction }

var _ action.ActionWithConfigure = (*resendInviteAction)(nil)

func newResendInviteAction() action.Action { return &resendInviteAction{} }

type resendInviteModel struct {
	PrivateLabelID types.String `tfsdk:"private_label_id"`
	UserID         types.String `tfsdk:"user_id"`
}

func (a *resendInviteAction) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_resend_invite"
}

func (a *resendInviteAction) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "E-mails a person of a label a fresh set-password link (§4.19). One e-mail a person in five minutes, counting the one of adding them. It is sent once and never repeated.",
		Attributes: map[string]schema.Attribute{
			"private_label_id": labelArgument(),
			"user_id": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "User id of the person, such as `id` of a `reseller_member` or `owner.user_id` of a label. API: `:userId`.",
				Validators:          []validator.String{idValidator},
			},
		},
	}
}

func (a *resendInviteAction) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var m resendInviteModel
	if !a.begin(ctx, req.Config, &m, &resp.Diagnostics) {
		return
	}
	label, user := m.PrivateLabelID.ValueString(), m.UserID.ValueString()
	if err := a.client.ResendInvite(ctx, label, user); err != nil {
		resp.Diagnostics.Append(inviteFailure(a.hostOf(ctx, label), user, err).diagnose(err))
		return
	}
	resp.SendProgress(action.InvokeProgressEvent{Message: fmt.Sprintf("The user %s of %s was sent a set-password link.", user, a.hostOf(ctx, label))})
}

func inviteFailure(host, user string, err error) failure {
	again := "in five minutes"
	var answer *client.Error
	if errors.As(err, &answer) && answer.RetryAfter > 0 {
		again = "after " + answer.RetryAfter.Round(time.Second).String()
	}
	return failure{
		summary: fmt.Sprintf("The user %s of %s was not invited again", user, host),
		undone:  "No e-mail was sent by this call.",
		remedies: map[string]remedy{
			client.CodeTooFrequent:  {advice: "A person gets one set-password e-mail in five minutes, counting the one of adding them. Invoke the action again " + again + "."},
			client.CodeInternal:     {advice: "The service could not send the e-mail. The five minutes until the next try count all the same: invoke the action again then."},
			client.CodeUserNotFound: {path.Root("user_id"), "Nobody on the label has this id. `reseller_members` lists who holds a seat."},
			client.CodeInvalidTarget: {
				path.Root("private_label_id"), "This is no live label of the reseller.",
			},
		},
	}
}

type attachDomainAction struct{ forAction }

var _ action.ActionWithConfigure = (*attachDomainAction)(nil)

func newAttachDomainAction() action.Action { return &attachDomainAction{} }

type attachDomainModel struct {
	PrivateLabelID types.String `tfsdk:"private_label_id"`
}

func (a *attachDomainAction) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_attach_domain"
}

func (a *attachDomainAction) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Attaches a label's host to its portal again (§4.11). A host that is attached stays so. An apply of `reseller_private_label` does the same by itself; this is for a run of its own.",
		Attributes:          map[string]schema.Attribute{"private_label_id": labelArgument()},
	}
}

func (a *attachDomainAction) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var m attachDomainModel
	if !a.begin(ctx, req.Config, &m, &resp.Diagnostics) {
		return
	}
	label := m.PrivateLabelID.ValueString()
	host := a.hostOf(ctx, label)
	done := a.inventory.Writing(label)
	setup, err := a.client.AttachDomain(ctx, label)
	done()
	switch {
	case err != nil:
		resp.Diagnostics.Append(failure{
			summary:  host + " was not attached",
			undone:   "Nothing was changed.",
			remedies: map[string]remedy{client.CodeInvalidTarget: {path.Root("private_label_id"), "This is no live label of the reseller."}},
		}.diagnose(err))
	case !setup.Attached:
		resp.Diagnostics.AddError(host+" is still not attached",
			"The service answered, but could not attach the host. Nothing else was changed. Invoke the action again later; if it lasts, ask the service's support.")
	case setup.Verified:
		resp.SendProgress(action.InvokeProgressEvent{Message: host + " is attached, and its DNS is correct."})
	default:
		resp.SendProgress(action.InvokeProgressEvent{Message: sentences(host+" is attached; its DNS is not correct yet", expectedRecord(*setup))})
	}
}
