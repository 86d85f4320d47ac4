package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// itemList lists all packages or all add-ons: one search, a hundred to a page.
type itemList struct{ itemResource }

var _ list.ListResourceWithConfigure = (*itemList)(nil)

func newPackageList() list.ListResource {
	return &itemList{itemResource{kind: client.KindPackage, typeName: typePackage}}
}

func newAddonList() list.ListResource {
	return &itemList{itemResource{kind: client.KindAddon, typeName: "addon"}}
}

func (l *itemList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = listSchema("Lists the reseller's "+l.kind.String()+"s, deactivated ones included (§4.21): one search, resources included.", map[string]schema.Attribute{})
}

func (l *itemList) List(ctx context.Context, req list.ListRequest, resp *list.ListResultsStream) {
	if !l.ready() {
		failedListing(resp, l.notReady())
		return
	}
	items, err := l.inventory.Items(ctx, l.kind)
	if err != nil {
		failedListing(resp, readFailure("The "+l.kind.String()+"s").diagnose(err))
		return
	}
	stream(ctx, req, resp, func(yield func(listed, diag.Diagnostic) bool) {
		all := items.All()
		for i := range all {
			item := &all[i]
			one := listed{
				name:     item.Code + " (" + item.Name + ")",
				identity: itemIdentity{ID: types.StringValue(item.ID)},
				resource: func() (any, diag.Diagnostics) {
					var (
						m     itemModel
						diags diag.Diagnostics
					)
					if err := m.fromAPI(ctx, item); err != nil {
						diags.AddError(item.Code+" cannot be read", err.Error())
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
