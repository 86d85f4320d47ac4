package member

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

type membersDataSource struct {
	session.DataSourceBase
}

var _ datasource.DataSourceWithConfigure = (*membersDataSource)(nil)

func NewMembersDataSource() datasource.DataSource { return &membersDataSource{} }

type membersDataModel struct {
	PrivateLabelID types.String      `tfsdk:"private_label_id"`
	Members        []memberDataModel `tfsdk:"members"`
}

type memberDataModel struct {
	ID        types.String                       `tfsdk:"id"`
	FirstName types.String                       `tfsdk:"first_name"`
	LastName  types.String                       `tfsdk:"last_name"`
	Email     fwtype.TextValue[fwtype.EmailKind] `tfsdk:"email"`
	Status    types.String                       `tfsdk:"status"`
	Role      types.String                       `tfsdk:"role"`
	IsOwner   types.Bool                         `tfsdk:"is_owner"`
	CreatedAt timetypes.RFC3339                  `tfsdk:"created_at"`
}

func (m *membersDataModel) fromAPI(members []client.Member) {
	m.Members = make([]memberDataModel, 0, len(members))
	for i := range members {
		live := &members[i]
		m.Members = append(m.Members, memberDataModel{
			ID:        types.StringValue(live.ID),
			FirstName: types.StringValue(live.FirstName),
			LastName:  types.StringValue(live.LastName),
			Email:     fwtype.NewText[fwtype.EmailKind](live.Email),
			Status:    types.StringValue(live.Status),
			Role:      types.StringValue(live.Role),
			IsOwner:   types.BoolValue(live.IsOwner),
			CreatedAt: fwtype.TimeValue(live.CreatedAt),
		})
	}
}

func (d *membersDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_members"
}

func (d *membersDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m membersDataModel
	if !d.Begin(ctx, req.Config, &m, &resp.Diagnostics) {
		return
	}
	label := m.PrivateLabelID.ValueString()
	members, err := d.Inventory.Members(ctx, label, inventory.Current)
	if err != nil {
		resp.Diagnostics.Append(d.NotOfLabel(ctx, diagnostic.SummaryListMembers, label, "The members list of "+d.HostOf(ctx, label), err))
		return
	}
	m.fromAPI(members.All())
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}
