package assignment

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// listed lists the private labels that have a package, with the call that reads all private labels.
var listed = &object.Listing{
	Type:        "assignment",
	Description: "Lists the private labels that have a package. One API call, and one more for each private label if resources are included.",
	Arguments:   map[string]schema.Attribute{},
	List: func(ctx context.Context, s *session.Session, req list.ListRequest, resp *list.ListResultsStream) {
		failed := diagnostic.ReadFailure(summaryList, "The list of assignments")
		s.StreamLabels(ctx, req, resp, failed, func(label *client.PrivateLabelSummary) (session.Listed, bool) {
			id := types.StringValue(label.TenantID)
			if label.AssignedPackage == nil {
				return session.Listed{}, false
			}
			return session.Listed{
				Name:     label.PrimaryHost + " has " + label.AssignedPackage.Code,
				Identity: session.LabelIdentity{PrivateLabelID: id},
				Resource: func() (any, diag.Diagnostics) { return asImported(ctx, s, id, label.PrimaryHost) },
			}, true
		})
	},
}

// asImported is the assignment as a read after an import has it.
func asImported(ctx context.Context, s *session.Session, id types.String, host string) (any, diag.Diagnostics) {
	m := &model{PrivateLabelID: id, Addons: types.MapNull(types.Float64Type), AllowExcess: types.MapNull(types.Float64Type)}
	a, err := s.Inventory.Assignment(ctx, id.ValueString(), inventory.Known{})
	if err == nil && a == nil {
		err = errNoAssignment
	}
	if err != nil {
		return nil, diag.Diagnostics{diagnostic.ReadFailure(summaryRead, "The assignment of "+host).Diagnostic(err)}
	}
	return object.AsImported(ctx, s, Assignment, m, &live{whole: a})
}
