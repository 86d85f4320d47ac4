package assignment

import (
	"context"
	"fmt"
	"math"

	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

var permanentTarget = session.Immutable{
	Subject: path.Root("id"),
	Reason:  "An assignment cannot move to another private label. Another assignment would be billed, too.",
	Remedy:  "For another private label, add another resource.",
}

func (kind) Schema(context.Context) schema.Schema {
	return schema.Schema{
		MarkdownDescription: "The package of a private label (a white-labeled signing portal) with its add-ons. Assigning reduces the reseller's allowance immediately. The larger of the allocated and the used quantity is billed for the entire billing period, even if you remove the package the same day. Destroying the resource removes the package with its add-ons, unless `deletion_policy` specifies otherwise.\n\n" +
			"The plan lists each package and add-on that the apply assigns, attaches, detaches or removes. If the private label changes before the apply, so that the apply would do more, the apply fails before its first API call. Plan again.\n\n" +
			"To change the package, set `allow_package_change = true`. The provider removes the old package before it assigns the new one:\n\n" +
			"- If the new package is inactive, the plan fails.\n" +
			"- If the private label has add-ons, configure `addons`.\n" +
			"- If the API rejects the new package, the provider reassigns the old one with its add-ons, unless the old one is inactive.",
		Attributes: map[string]schema.Attribute{
			"private_label_id": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Private label ID (tenant ID), immutable. API: `:tenantId`.",
				Validators:          []validator.String{fwtype.PrivateLabelIDValidator},
				PlanModifiers:       []planmodifier.String{permanentTarget},
			},
			"package_id": fwtype.RequiredID("ID of the package. A change requires `allow_package_change = true`. Creating the resource adds only what the private label does not have yet. If the private label has a different package, or an add-on or quantity that is not configured, the plan fails with an import block. API: `packageId`.", fwtype.PackageIDValidator),
			"addons": schema.MapAttribute{
				ElementType: types.Float64Type,
				Optional:    true,
				MarkdownDescription: "All add-ons of the private label: code to quantity, a whole number of 1 or more. Codes compare without case. `{}` detaches all. If omitted, add-ons are not managed. " +
					"Changing a quantity detaches the add-on and attaches it again, and up to both quantities are billed. API: `assignment.addons`.",
				Validators: []validator.Map{
					mapvalidator.KeysAre(fwtype.TextRule[fwtype.CodeKind]()),
					mapvalidator.ValueFloat64sAre(wholeQuantity),
				},
				PlanModifiers: []planmodifier.Map{fwtype.KeepKeySpelling[fwtype.CodeKind]()},
			},
			"allow_excess": schema.MapAttribute{
				ElementType:         types.Float64Type,
				Optional:            true,
				MarkdownDescription: "Maximum excess over the allowance in one apply, by item: `documents`, `seats`, `templates`, `notarizations`. Default for each: 0. API: the confirmation of `warnings`.",
				Validators: []validator.Map{
					mapvalidator.KeysAre(stringvalidator.OneOf(fwtype.ItemCodes...)),
					mapvalidator.ValueFloat64sAre(notNegative),
				},
			},
			"allow_package_change": schema.BoolAttribute{
				Optional:            true,
				MarkdownDescription: "Whether `package_id` may change, which bills up to both packages for the entire billing period. Default: `false`.",
			},
			"id":            fwtype.ConstantString("Same as `private_label_id`."),
			"assignment_id": fwtype.ConstantString("ID of the assignment. API: `assignment.id`."),
			"package_code":  fwtype.ConstantString("Code of the package. API: `packageCode`."),
			"package_name":  fwtype.ConstantString("Name of the package. API: `packageName`."),
			"currency":      fwtype.ConstantString("Currency of the package, ISO 4217. API: `currency`."),
			"assigned_at":   fwtype.ConstantTime("When the package was assigned (RFC 3339, UTC). API: `assignedAt`."),
			"allocated": schema.SingleNestedAttribute{
				Computed:            true,
				MarkdownDescription: "Allowance that the private label uses. API: `allocated`.",
				PlanModifiers:       []planmodifier.Object{objectplanmodifier.UseStateForUnknown()},
				Attributes: map[string]schema.Attribute{
					"documents":     schema.Float64Attribute{Computed: true, MarkdownDescription: "Documents."},
					"seats":         schema.Float64Attribute{Computed: true, MarkdownDescription: "Seats."},
					"templates":     schema.Float64Attribute{Computed: true, MarkdownDescription: "Templates."},
					"notarizations": schema.Float64Attribute{Computed: true, MarkdownDescription: "Notarizations."},
				},
			},
			"attached_addons": schema.MapNestedAttribute{
				Computed:            true,
				MarkdownDescription: "Attached add-ons by code. API: `assignment.addons`.",
				PlanModifiers:       []planmodifier.Map{mapplanmodifier.UseStateForUnknown()},
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"subscription_addon_id": schema.StringAttribute{Computed: true, MarkdownDescription: "ID of the attachment. API: `subscriptionAddonId`."},
					"addon_id":              schema.StringAttribute{Computed: true, MarkdownDescription: "ID of the add-on. API: `addonId`."},
					"name":                  schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the add-on. API: `name`."},
					"quantity":              schema.Float64Attribute{Computed: true, MarkdownDescription: "Quantity. API: `quantity`."},
				}},
			},
		},
	}
}

var (
	notNegative   = fwtype.NumberRule{Accepts: "a number of 0 or more", Check: func(n float64) bool { return n >= 0 }}
	wholeQuantity = fwtype.NumberRule{
		Accepts: "a whole number of 1 or more", Check: func(n float64) bool { return n >= 1 && n == math.Trunc(n) }, Null: ", or remove the code from addons",
	}
)

// Validate rejects two spellings of one code, which a map accepts.
func (kind) Validate(ctx context.Context, config tfsdk.Config) diag.Diagnostics {
	var addons types.Map
	at, seen := path.Root("addons"), map[string]string{}
	diags := config.GetAttribute(ctx, at, &addons)
	for _, code := range fwtype.SortedKeys(addons.Elements()) {
		normal := normal(code)
		if first, twice := seen[normal]; twice {
			diags.AddAttributeError(at.AtMapKey(code), SummaryAddonTwice,
				fmt.Sprintf("addons contains %q and %q, which are the same code, since codes are compared without case. Keep one of them.", first, code))
		}
		seen[normal] = code
	}
	return diags
}
