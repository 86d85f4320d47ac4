package session

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// ActionBase is embedded by actions and holds their session.
type ActionBase struct {
	*Session
}

func (a *ActionBase) Configure(_ context.Context, req action.ConfigureRequest, resp *action.ConfigureResponse) {
	a.Session = FromProviderData(req.ProviderData, &resp.Diagnostics)
}

func ActionLabelArgument() schema.StringAttribute {
	return schema.StringAttribute{
		Required:            true,
		MarkdownDescription: "Private label ID. API: `:tenantId`.",
		Validators:          []validator.String{fwtype.PrivateLabelIDValidator},
	}
}
