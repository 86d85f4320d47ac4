package diagnostic

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/privatelabels/terraform-provider-reseller/internal/fault"
)

// Fault is the error of a panic: thrown is what recover returned in a deferred function, and left says what the panic
// left of what the request changes.
func Fault(ctx context.Context, what string, thrown any, left string) diag.Diagnostic {
	found := fault.New(thrown)
	tflog.Error(ctx, "the provider failed internally", map[string]any{"request": what, "fault": found.Error()})
	return diag.NewErrorDiagnostic(SummaryFault,
		JoinParagraphs("The request "+what+" was not completed: "+found.Error(), left, "This is a bug in the provider. Report it with this text."))
}
