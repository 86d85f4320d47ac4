package assignment

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
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
}

// wantedAddon is an element of `addons`: its key as the configuration spells it, and its quantity.
type wantedAddon struct {
	code     string
	quantity types.Float64
}

// managesAddons reports whether `addons` is configured: {} is none, null is not managed.
func (m *model) managesAddons() bool { return !m.Addons.IsNull() }

// wanted returns the elements of `addons` by the normal form of their codes.
func (m *model) wanted() map[string]wantedAddon {
	out := map[string]wantedAddon{}
	for code, value := range m.Addons.Elements() {
		quantity, ok := value.(types.Float64)
		if !ok {
			quantity = types.Float64Unknown()
		}
		out[fwtype.CodeKind{}.Normal(code)] = wantedAddon{code: code, quantity: quantity}
	}
	return out
}

// sameAddons reports whether two values of `addons` mean the same: codes compare without case.
func sameAddons(a, b types.Map) bool {
	if a.IsNull() != b.IsNull() || a.IsUnknown() || b.IsUnknown() || len(a.Elements()) != len(b.Elements()) {
		return a.Equal(b)
	}
	other := (&model{Addons: b}).wanted()
	for code, addon := range (&model{Addons: a}).wanted() {
		if found, ok := other[code]; !ok || !found.quantity.Equal(addon.quantity) {
			return false
		}
	}
	return true
}

// fill copies what a look found. It sets `addons` only if add-ons are managed.
func (m *model) fill(found *live) {
	m.ID = m.PrivateLabelID
	a := found.whole
	if a == nil {
		m.PackageCode, m.PackageName = types.StringValue(found.listed.Code), types.StringValue(found.listed.Name)
		return
	}
	m.PackageID = types.StringValue(a.PackageID)
	m.AssignmentID = types.StringValue(a.ID)
	m.PackageCode = types.StringValue(a.PackageCode)
	m.PackageName = types.StringValue(a.PackageName)
	m.Currency = types.StringValue(a.Currency)
	m.AssignedAt = fwtype.TimeValue(a.AssignedAt)
	m.Allocated = allocatedObject(a.Allocated)
	m.AttachedAddons = attachedAddons(holdingOf(a))
	spelled := m.wanted()
	wanted := map[string]attr.Value{}
	for _, addon := range a.Addons {
		code := addon.Code
		if configured, ok := spelled[fwtype.CodeKind{}.Normal(code)]; ok {
			code = configured.code
		}
		wanted[code] = types.Float64Value(addon.Quantity)
	}
	if m.managesAddons() {
		m.Addons = types.MapValueMust(types.Float64Type, wanted)
	}
}

// attachedAddons is the value of attached_addons.
func attachedAddons(h holding) types.Map {
	out := map[string]attr.Value{}
	for _, a := range h.addons {
		out[fwtype.CodeKind{}.Normal(a.code)] = types.ObjectValueMust(attachedAddonAttrs, map[string]attr.Value{
			"subscription_addon_id": types.StringValue(a.subscriptionID),
			"addon_id":              types.StringValue(a.id),
			"name":                  types.StringValue(a.name),
			"quantity":              types.Float64Value(a.quantity),
		})
	}
	return types.MapValueMust(attachedAddonType, out)
}

// manageAddons copies the add-ons of an imported assignment to `addons`, if it has any.
func (m *model) manageAddons(found *live) {
	if found.whole != nil && len(found.whole.Addons) > 0 {
		m.Addons = types.MapValueMust(types.Float64Type, map[string]attr.Value{})
		m.fill(found)
	}
}

func allocatedObject(a *client.Allocated) types.Object {
	if a == nil {
		return types.ObjectNull(allocatedAttrs)
	}
	return types.ObjectValueMust(allocatedAttrs, map[string]attr.Value{
		"documents":     types.Float64Value(a.Documents),
		"seats":         types.Float64Value(a.Seats),
		"templates":     types.Float64Value(a.Templates),
		"notarizations": types.Float64Value(a.Notarizations),
	})
}

// needsDetail reports whether a read needs the detail: the list of private labels shows the package, but no add-ons.
func (m *model) needsDetail(live *client.AssignedPackage) bool {
	return m.AssignmentID.IsNull() || m.managesAddons() || len(m.AttachedAddons.Elements()) > 0 || m.PackageID.ValueString() != live.PackageID
}

// known is what the state says about an assignment. An import has only the private label.
func (m *model) known() inventory.Known {
	if m.AssignmentID.IsNull() {
		return inventory.Known{}
	}
	attached := map[string]bool{}
	for _, a := range m.holding().addons {
		attached[a.subscriptionID] = true
	}
	return inventory.Known{Addons: len(attached) > 0, Agrees: func(a *client.Assignment) bool {
		other := func(addon client.AttachedAddon) bool { return !attached[addon.SubscriptionAddonID] }
		return a.ID == m.AssignmentID.ValueString() && a.PackageID == m.PackageID.ValueString() &&
			len(a.Addons) == len(attached) && !slices.ContainsFunc(a.Addons, other)
	}}
}

// makeUnknown plans that an apply reads these values again. An unknown `allocated` says that the apply makes API calls.
func (m *model) makeUnknown(packageChanges bool) {
	m.Allocated = types.ObjectUnknown(allocatedAttrs)
	m.AttachedAddons = types.MapUnknown(attachedAddonType)
	if !packageChanges {
		return
	}
	m.AssignmentID, m.PackageCode, m.PackageName, m.Currency = types.StringUnknown(), types.StringUnknown(), types.StringUnknown(), types.StringUnknown()
	m.AssignedAt = timetypes.NewRFC3339Unknown()
}

// holdingOf returns what a private label has according to the API.
func holdingOf(a *client.Assignment) holding {
	if a == nil {
		return holding{}
	}
	h := holding{packageID: a.PackageID, packageCode: a.PackageCode, allocated: a.Allocated}
	for _, addon := range a.Addons {
		h.addons = append(h.addons, heldAddon{
			subscriptionID: addon.SubscriptionAddonID, id: addon.AddonID, code: addon.Code, name: addon.Name, quantity: addon.Quantity,
		})
	}
	return h
}

// holding returns what a private label has according to the state.
func (m *model) holding() holding {
	h := holding{packageID: m.PackageID.ValueString(), packageCode: m.PackageCode.ValueString()}
	for code, value := range m.AttachedAddons.Elements() {
		if a, ok := attachedOf(code, value); ok {
			h.addons = append(h.addons, a)
		}
	}
	return h
}

// attachedOf reads an element of attached_addons. It is false for one whose add-on is known after apply.
func attachedOf(code string, value attr.Value) (heldAddon, bool) {
	addon, ok := value.(types.Object)
	if !ok {
		return heldAddon{}, false
	}
	text := func(name string) types.String {
		s, _ := addon.Attributes()[name].(types.String)
		return s
	}
	quantity, _ := addon.Attributes()["quantity"].(types.Float64)
	a := heldAddon{
		subscriptionID: text("subscription_addon_id").ValueString(), id: text("addon_id").ValueString(),
		code: code, name: text("name").ValueString(), quantity: quantity.ValueFloat64(),
	}
	return a, !text("addon_id").IsUnknown() && !quantity.IsUnknown()
}

// showsAddons reports whether a state shows all add-ons of its private label. A read takes the package from the list of
// private labels, which has no add-ons, unless the state manages or shows some.
func (m *model) showsAddons() bool {
	return m.managesAddons() || len(m.AttachedAddons.Elements()) > 0
}

// target is what the configuration requires.
func (m *model) target() target {
	t := target{
		packageID:          m.PackageID.ValueString(),
		allowPackageChange: m.AllowPackageChange.ValueBool() || m.AllowPackageChange.IsUnknown(),
	}
	switch {
	case m.Addons.IsUnknown():
		t.addons = addonsUnknown
	case m.managesAddons():
		t.addons, t.listed = addonsListed, map[string]targetAddon{}
		for code, a := range m.wanted() {
			t.listed[code] = targetAddon{quantity: a.quantity.ValueFloat64(), unknown: a.quantity.IsUnknown()}
		}
	}
	return t
}

// allowed reads `allow_excess`.
func (m *model) allowed() allowedExcess {
	e := allowedExcess{byItem: map[string]float64{}, unknown: m.AllowExcess.IsUnknown()}
	for item, value := range m.AllowExcess.Elements() {
		most, ok := value.(types.Float64)
		if !ok || most.IsUnknown() {
			e.unknown = true
			continue
		}
		e.byItem[item] = most.ValueFloat64()
	}
	return e
}
