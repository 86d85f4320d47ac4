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

// Immutable rejects a change of an attribute that no endpoint can change. It returns an error and never plans a
// replacement, since the old object cannot be created again.
type Immutable struct {
	fwtype.Undescribed
	Subject path.Path // the attribute that names the object in messages: its host or code
	Reason  string    // why it cannot change, and what a replacement would lose
	Remedy  string    // what to do instead
}

func (m Immutable) PlanModifyString(ctx context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	resp.Diagnostics.Append(m.reject(ctx, req.Path, req.State, req.Private, req.StateValue, req.PlanValue)...)
}

func (m Immutable) reject(ctx context.Context, at path.Path, state tfsdk.State, private PrivateReader, old, planned attr.Value) diag.Diagnostics {
	if state.Raw.IsNull() || planned.IsUnknown() || planned.Equal(old) {
		return nil
	}
	var diags diag.Diagnostics
	if old.IsNull() {
		stored, d := ReadPrivateState[struct {
			Created bool `json:"created"` // by Terraform, see object.private
		}](ctx, private)
		diags.Append(d...)
		if !stored.Created {
			// Imported: the API does not return this value, so the configured one is stored without an API call.
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

// ChangeError is the error of a change from an old value to a new one.
func (m Immutable) ChangeError(at path.Path, old, subject attr.Value, to, hint string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at,
		SummaryImmutable,
		strings.TrimSpace(fmt.Sprintf("%s of %s cannot change from %s to %s. %s\n\n%s %s",
			at, fwtype.Display(subject), fwtype.Display(old), to, m.Reason, m.remedyFor(at, old), hint)))
}

func (m Immutable) remedyFor(at path.Path, old attr.Value) string {
	if old.IsNull() {
		return fmt.Sprintf("Remove %s from the configuration. %s", at, m.Remedy)
	}
	return "Restore the former value. " + m.Remedy
}
