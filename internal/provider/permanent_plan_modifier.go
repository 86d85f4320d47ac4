package provider

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
)

// permanent blocks a change of an attribute that no endpoint can change. It is
// an error and never a replacement: what would be replaced cannot be remade.
type permanent struct {
	subject path.Path // the attribute that names the object in messages: its host or code
	because string    // why it cannot change, and what a replacement would lose for good
	remedy  string    // the way out
}

func (m permanent) Description(context.Context) string {
	return "A change once set is an error at plan."
}

func (m permanent) MarkdownDescription(ctx context.Context) string { return m.Description(ctx) }

func (m permanent) PlanModifyString(ctx context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	resp.Diagnostics.Append(m.judge(ctx, req.Path, req.State, req.Private, req.StateValue, req.PlanValue)...)
}

func (m permanent) PlanModifyMap(ctx context.Context, req planmodifier.MapRequest, resp *planmodifier.MapResponse) {
	resp.Diagnostics.Append(m.judge(ctx, req.Path, req.State, req.Private, req.StateValue, req.PlanValue)...)
}

func (m permanent) judge(ctx context.Context, at path.Path, state tfsdk.State, private privateReader, old, planned attr.Value) diag.Diagnostics {
	if state.Raw.IsNull() || planned.IsUnknown() || planned.Equal(old) {
		return nil
	}
	var diags diag.Diagnostics
	if old.IsNull() {
		mem, d := readMemory(ctx, private)
		diags.Append(d...)
		if !mem.Provisioned {
			// Imported: the service does not tell this value, so the declared
			// one is taken over with no call.
			return diags
		}
	}
	var subject attr.Value
	diags.Append(state.GetAttribute(ctx, m.subject, &subject)...)
	if diags.HasError() {
		return diags
	}
	return append(diags, m.another(at, old, subject, display(planned), ""))
}

// another is the error of a change, of whom from what to what.
func (m permanent) another(at path.Path, old, subject attr.Value, to, hint string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at,
		fmt.Sprintf("%s of %s cannot change", at, display(subject)),
		strings.TrimSpace(fmt.Sprintf("The plan would change it from %s to %s. %s\n\nNothing was planned or sent. %s %s",
			display(old), to, m.because, m.remedyFor(at, old), hint)))
}

func (m permanent) remedyFor(at path.Path, old attr.Value) string {
	if old.IsNull() {
		return fmt.Sprintf("Take %s out of the configuration again. %s", at, m.remedy)
	}
	return fmt.Sprintf("Set %s back to %s. %s", at, display(old), m.remedy)
}

// display renders a value for a message: strings without their quotes.
func display(v attr.Value) string {
	type stringer interface{ ValueString() string }
	if v == nil || v.IsNull() {
		return "nothing"
	}
	if s, ok := v.(stringer); ok && !v.IsUnknown() {
		return s.ValueString()
	}
	return v.String()
}
