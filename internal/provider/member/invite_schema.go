package member

import (
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

func resendInviteSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "Sends a member a new set-password email. The API allows one email for each member in 5 minutes, including the one sent when the member was added. The call is never retried.",
		Attributes: map[string]schema.Attribute{
			"private_label_id": fwtype.ActionLabelArgument(),
			"user_id": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "User ID of the member, such as `id` of a `reseller_member` or `owner.user_id` of a private label. API: `:userId`.",
				Validators:          []validator.String{fwtype.LabelIDValidator},
			},
		},
	}
}
