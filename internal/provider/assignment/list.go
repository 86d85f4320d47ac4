package assignment

import (
	"context"

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
			if label.AssignedPackage == nil {
				return session.Listed{}, false
			}
			m := &model{PrivateLabelID: types.StringValue(label.TenantID), Addons: types.MapNull(types.Float64Type), AllowExcess: types.MapNull(types.Float64Type)}
			return Assignment.Item(ctx, s, label.PrimaryHost+" has "+label.AssignedPackage.Code, m, func() (*live, error) {
				whole, err := s.Inventory.Assignment(ctx, label.TenantID, inventory.Known{})
				if err == nil && whole == nil {
					err = errNoAssignment
				}
				return &live{whole: whole}, err
			}), true
		})
	},
}
