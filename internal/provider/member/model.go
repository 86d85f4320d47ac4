package member

import (
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
)

// model is a member of a private label.
type model struct {
	PrivateLabelID types.String `tfsdk:"private_label_id"`
	userModel
	object.Guarded
}

// userModel is what the resource and the data source copy alike.
type userModel struct {
	Email     fwtype.Email `tfsdk:"email"`
	FirstName types.String `tfsdk:"first_name"`
	LastName  types.String `tfsdk:"last_name"`

	ID        types.String      `tfsdk:"id"`
	Role      types.String      `tfsdk:"role"`
	Status    types.String      `tfsdk:"status"`
	CreatedAt timetypes.RFC3339 `tfsdk:"created_at"`
}

// fill copies the member that the API returned. Address and names keep the configured values: the API may store an
// address otherwise than it was written, and a name that the member changed is no drift. Only an import and the data
// source copy them.
func (m *userModel) fill(live *client.Member) {
	m.ID = types.StringValue(live.ID)
	m.Role = types.StringValue(live.Role)
	m.Status = types.StringValue(live.Status)
	m.CreatedAt = fwtype.TimeValue(live.CreatedAt)
	if m.Email.IsNull() {
		m.Email = fwtype.NewText[fwtype.EmailKind](live.Email)
	}
	if m.FirstName.IsNull() {
		m.FirstName = types.StringValue(live.FirstName)
	}
	if m.LastName.IsNull() {
		m.LastName = types.StringValue(live.LastName)
	}
}

// fillAdded copies the few attributes that the response to adding a member has.
func (m *model) fillAdded(added *client.Added) {
	m.ID = types.StringValue(added.UserID)
	if added.Created {
		m.Role = types.StringValue(client.RoleMember)
	}
}

// name names the member at the beginning of a sentence.
func (m *model) name() string {
	if m.Email.IsNull() {
		return "The user " + m.ID.ValueString()
	}
	return m.Email.ValueString()
}
