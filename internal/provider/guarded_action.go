package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/action"
)

// guardedAction recovers from panics. The framework runs an action in a goroutine, where a panic would end the process.
type guardedAction struct{ action.ActionWithConfigure }

// Invoke turns a panic into a diagnostic.
func (g guardedAction) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	defer func() {
		if thrown := recover(); thrown != nil {
			d := faultDiagnostic(ctx, "to invoke the action", thrown, "The action may have had its effect.")
			resp.Diagnostics.AddError(d.Summary, d.Detail)
		}
	}()
	g.ActionWithConfigure.Invoke(ctx, req, resp)
}
