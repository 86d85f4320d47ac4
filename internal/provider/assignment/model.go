package assignment

import (
	"cmp"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
)

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
func (m *model) isAbandoned() bool { return m.DeletionPolicy.ValueString() == effect.PolicyAbandon }

// mayChangePackage reports whether `allow_package_change` permits a change, or may.
func (m *model) mayChangePackage() bool {
	return m.AllowPackageChange.ValueBool() || m.AllowPackageChange.IsUnknown()
}

// managesAddons reports whether `addons` is configured: {} is none, null is not managed.
func (m *model) managesAddons() bool { return !m.Addons.IsNull() }

// showsAddons reports whether a state shows all add-ons of its private label. A read takes the package from the list of
// private labels, which has no add-ons, unless the state manages or shows some.
func (m *model) showsAddons() bool { return m.managesAddons() || len(m.AttachedAddons.Elements()) > 0 }

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
	live := *m
	live.held, live.fromList = now, fromList
	live.ID = m.PrivateLabelID
	live.PackageCode, live.PackageName = types.StringValue(now.PackageCode), fwtype.TextOrNull(now.PackageName)
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
	byItem, unknown = map[string]float64{}, m.AllowExcess.IsUnknown()
	for item, value := range m.AllowExcess.Elements() {
		most, _ := value.(types.Float64)
		byItem[item], unknown = most.ValueFloat64(), unknown || most.IsUnknown()
	}
	return byItem, unknown
}
