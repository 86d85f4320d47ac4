package session

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// NotOfLabel returns the error of a failed read, which may be that the private label is absent; label is "" for none.
func (s *Session) NotOfLabel(ctx context.Context, summary, label, name string, err error) diag.Diagnostics {
	if label != "" && s.NotOurs(ctx, label, err) {
		return diag.Diagnostics{NoSuchLabel(path.Root("private_label_id"), label, s.Slug(ctx))}
	}
	return diagnostic.ReadFailure(summary, name, err)
}

// ImportedID is the ID of an import, or the attributes of its identity joined by slashes.
func ImportedID(ctx context.Context, req resource.ImportStateRequest, attributes []string) (id string, diags diag.Diagnostics) {
	if req.ID != "" || req.Identity == nil || req.Identity.Raw.IsNull() {
		return req.ID, nil
	}
	var parts []string
	for _, name := range attributes {
		var value types.String
		diags.Append(req.Identity.GetAttribute(ctx, path.Root(name), &value)...)
		parts = append(parts, value.ValueString())
	}
	return strings.Join(parts, "/"), diags
}

// ByLabel is embedded by the resources that are imported by the ID or the host name of a private label.
type ByLabel struct{}

// Import returns the private label ID.
func (ByLabel) Import(ctx context.Context, s *Session, given string) ([]string, diag.Diagnostics) {
	id, diags := s.LookUp(ctx, given)
	return []string{id}, diags
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
		diags.Append(diagnostic.ReadFailure(diagnostic.SummaryListLabels, "The private label "+given, err)...)
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
