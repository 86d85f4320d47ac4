package catalog

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// listResource lists all packages or all add-ons with a search of 100 items per page.
type listResource struct{ Resource }

var _ list.ListResourceWithConfigure = (*listResource)(nil)

func NewPackageList() list.ListResource {
	return &listResource{Resource{kind: client.KindPackage, typeName: session.TypePackage}}
}

func NewAddonList() list.ListResource {
	return &listResource{Resource{kind: client.KindAddon, typeName: "addon"}}
}

func (l *listResource) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	description := fmt.Sprintf("Lists the reseller's %ss, including deactivated ones. One API call for each 100 items.", l.kind)
	resp.Schema = session.ListSchema(description, map[string]schema.Attribute{})
}

func (l *listResource) List(ctx context.Context, req list.ListRequest, resp *list.ListResultsStream) {
	if !l.Ready() {
		session.FailedListing(resp, l.NotReady())
		return
	}
	items, err := l.Inventory.Items(ctx, l.kind)
	if err != nil {
		session.FailedListing(resp, diagnostic.ReadFailure(summaryList, "The list of "+l.kind.String()+"s").Diagnostic(err))
		return
	}
	session.Stream(ctx, req, resp, func(yield func(session.Listed, diag.Diagnostic) bool) {
		all := items.All()
		for i := range all {
			item := &all[i]
			one := session.Listed{
				Name:     item.Code + " (" + item.Name + ")",
				Identity: identity{ID: types.StringValue(item.ID)},
				Resource: func() (any, diag.Diagnostics) {
					var (
						m     model
						diags diag.Diagnostics
					)
					if err := m.fromAPI(ctx, item); err != nil {
						diags.AddError(summarySettingsRead, fmt.Sprintf("The settings of %s %s cannot be read: %s.", l.kind, item.Code, err))
					}
					return &m, diags
				},
			}
			if !yield(one, nil) {
				return
			}
		}
	})
}
