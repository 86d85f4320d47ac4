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
	id := types.StringValue(row.ID)
	return session.Listed{
		Name:     row.Code + " (" + row.Name + ")",
		Identity: identity{ID: id},
		Resource: func() (any, diag.Diagnostics) {
			m := &model{item: item{ID: id}}
			live, err := m.found(ctx, row)
			if err != nil {
				return nil, diag.Diagnostics{diagnostic.ReadFailure(summaryRead, d.Name(ctx, s, m)).Diagnostic(err)}
			}
			return object.AsImported(ctx, s, d, m, live)
		},
	}
}
