package session

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// LabelIdentity is the identity of an object of which a private label has only one.
type LabelIdentity struct {
	PrivateLabelID types.String `tfsdk:"private_label_id"`
}

// ImportedBy returns the ID of an import, or the given attribute of its identity. An import by identity has an empty
// ID.
func ImportedBy(ctx context.Context, req resource.ImportStateRequest, attribute string) (string, diag.Diagnostics) {
	if req.ID != "" || req.Identity == nil || req.Identity.Raw.IsNull() {
		return req.ID, nil
	}
	var value types.String
	diags := req.Identity.GetAttribute(ctx, path.Root(attribute), &value)
	return value.ValueString(), diags
}

// ImportedLabel returns the private label of an import by private label ID, host name or identity: the given text, and
// the private label ID.
func (s *Session) ImportedLabel(ctx context.Context, req resource.ImportStateRequest) (given, id string, diags diag.Diagnostics) {
	given, diags = ImportedBy(ctx, req, "private_label_id")
	if diags.HasError() {
		return given, "", diags
	}
	id, more := s.LookUp(ctx, given)
	diags.Append(more...)
	return given, id, diags
}

// LookUp returns the private label ID of an existing private label for its ID or host name.
func (s *Session) LookUp(ctx context.Context, given string) (string, diag.Diagnostics) {
	var diags diag.Diagnostics
	isID := fwtype.IDForm.MatchString(given)
	if !isID && !fwtype.LooksLikeHost(given) {
		diags.Append(invalidImportID(given))
		return "", diags
	}
	if !s.Ready() {
		diags.Append(s.NotReady())
		return "", diags
	}
	labels, err := s.Inventory.Labels(ctx, inventory.Current)
	if err != nil {
		diags.Append(diagnostic.ReadFailure(diagnostic.SummaryListLabels, "The private label "+given).Diagnostic(err))
		return "", diags
	}
	byHost, ok := labels.ByHost(given)
	if isID {
		byHost, ok = labels.ByID(given)
	}
	if !ok {
		diags.Append(NotAmongLabels(given, s.Slug(ctx)))
		return "", diags
	}
	return byHost.TenantID, diags
}
