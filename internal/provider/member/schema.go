package member

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// maxPersonName is ours: the documents give no lengths (§8).
const maxPersonName = 255

func (r *Resource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{
		Attributes: map[string]identityschema.Attribute{
			"private_label_id": identityschema.StringAttribute{RequiredForImport: true, Description: "Tenant id of the label, 32 lower-case hex characters."},
			"id":               identityschema.StringAttribute{RequiredForImport: true, Description: "User id of the person, 32 lower-case hex characters."},
		},
	}
}

func (r *Resource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	keep := stringplanmodifier.UseStateForUnknown()
	name := []validator.String{fwtype.NotBlank, stringvalidator.UTF8LengthAtMost(maxPersonName)}
	resp.Schema = schema.Schema{
		MarkdownDescription: "A member: a person with a seat on a private label (§2.8, §4.16 to §4.18). Creating it sends a set-password email. An existing member is adopted with a warning: the plan shows the member's ID, and no email is sent. Destroying it removes the member, who is signed out immediately.\n\n" +
			"The API does not allow removing the owner and the admins of a private label: destroying one of them is an error at plan time, by the role that the API shows then. A plan with `-replace` or `replace_triggered_by` is an error, too: Terraform shows no warning of what it would do.",
		Attributes: map[string]schema.Attribute{
			"private_label_id": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Tenant id of the label. A change replaces: the person is removed there and added here. So does a value that is known only at apply, of which the plan warns. API: `:tenantId`.",
				Validators:          []validator.String{fwtype.LabelIDValidator},
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"email": schema.StringAttribute{
				CustomType:          fwtype.TextType[fwtype.EmailKind]{},
				Required:            true,
				MarkdownDescription: "One plain e-mail address, compared without case. A change replaces: the old address is removed and the new one added and e-mailed. So does a value that is known only at apply, of which the plan warns. API: `email`.",
				Validators:          fwtype.TextRules[fwtype.EmailKind](),
				PlanModifiers:       []planmodifier.String{fwtype.KeepSpelling[fwtype.EmailKind](), stringplanmodifier.RequiresReplace()},
			},
			"first_name": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "First name, not blank. Used when the person is added; no endpoint changes it, so a later change only warns. API: `firstName`.",
				Validators:          name,
			},
			"last_name": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Last name, not blank. Used when the person is added; no endpoint changes it, so a later change only warns. API: `lastName`.",
				Validators:          name,
			},
			"id":     schema.StringAttribute{Computed: true, MarkdownDescription: "User id, 32 lower-case hex characters. API: `userID`, `id`.", PlanModifiers: []planmodifier.String{keep}},
			"role":   schema.StringAttribute{Computed: true, MarkdownDescription: "`owner`, `admin` or `member`. Roles are given in the console. API: `role`.", PlanModifiers: []planmodifier.String{keep}},
			"status": schema.StringAttribute{Computed: true, MarkdownDescription: "Status of the person as the service writes it. API: `status`.", PlanModifiers: []planmodifier.String{keep}},
			"created_at": schema.StringAttribute{
				CustomType:          timetypes.RFC3339Type{},
				Computed:            true,
				MarkdownDescription: "When the person was added (RFC 3339, UTC). API: `createdAt`.",
				PlanModifiers:       []planmodifier.String{keep},
			},
		},
	}
}
