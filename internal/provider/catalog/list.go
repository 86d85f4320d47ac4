package catalog

import (
	"context"
	"fmt"

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

// listing lists all packages or all add-ons, with a search of 100 items per page.
func listing(t items, d *object.Description[*model, *found, *step]) *object.Listing {
	return &object.Listing{
		Type:        d.Type,
		Description: fmt.Sprintf("Lists the reseller's %ss, including deactivated ones. One API call for each 100 items.", t.kind),
		Arguments:   map[string]schema.Attribute{},
		List: func(ctx context.Context, s *session.Session, req list.ListRequest, resp *list.ListResultsStream) {
			all, err := s.Inventory.Items(ctx, t.kind, inventory.Current)
			if err != nil {
				session.FailedListing(resp, diagnostic.ReadFailure(summaryList, "The list of "+t.kind.String()+"s").Diagnostic(err))
				return
			}
			session.Stream(ctx, req, resp, func(yield func(session.Listed, diag.Diagnostic) bool) {
				rows := all.All()
				for i := range rows {
					if !yield(listed(ctx, s, d, &rows[i]), nil) {
						return
					}
				}
			})
		},
	}
}

func listed(ctx context.Context, s *session.Session, d *object.Description[*model, *found, *step], row *client.Item) session.Listed {
	m := &model{item: item{ID: types.StringValue(row.ID)}}
	return d.Item(ctx, s, row.Code+" ("+row.Name+")", m, func() (*found, error) { return m.found(ctx, row) })
}
