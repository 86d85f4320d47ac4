package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

type membersDataSource struct {
	forDataSource
}

var _ datasource.DataSourceWithConfigure = (*membersDataSource)(nil)

func newMembersDataSource() datasource.DataSource { return &membersDataSource{} }

type membersDataModel struct {
	PrivateLabelID types.String      `tfsdk:"private_label_id"`
	Members        []memberDataModel `tfsdk:"members"`
}

type memberDataModel struct {
	ID        types.String         `tfsdk:"id"`
	FirstName types.String         `tfsdk:"first_name"`
	LastName  types.String         `tfsdk:"last_name"`
	Email     textValue[emailKind] `tfsdk:"email"`
	Status    types.String         `tfsdk:"status"`
	Role      types.String         `tfsdk:"role"`
	IsOwner   types.Bool           `tfsdk:"is_owner"`
	CreatedAt timetypes.RFC3339    `tfsdk:"created_at"`
}

func (m *membersDataModel) fromAPI(members []client.Member) {
	m.Members = make([]memberDataModel, 0, len(members))
	for i := range members {
		live := &members[i]
		m.Members = append(m.Members, memberDataModel{
			ID:        types.StringValue(live.ID),
			FirstName: types.StringValue(live.FirstName),
			LastName:  types.StringValue(live.LastName),
			Email:     newText[emailKind](live.Email),
			Status:    types.StringValue(live.Status),
			Role:      types.StringValue(live.Role),
			IsOwner:   types.BoolValue(live.IsOwner),
			CreatedAt: timeValue(live.CreatedAt),
		})
	}
}

func (d *membersDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_members"
}

// ofLabelArgument is the label that a data source reads.
func ofLabelArgument() schema.StringAttribute {
	return schema.StringAttribute{
		Required:            true,
		MarkdownDescription: "Tenant id of the label. API: `:tenantId`.",
		Validators:          []validator.String{idValidator},
	}
}

func (d *membersDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Everybody who holds a seat on a label, the owner first (§2.8, §4.17). People who were merely sent a document to sign hold none and are left out. One call, which all members of the label share in a run.",
		Attributes: map[string]schema.Attribute{
			"private_label_id": ofLabelArgument(),
			"members": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "The people, the owner first. API: `members`.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"id":         computedString("User id, 32 lower-case hex characters."),
					"first_name": computedString("First name."),
					"last_name":  computedString("Last name."),
					"email":      schema.StringAttribute{CustomType: textType[emailKind]{}, Computed: true, MarkdownDescription: "E-mail address."},
					"status":     computedString("Status of the person as the service writes it."),
					"role":       computedString("`owner`, `admin` or `member`."),
					"is_owner":   schema.BoolAttribute{Computed: true, MarkdownDescription: "True for the owner and for every admin. API: `isOwner`."},
					"created_at": computedTime("When the person was added (RFC 3339, UTC)."),
				}},
			},
		},
	}
}

func (d *membersDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m membersDataModel
	if !d.begin(ctx, req.Config, &m, &resp.Diagnostics) {
		return
	}
	label := m.PrivateLabelID.ValueString()
	members, err := d.inventory.Members(ctx, label)
	if err != nil {
		resp.Diagnostics.Append(d.notOfLabel(ctx, label, "The members of "+d.hostOf(ctx, label), err))
		return
	}
	m.fromAPI(members.All())
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}

// notOfLabel tells a label that is not there from another failure.
func (s *session) notOfLabel(ctx context.Context, label, name string, err error) diag.Diagnostic {
	if s.notOurs(ctx, label, err) {
		return noSuchLabel(path.Root("private_label_id"), label, s.slug(ctx))
	}
	return readFailure(name).diagnose(err)
}
