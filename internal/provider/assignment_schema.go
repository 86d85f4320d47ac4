package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func stringValue(s string) types.String { return types.StringValue(s) }

var idValidator = stringvalidator.RegexMatches(tenantID, "must be an id of 32 lower-case hex characters")

var permanentTarget = permanent{
	subject: path.Root("id"),
	because: "An assignment belongs to its label. Another label's is another assignment, and both count for the whole billing period.",
	remedy:  "For another label, declare another resource.",
}

func (r *assignmentResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{
		Attributes: map[string]identityschema.Attribute{
			"private_label_id": identityschema.StringAttribute{RequiredForImport: true, Description: "Tenant id of the label, 32 lower-case hex characters."},
		},
	}
}

func (r *assignmentResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	keep := stringplanmodifier.UseStateForUnknown()
	resp.Schema = schema.Schema{
		MarkdownDescription: "The package of a private label with its add-ons (§3.2, §4.21). It takes the reseller's allowance at once, and counts for the whole billing period at the greater of what was allocated and used, even if it is removed the same day.\n\n" +
			"Over the allowance the service asks for a confirmation. It is given only when every excess is within `allow_excess`, and judged afresh each time the service answers with new numbers; otherwise nothing is written and the error lists the numbers.",
		Attributes: map[string]schema.Attribute{
			"private_label_id": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Tenant id of the label. A change is an error at plan. API: `:tenantId`.",
				Validators:          []validator.String{idValidator},
				PlanModifiers:       []planmodifier.String{permanentTarget},
			},
			"package_id": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Id of the package. A label that has this package already is taken over without a call; a change needs `allow_package_change`. API: `packageId`.",
				Validators:          []validator.String{idValidator},
			},
			"addons": schema.MapAttribute{
				ElementType: types.Float64Type,
				Optional:    true,
				MarkdownDescription: "Add-ons on top of the package: the add-on's code to its quantity, a whole number of 1 or more. Codes compare without case, and the state keeps the configuration's spelling. " +
					"Authoritative where configured (`{}` is none); if omitted, add-ons are not managed. A change of a quantity detaches and attaches the add-on, and both quantities are billed. API: `assignment.addons`.",
				Validators: []validator.Map{
					mapvalidator.KeysAre(textValidator[codeKind]{}),
					mapvalidator.ValueFloat64sAre(wholeQuantity{}),
				},
				PlanModifiers: []planmodifier.Map{keepAddonSpelling{}},
			},
			"allow_excess": schema.MapAttribute{
				ElementType:         types.Float64Type,
				Optional:            true,
				MarkdownDescription: "The most this label may exceed the allowance by, by item: `documents`, `seats`, `templates`, `notarizations`. An item that is not named counts as 0. API: the consent to `warnings`.",
				Validators: []validator.Map{
					mapvalidator.KeysAre(stringvalidator.OneOf(itemCodes...)),
					mapvalidator.ValueFloat64sAre(amount{orZero: true}),
				},
			},
			"allow_package_change": schema.BoolAttribute{
				Optional:            true,
				MarkdownDescription: "Whether a change of `package_id` may be done: it bills both packages for the period. Left out it is an error at plan.",
			},
			"id":            schema.StringAttribute{Computed: true, MarkdownDescription: "Same as `private_label_id`.", PlanModifiers: []planmodifier.String{keep}},
			"assignment_id": schema.StringAttribute{Computed: true, MarkdownDescription: "Id of the assignment. API: `assignment.id`.", PlanModifiers: []planmodifier.String{keep}},
			"package_code":  schema.StringAttribute{Computed: true, MarkdownDescription: "Code of the package. API: `packageCode`.", PlanModifiers: []planmodifier.String{keep}},
			"package_name":  schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the package. API: `packageName`.", PlanModifiers: []planmodifier.String{keep}},
			"currency":      schema.StringAttribute{Computed: true, MarkdownDescription: "Currency of the package, ISO 4217. API: `currency`.", PlanModifiers: []planmodifier.String{keep}},
			"assigned_at": schema.StringAttribute{
				CustomType:          timetypes.RFC3339Type{},
				Computed:            true,
				MarkdownDescription: "When the package was assigned (RFC 3339, UTC). API: `assignedAt`.",
				PlanModifiers:       []planmodifier.String{keep},
			},
			"allocated": schema.SingleNestedAttribute{
				Computed:            true,
				MarkdownDescription: "What the label takes of the reseller's allowance. API: `allocated`.",
				PlanModifiers:       []planmodifier.Object{objectplanmodifier.UseStateForUnknown()},
				Attributes: map[string]schema.Attribute{
					"documents":     schema.Float64Attribute{Computed: true, MarkdownDescription: "Documents a period."},
					"seats":         schema.Float64Attribute{Computed: true, MarkdownDescription: "People with a seat."},
					"templates":     schema.Float64Attribute{Computed: true, MarkdownDescription: "Templates."},
					"notarizations": schema.Float64Attribute{Computed: true, MarkdownDescription: "Notarisations a period."},
				},
			},
			"attached_addons": schema.MapNestedAttribute{
				Computed:            true,
				MarkdownDescription: "Attached add-ons by code. API: `assignment.addons`.",
				PlanModifiers:       []planmodifier.Map{mapplanmodifier.UseStateForUnknown()},
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"subscription_addon_id": schema.StringAttribute{Computed: true, MarkdownDescription: "Id of this attachment. API: `subscriptionAddonId`."},
					"addon_id":              schema.StringAttribute{Computed: true, MarkdownDescription: "Id of the add-on. API: `addonId`."},
					"name":                  schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the add-on. API: `name`."},
					"quantity":              schema.Float64Attribute{Computed: true, MarkdownDescription: "How many. API: `quantity`."},
				}},
			},
		},
	}
}
