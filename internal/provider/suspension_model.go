package provider

import (
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// suspensionModel is the status of a label (§2.3): embedded by whatever shows it.
type suspensionModel struct {
	Status      types.String      `tfsdk:"status"`
	SuspendedAt timetypes.RFC3339 `tfsdk:"suspended_at"`
	SuspendedBy types.String      `tfsdk:"suspended_by"`
}

func (m *suspensionModel) fromAPI(s client.Suspension) {
	m.Status = types.StringValue(s.Status)
	m.SuspendedAt = timeValue(s.SuspendedAt)
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

// timeValue converts the service's milliseconds, keeping them where there are any.
// A number that is no time is null: nothing that was made may be lost for it.
func timeValue(ms *client.Millis) timetypes.RFC3339 {
	if ms == nil || !ms.Valid() {
		return timetypes.NewRFC3339Null()
	}
	value, diags := timetypes.NewRFC3339Value(ms.Time().Format(time.RFC3339Nano))
	if diags.HasError() {
		return timetypes.NewRFC3339Null()
	}
	return value
}

// timeWarning tells of a time that timeValue leaves out; nil for a good one.
func timeWarning(field, subject string, ms *client.Millis) diag.Diagnostics {
	if ms == nil || ms.Valid() {
		return nil
	}
	return diag.Diagnostics{diag.NewWarningDiagnostic("Time is not readable",
		fmt.Sprintf("The API returned a number as %s of %s that is no time in milliseconds since 1970. The attribute is null. Nothing else is affected.", field, subject))}
}
