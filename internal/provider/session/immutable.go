package session

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// Immutable blocks a change of an attribute that no endpoint can change. It is
// an error and never a replacement: what would be replaced cannot be remade.
type Immutable struct {
	Subject path.Path // the attribute that names the object in messages: its host or code
	Reason  string    // why it cannot change, and what a replacement would lose for good
	Remedy  string    // the way out
}

func (m Immutable) Description(context.Context) string {
	return "A change once set is an error at plan."
}

func (m Immutable) MarkdownDescription(ctx context.Context) string { return m.Description(ctx) }

func (m Immutable) PlanModifyString(ctx context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	resp.Diagnostics.Append(m.judge(ctx, req.Path, req.State, req.Private, req.StateValue, req.PlanValue)...)
}

func (m Immutable) PlanModifyMap(ctx context.Context, req planmodifier.MapRequest, resp *planmodifier.MapResponse) {
	resp.Diagnostics.Append(m.judge(ctx, req.Path, req.State, req.Private, req.StateValue, req.PlanValue)...)
}

func (m Immutable) judge(ctx context.Context, at path.Path, state tfsdk.State, private PrivateReader, old, planned attr.Value) diag.Diagnostics {
	if state.Raw.IsNull() || planned.IsUnknown() || planned.Equal(old) {
		return nil
	}
	var diags diag.Diagnostics
	if old.IsNull() {
		mem, d := ReadPrivateState(ctx, private)
		diags.Append(d...)
		if !mem.Provisioned {
			// Imported: the service does not tell this value, so the declared
			// one is taken over with no call.
			return diags
		}
	}
	var subject attr.Value
	diags.Append(state.GetAttribute(ctx, m.Subject, &subject)...)
	if diags.HasError() {
		return diags
	}
	return append(diags, m.ChangeError(at, old, subject, fwtype.Display(planned), ""))
}

// ChangeError is the error of a change, of whom from what to what.
func (m Immutable) ChangeError(at path.Path, old, subject attr.Value, to, hint string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at,
		fmt.Sprintf("%s of %s cannot change", at, fwtype.Display(subject)),
		strings.TrimSpace(fmt.Sprintf("The plan would change it from %s to %s. %s\n\nNothing was planned or sent. %s %s",
			fwtype.Display(old), to, m.Reason, m.remedyFor(at, old), hint)))
}

func (m Immutable) remedyFor(at path.Path, old attr.Value) string {
	if old.IsNull() {
		return fmt.Sprintf("Take %s out of the configuration again. %s", at, m.Remedy)
	}
	return fmt.Sprintf("Set %s back to %s. %s", at, fwtype.Display(old), m.Remedy)
}
