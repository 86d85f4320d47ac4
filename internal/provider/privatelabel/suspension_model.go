package privatelabel

import (
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// suspensionModel is the status of a private label (§2.3), embedded in each model that shows it.
type suspensionModel struct {
	Status      types.String      `tfsdk:"status"`
	SuspendedAt timetypes.RFC3339 `tfsdk:"suspended_at"`
	SuspendedBy types.String      `tfsdk:"suspended_by"`
}

func (m *suspensionModel) fill(s client.Suspension) {
	m.Status = types.StringValue(s.Status)
	m.SuspendedAt = fwtype.TimeValue(s.SuspendedAt)
	m.SuspendedBy = types.StringPointerValue(s.SuspendedBy)
}

func (m *suspensionModel) suspended() bool {
	return m.Status.ValueString() == client.StatusSuspended
}

func (m *suspensionModel) suspendedByPlatform() bool {
	return m.suspended() && m.SuspendedBy.ValueString() == client.SuspendedByPlatform
}

func (m *suspensionModel) makeUnknown() {
	m.Status = types.StringUnknown()
	m.SuspendedAt = timetypes.NewRFC3339Unknown()
	m.SuspendedBy = types.StringUnknown()
}
