package assignment

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

var permanentTarget = session.Immutable{
	Subject: path.Root("id"),
	Reason:  "An assignment cannot move. A second assignment would also be billed.",
	Remedy:  "For a different private label, add a second resource.",
}

func (resource) Schema(context.Context) schema.Schema {
	return schema.Schema{
		MarkdownDescription: "The package of a private label (a white-labeled signing portal) with its add-ons. Assigning reduces the reseller's allowance immediately. The larger of the allocated and the used quantity is billed for the entire billing period, even if you remove the package the same day. Destroying the resource removes the package with its add-ons, unless `deletion_policy` specifies otherwise.\n\n" +
			"The plan lists each package and add-on that the apply assigns, attaches, detaches or removes. If the private label changes after the plan, so that the apply would do more, the apply fails before its first API call. Then plan again.\n\n" +
			"To change the package, set `allow_package_change = true`. The provider removes the old package before it assigns the new one:\n\n" +
			"- If the new package is deactivated, the plan fails.\n" +
			"- If `addons` lacks an attached add-on, the plan fails.\n" +
			"- If the API rejects the new package, the provider reassigns the old one with its add-ons, unless the old one is deactivated.",
		Attributes: map[string]schema.Attribute{
			"private_label_id": fwtype.RequiredID("Private label ID (tenant ID), immutable. API: `:tenantId`.", fwtype.PrivateLabelIDValidator, permanentTarget),
			"package_id":       fwtype.RequiredID("ID of the package. A change requires `allow_package_change = true`. Creating the resource only adds what is missing. If the private label already has a different package, add-on or quantity, the plan fails with an import block. API: `packageId`.", fwtype.PackageIDValidator),
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
					mapvalidator.KeysAre(fwtype.OneOf(fwtype.ItemCodes...)),
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
					"documents":     fwtype.ComputedNumber("Documents."),
					"seats":         fwtype.ComputedNumber("Seats."),
					"templates":     fwtype.ComputedNumber("Templates."),
					"notarizations": fwtype.ComputedNumber("Notarizations."),
				},
			},
			"attached_addons": schema.MapNestedAttribute{
				Computed:            true,
				MarkdownDescription: "Attached add-ons by code. API: `assignment.addons`.",
				PlanModifiers:       []planmodifier.Map{mapplanmodifier.UseStateForUnknown()},
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"subscription_addon_id": fwtype.ComputedString("ID of the attachment. API: `subscriptionAddonId`."),
					"addon_id":              fwtype.ComputedString("ID of the add-on. API: `addonId`."),
					"name":                  fwtype.ComputedString("Name of the add-on. API: `name`."),
					"quantity":              fwtype.ComputedNumber("Quantity. API: `quantity`."),
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

// validateCodes rejects two spellings of one code, which a map accepts.
func validateCodes(ctx context.Context, config tfsdk.Config) diag.Diagnostics {
	var addons types.Map
	at := path.Root("addons")
	seen := map[string]string{}
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

var (
	attachedAddonAttrs = map[string]attr.Type{
		"subscription_addon_id": types.StringType,
		"addon_id":              types.StringType,
		"name":                  types.StringType,
		"quantity":              types.Float64Type,
	}
	attachedAddonType = types.ObjectType{AttrTypes: attachedAddonAttrs}

	allocatedAttrs = map[string]attr.Type{
		"documents": types.Float64Type, "seats": types.Float64Type, "templates": types.Float64Type, "notarizations": types.Float64Type,
	}
)

// model is the resource; the configured attributes come first.
type model struct {
	PrivateLabelID     types.String `tfsdk:"private_label_id"`
	PackageID          types.String `tfsdk:"package_id"`
	Addons             types.Map    `tfsdk:"addons"`
	AllowExcess        types.Map    `tfsdk:"allow_excess"`
	AllowPackageChange types.Bool   `tfsdk:"allow_package_change"`

	ID             types.String      `tfsdk:"id"`
	AssignmentID   types.String      `tfsdk:"assignment_id"`
	PackageCode    types.String      `tfsdk:"package_code"`
	PackageName    types.String      `tfsdk:"package_name"`
	Currency       types.String      `tfsdk:"currency"`
	AssignedAt     timetypes.RFC3339 `tfsdk:"assigned_at"`
	Allocated      types.Object      `tfsdk:"allocated"`
	AttachedAddons types.Map         `tfsdk:"attached_addons"`
	object.Guarded

	// Of an assignment that was just read:
	held     holding // with what the API shows beyond the attributes
	fromList bool    // which shows no add-ons
}

// isAbandoned reports whether a destroy keeps what the private label has.
func (m *model) isAbandoned() bool {
	return m.DeletionPolicy.ValueString() == effect.PolicyAbandon
}

// mayChangePackage reports whether `allow_package_change` permits a change, or may.
func (m *model) mayChangePackage() bool {
	return m.AllowPackageChange.ValueBool() || m.AllowPackageChange.IsUnknown()
}

// managesAddons reports whether `addons` is configured: {} is none, null is not managed.
func (m *model) managesAddons() bool {
	return !m.Addons.IsNull()
}

// showsAddons reports whether a state shows all add-ons of its private label. A read takes the package from the list of
// private labels, which has no add-ons, unless the state manages or shows some.
func (m *model) showsAddons() bool {
	return m.managesAddons() || len(m.AttachedAddons.Elements()) > 0
}

// wanted returns the steps that attach the elements of `addons`, by the normal form of their codes.
func (m *model) wanted() map[string]effect.Step {
	out := map[string]effect.Step{}
	for code, value := range m.Addons.Elements() {
		quantity, _ := value.(types.Float64)
		out[normal(code)] = attach("", normal(code), quantity)
	}
	return out
}

// spelling returns the code of an add-on as the configuration spells it, "" if it is not there.
func (m *model) spelling(code string) string {
	for spelled := range m.Addons.Elements() {
		if sameCode(spelled, code) {
			return spelled
		}
	}
	return ""
}

// filledFrom is a copy with what a read found. It sets `addons` only if add-ons are managed, and at an import. Nothing has no ID.
func (m *model) filledFrom(now holding, fromList bool) *model {
	if now.AddonsUnproven && now.ID == m.AssignmentID.ValueString() {
		now.Addons = m.holding().Addons
	}
	live := *m
	live.held = now
	live.fromList = fromList
	live.ID = m.PrivateLabelID
	live.PackageCode = types.StringValue(now.PackageCode)
	live.PackageName = fwtype.TextOrNull(now.PackageName)
	switch {
	case now.isEmpty():
		live.ID = types.StringNull()
		return &live
	case fromList:
		return &live
	}
	live.PackageID = types.StringValue(now.PackageID)
	live.AssignmentID = types.StringValue(now.ID)
	live.Currency = fwtype.TextOrNull(now.Currency)
	live.AssignedAt = fwtype.TimeValue(now.AssignedAt)
	live.Allocated = fwtype.ObjectFromAPI(allocatedAttrs, now.Allocated)
	live.AttachedAddons = attachedAddons(now)
	if !m.managesAddons() && !m.AssignmentID.IsNull() {
		return &live
	}
	addons := map[string]attr.Value{}
	for _, addon := range now.Addons {
		addons[cmp.Or(m.spelling(addon.Code), addon.Code)] = types.Float64Value(addon.Quantity)
	}
	live.Addons = types.MapValueMust(types.Float64Type, addons)
	return &live
}

// attachedAddons is the value of attached_addons.
func attachedAddons(h holding) types.Map {
	out := map[string]attr.Value{}
	for _, a := range h.Addons {
		out[normal(a.Code)] = fwtype.ObjectFromAPI(attachedAddonAttrs, a)
	}
	return types.MapValueMust(attachedAddonType, out)
}

// known is what the state says about an assignment. An import has only the private label.
func (m *model) known() inventory.Known {
	if m.AssignmentID.IsNull() {
		return inventory.Known{}
	}
	have := client.Assignment(m.holding())
	have.ID = m.AssignmentID.ValueString()
	return inventory.Known{Addons: len(have.Addons) > 0, Agrees: func(a *client.Assignment) bool { return inventory.SameAssignment(a, &have) }}
}

// holding returns what a private label has according to the state.
func (m *model) holding() holding {
	h := holding{PackageID: m.PackageID.ValueString(), PackageCode: m.PackageCode.ValueString()}
	for code, value := range m.AttachedAddons.Elements() {
		addon, _ := value.(types.Object)
		text := func(name string) string {
			s, _ := addon.Attributes()[name].(types.String)
			return s.ValueString()
		}
		quantity, _ := addon.Attributes()["quantity"].(types.Float64)
		h.Addons = append(h.Addons, client.AttachedAddon{
			SubscriptionAddonID: text("subscription_addon_id"), AddonID: text("addon_id"), Code: code, Quantity: quantity.ValueFloat64(),
		})
	}
	return h
}

// allowed reads `allow_excess`: the maximum by which each item may exceed the allowance. unknown: some of it is known after
// apply.
func (m *model) allowed() (byItem map[string]float64, unknown bool) {
	byItem = map[string]float64{}
	unknown = m.AllowExcess.IsUnknown()
	for item, value := range m.AllowExcess.Elements() {
		most, _ := value.(types.Float64)
		byItem[item], unknown = most.ValueFloat64(), unknown || most.IsUnknown()
	}
	return byItem, unknown
}
