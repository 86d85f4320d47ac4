package member

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/slice"
)

// memberList lists all members of private labels, with owners and admins. It makes one API call for each private label,
// when its first member is requested.
var memberList = &registration.Listing{
	Type:        "member",
	Description: "Lists the members of one or all private labels, including owners and admins. One API call per private label.",
	Arguments: map[string]schema.Attribute{
		"private_label_id": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Private label ID. Default: all private labels.",
			Validators:          []validator.String{fwtype.PrivateLabelIDValidator},
		},
	},
	List: listMembers,
}

func listMembers(ctx context.Context, s *session.Session, req list.ListRequest, resp *list.ListResultsStream) {
	var config struct {
		PrivateLabelID types.String `tfsdk:"private_label_id"`
	}
	if diags := req.Config.Get(ctx, &config); diags.HasError() {
		session.FailedListing(resp, diags...)
		return
	}
	labels := []string{config.PrivateLabelID.ValueString()}
	if config.PrivateLabelID.IsNull() {
		all, err := s.Inventory.Labels(ctx, inventory.Current)
		if err != nil {
			session.FailedListing(resp, diagnostic.LabelListFailure(err)...)
			return
		}
		labels = slice.Map(all.All(), func(item client.PrivateLabelSummary) string { return item.TenantID })
	}
	session.Stream(ctx, req, resp, func(yield func(session.Listed, diag.Diagnostics) bool) {
		for _, label := range labels {
			members, err := s.Inventory.Members(ctx, label, inventory.Current)
			if err != nil {
				yield(session.Listed{}, notListed(ctx, s, label, err))
				return
			}
			for _, live := range members.All() {
				m := &model{PrivateLabelID: types.StringValue(label), ID: types.StringValue(live.ID)}
				listed := Member.Item(ctx, s, live.Email+" on "+s.KnownHost(label), m, func() (*model, error) { return m.filledFrom(&live), nil })
				if !yield(listed, nil) {
					return
				}
			}
		}
	})
}

// setList lists the set of each private label, with the API call that reads all private labels.
var setList = &registration.Listing{
	Type:        "members",
	Description: "Lists the set of members of each private label. One API call, and one per private label with `include_resource`.",
	Arguments:   map[string]schema.Attribute{},
	List: func(ctx context.Context, s *session.Session, req list.ListRequest, resp *list.ListResultsStream) {
		s.StreamLabels(ctx, req, resp, diagnostic.LabelListFailure, func(label *client.PrivateLabelSummary) (session.Listed, bool) {
			m := &setModel{
				PrivateLabelID: types.StringValue(label.TenantID), Members: types.MapNull(personType),
				UserIDs: types.MapNull(types.StringType), OwnersAndAdmins: types.SetNull(types.StringType),
			}
			return Set.Item(ctx, s, "members of "+label.Host(), m, func() (*setModel, error) {
				list, err := s.Inventory.Members(ctx, label.TenantID, inventory.Current)
				if err != nil {
					return nil, err
				}
				return m.filledFrom(list), nil
			}), true
		})
	},
}

type membersDataModel struct {
	PrivateLabelID types.String `tfsdk:"private_label_id"`
}

var membersData = &registration.DataSource[membersDataModel]{
	Type:   "members",
	Schema: membersDataSchema,
	Read: func(ctx context.Context, s *session.Session, m *membersDataModel) (any, diag.Diagnostics) {
		members, err := s.Inventory.Members(ctx, m.PrivateLabelID.ValueString(), inventory.Current)
		if err != nil {
			return nil, notListed(ctx, s, m.PrivateLabelID.ValueString(), err)
		}
		return map[string]any{"members": members.All()}, nil
	},
}

var resendInvite = &registration.Action{
	Type:   "resend_invite",
	Schema: resendInviteSchema,
	Event:  Emailed,
	UserID: "user_id",
	Invoke: func(ctx context.Context, s *session.Session, req action.InvokeRequest, resp *action.InvokeResponse) {
		var m struct {
			PrivateLabelID types.String `tfsdk:"private_label_id"`
			UserID         types.String `tfsdk:"user_id"`
		}
		resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
		if resp.Diagnostics.HasError() {
			return
		}
		label := m.PrivateLabelID.ValueString()
		user := m.UserID.ValueString()
		if err := s.Client.ResendInvite(ctx, label, user); err != nil {
			resp.Diagnostics.Append(inviteFailure(s.HostOf(ctx, label), user, err).Diagnostic(err))
			return
		}
		resp.SendProgress(action.InvokeProgressEvent{Message: fmt.Sprintf("User %s of %s was sent a set-password email.", user, s.HostOf(ctx, label))})
	},
}
