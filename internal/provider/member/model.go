package member

import (
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// model is a member of a private label.
type model struct {
	PrivateLabelID types.String                       `tfsdk:"private_label_id"`
	Email          fwtype.TextValue[fwtype.EmailKind] `tfsdk:"email"`
	FirstName      types.String                       `tfsdk:"first_name"`
	LastName       types.String                       `tfsdk:"last_name"`

	ID        types.String      `tfsdk:"id"`
	Role      types.String      `tfsdk:"role"`
	Status    types.String      `tfsdk:"status"`
	CreatedAt timetypes.RFC3339 `tfsdk:"created_at"`
}

type identity struct {
	PrivateLabelID types.String `tfsdk:"private_label_id"`
	ID             types.String `tfsdk:"id"`
}

func (m *model) Identity() identity {
	return identity{PrivateLabelID: m.PrivateLabelID, ID: m.ID}
}

// fromAPI copies the member that the API returned. The names keep the configured values, so that a name that the member
// changed is no drift; only an import copies them.
func (m *model) fromAPI(live *client.Member) {
	m.ID = types.StringValue(live.ID)
	m.Email = fwtype.NewText[fwtype.EmailKind](live.Email)
	m.Role = types.StringValue(live.Role)
	m.Status = types.StringValue(live.Status)
	m.CreatedAt = fwtype.TimeValue(live.CreatedAt)
	if m.FirstName.IsNull() {
		m.FirstName = types.StringValue(live.FirstName)
	}
	if m.LastName.IsNull() {
		m.LastName = types.StringValue(live.LastName)
	}
}

// fromAdding copies the few attributes that the response to adding a member has.
func (m *model) fromAdding(added *client.Added) {
	m.ID = types.StringValue(added.UserID)
	m.Role, m.Status, m.CreatedAt = types.StringNull(), types.StringNull(), timetypes.NewRFC3339Null()
	if added.Created {
		m.Role = types.StringValue(client.RoleMember)
	}
}

// administers reports whether the API rejects removing a member with this role (Reseller API §3.4).
func administers(role string) bool { return role == client.RoleOwner || role == client.RoleAdmin }

// personKey is the key of a user of a private label in the records of a run. person is a user ID or an email address.
func personKey(tenantID, person string) string { return tenantID + "/" + person }
