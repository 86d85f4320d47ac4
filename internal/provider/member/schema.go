package member

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// maxPersonName is a limit of this provider in characters: the API documentation has none (Reseller API §8).
const maxPersonName = 255

func schemaOf(context.Context) schema.Schema {
	keep := stringplanmodifier.UseStateForUnknown()
	name := []validator.String{fwtype.NotBlank, stringvalidator.UTF8LengthAtMost(maxPersonName)}
	return schema.Schema{
		MarkdownDescription: "A member of a private label (a white-labeled signing portal). Creating it sends a set-password email. For a person who is a member already, no call is made and no email is sent. Destroying it removes the member, who is signed out immediately, unless `deletion_policy` says otherwise.\n\n" +
			"The API does not allow removing the owner and the admins of a private label: destroying one of them returns an error at plan time, based on the current role. A plan with `-replace` or `replace_triggered_by` returns an error, too, because Terraform shows no warnings of a replacement.",
		Attributes: map[string]schema.Attribute{
			"private_label_id": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Private label ID. A change replaces the member: removed from one private label and added to the other. So does a value that is known after apply; the plan warns of that. API: `:tenantId`.",
				Validators:          []validator.String{fwtype.PrivateLabelIDValidator},
			},
			"email": schema.StringAttribute{
				CustomType:          fwtype.TextType[fwtype.EmailKind]{},
				Required:            true,
				MarkdownDescription: "Email address, compared without case. A change replaces the member: the old address is removed, the new one is added and emailed. So does a value that is known after apply; the plan warns of that. API: `email`.",
				Validators:          fwtype.TextRules[fwtype.EmailKind](),
				PlanModifiers:       []planmodifier.String{fwtype.KeepSpelling[fwtype.EmailKind]()},
			},
			"first_name": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "First name, not blank. Sent when the member is added. The API cannot change it: a later change only updates the state, with a warning. API: `firstName`.",
				Validators:          name,
			},
			"last_name": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Last name, not blank. Sent when the member is added. The API cannot change it: a later change only updates the state, with a warning. API: `lastName`.",
				Validators:          name,
			},
			"id":     schema.StringAttribute{Computed: true, MarkdownDescription: "User ID, 32 lowercase hex characters. API: `userID`, `id`.", PlanModifiers: []planmodifier.String{keep}},
			"role":   schema.StringAttribute{Computed: true, MarkdownDescription: "`owner`, `admin` or `member`. Roles are assigned in the console. API: `role`.", PlanModifiers: []planmodifier.String{keep}},
			"status": schema.StringAttribute{Computed: true, MarkdownDescription: "Status of the member, as in the API. API: `status`.", PlanModifiers: []planmodifier.String{keep}},
			"created_at": schema.StringAttribute{
				CustomType:          timetypes.RFC3339Type{},
				Computed:            true,
				MarkdownDescription: "When the member was added (RFC 3339, UTC). API: `createdAt`.",
				PlanModifiers:       []planmodifier.String{keep},
			},
		},
	}
}
