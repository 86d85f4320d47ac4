package member

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

type membersDataModel struct {
	PrivateLabelID types.String      `tfsdk:"private_label_id"`
	Members        []memberDataModel `tfsdk:"members"`
}

type memberDataModel struct {
	userModel
	IsOwner types.Bool `tfsdk:"is_owner"`
}

var membersData = &object.DataSource[membersDataModel]{
	Type:   "members",
	Schema: membersDataSchema,
	Read: func(ctx context.Context, s *session.Session, m *membersDataModel) diag.Diagnostics {
		label := m.PrivateLabelID.ValueString()
		members, err := s.Inventory.Members(ctx, label, inventory.Current)
		if err != nil {
			return diag.Diagnostics{s.NotOfLabel(ctx, diagnostic.SummaryListMembers, label, "The members list of "+s.HostOf(ctx, label), err)}
		}
		m.Members = object.Rows(members.All(), func(live *client.Member) memberDataModel {
			row := memberDataModel{IsOwner: types.BoolValue(live.IsOwner)}
			row.fill(live)
			return row
		})
		return nil
	},
}
