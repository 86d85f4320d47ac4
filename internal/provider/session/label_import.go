package session

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

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
