package member

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

func (l *listResource) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = session.ListSchema("Lists the members of one private label or of all, including owners and admins. One API call for each private label, and one for the list of private labels if none is given.", map[string]schema.Attribute{
		"private_label_id": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Private label ID. Default: all private labels.",
			Validators:          []validator.String{fwtype.PrivateLabelIDValidator},
		},
	})
}

func (l *setListResource) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = session.ListSchema("Lists the set of members of each private label. One API call, and one more for each private label if resources are included.", map[string]schema.Attribute{})
}
