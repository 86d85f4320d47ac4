package assignment

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// listed lists the private labels that have a package, with the call that reads all private labels.
var listed = &registration.Listing{
	Type:        "assignment",
	Description: "Lists the private labels that have a package. One API call, and one per private label with `include_resource`.",
	Arguments:   map[string]listschema.Attribute{},
	List: func(ctx context.Context, s *session.Session, req list.ListRequest, resp *list.ListResultsStream) {
		failed := func(err error) diag.Diagnostics {
			return diagnostic.ReadFailure(summaryList, "The list of assignments", err)
		}
		s.StreamLabels(ctx, req, resp, failed, func(label *client.PrivateLabelSummary) (session.Listed, bool) {
			if !label.MayHavePackage() {
				return session.Listed{}, false
			}
			code := "a package"
			if held := label.AssignedPackage.Value; held != nil {
				code = held.Code
			}
			m := &model{PrivateLabelID: types.StringValue(label.TenantID), Addons: types.MapNull(types.Float64Type), AllowExcess: types.MapNull(types.Float64Type)}
			return Assignment.Item(ctx, s, label.Host()+" has "+code, m, func() (*model, error) {
				now, err := assigned(ctx, s, label.TenantID, inventory.Known{})
				return m.filledFrom(now, false), err
			}), true
		})
	},
}
