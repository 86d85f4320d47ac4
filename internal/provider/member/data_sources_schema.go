package member

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

func membersDataSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "The members of a private label, including owner and admins. People who only received a document to sign are not members. One API call, shared by all resources and data sources of the private label in a run.",
		Attributes: map[string]schema.Attribute{
			"private_label_id": fwtype.LabelArgument(),
			"members": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "The members, the owner first. API: `members`.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"id":         fwtype.ComputedString("User ID, 32 lowercase hex characters."),
					"first_name": fwtype.ComputedString("First name."),
					"last_name":  fwtype.ComputedString("Last name."),
					"email":      schema.StringAttribute{CustomType: fwtype.TextType[fwtype.EmailKind]{}, Computed: true, MarkdownDescription: "Email address."},
					"status":     fwtype.ComputedString("Status of the member, as in the API."),
					"role":       fwtype.ComputedString("`owner`, `admin` or `member`."),
					"is_owner":   schema.BoolAttribute{Computed: true, MarkdownDescription: "True for the owner and for all admins. API: `isOwner`."},
					"created_at": fwtype.ComputedTime("When the member was added (RFC 3339, UTC)."),
				}},
			},
		},
	}
}
