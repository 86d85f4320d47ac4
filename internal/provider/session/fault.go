package session

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// Recovered is the end of an apply, with what recover returned. It converts a panic to a diagnostic, so that the state
// which was set until then is kept: a create with a state gets a warning, because an error would taint what was created.
func Recovered(ctx context.Context, thrown any, creates bool, state *tfsdk.State, diags *diag.Diagnostics) {
	switch {
	case thrown == nil:
	case !creates:
		diags.Append(diagnostic.Fault(ctx, "to change an object", thrown,
			"Part of the change may have been made. The state has what is known. Plan again to see the result."))
	case state.Raw.IsNull():
		diags.Append(diagnostic.Fault(ctx, "to create an object", thrown,
			"The object may have been created; it is not in state. Plan again to see the result."))
	default:
		state.Raw = fwtype.Known(state.Raw)
		d := diagnostic.Fault(ctx, "to create an object", thrown, "The object was created and is in state. What is missing is read by the next plan.")
		diags.AddWarning(d.Summary(), d.Detail())
	}
}
