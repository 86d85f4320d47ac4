package assignment

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// This file carries what a plan announced to its apply.
//
// Terraform plans again at the beginning of an apply, from the same request and with the private state of the state: what
// the first plan kept in private state is gone by then. The one thing that survives is a known value of the planned state,
// since Terraform stops an apply whose plan differs in it. So where a plan is made from the state, the apply takes the
// same state; where it is made from a read of the private label, the planned values say what that read showed:
//
//   - package_code is known where a create adopts an existing assignment,
//   - addon_id is known in attached_addons for each add-on that stays as it is,
//   - detached_addons has the add-ons that go, or that change their quantity; with another package it has them all.
//
// An apply that would then bill or remove anything more is an error before its first call. An apply that finds less to do
// than was announced does less.

// holdingOf returns what a private label has according to the API.
func holdingOf(a *client.Assignment) holding {
	if a == nil {
		return holding{}
	}
	h := holding{packageID: a.PackageID, packageCode: a.PackageCode}
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
	object, ok := value.(types.Object)
	if !ok {
		return heldAddon{}, false
	}
	text := func(name string) types.String {
		s, _ := object.Attributes()[name].(types.String)
		return s
	}
	quantity, _ := object.Attributes()["quantity"].(types.Float64)
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

// target is what the configuration requires. IDs of add-ons are found by their codes.
func (m *model) target(packageCode string, addonID func(code string) string) target {
	t := target{
		packageID: m.PackageID.ValueString(), packageCode: packageCode,
		allowPackageChange: m.AllowPackageChange.ValueBool() || m.AllowPackageChange.IsUnknown(),
	}
	switch {
	case m.Addons.IsUnknown():
		t.addons = addonsUnknown
	case m.managesAddons():
		t.addons, t.listed = addonsListed, map[string]targetAddon{}
		for code, a := range m.wanted() {
			t.listed[code] = targetAddon{id: addonID(code), quantity: a.quantity.ValueFloat64(), unknown: a.quantity.IsUnknown()}
		}
	}
	return t
}

// promise writes to planned values what a read of the private label showed.
func (m *model) promise(have holding, want target) {
	m.DetachedAddons = types.MapValueMust(types.Float64Type, map[string]attr.Value{})
	if have.none() {
		return
	}
	if want.maybeMovesAddons(have) { // with the same package nothing changes, so no value is certain
		m.AttachedAddons, m.DetachedAddons = types.MapUnknown(attachedAddonType), types.MapUnknown(types.Float64Type)
		return
	}
	if !want.changesPackage(have) {
		m.PackageCode = types.StringValue(have.packageCode)
	}
	keeps, drops, known := want.kept(have)
	if !known { // announced as unknown add-ons
		m.DetachedAddons = types.MapUnknown(types.Float64Type)
		return
	}
	if want.changesPackage(have) && want.packageID != "" {
		drops = have.addons // also those that are attached again
	}
	m.DetachedAddons = quantitiesOf(drops)
	want = want.given(have)
	if want.addons != addonsListed {
		return
	}
	attached := map[string]attr.Value{}
	for code := range want.listed {
		attached[code] = plannedAddon(want.listed[code])
	}
	for _, a := range keeps {
		attached[fwtype.CodeKind{}.Normal(a.code)] = types.ObjectValueMust(attachedAddonAttrs, map[string]attr.Value{
			"subscription_addon_id": types.StringUnknown(), // another one where it is attached again
			"addon_id":              types.StringValue(a.id),
			"name":                  types.StringUnknown(),
			"quantity":              types.Float64Value(a.quantity),
		})
	}
	m.AttachedAddons = types.MapValueMust(attachedAddonType, attached)
}

func quantitiesOf(addons []heldAddon) types.Map {
	out := map[string]attr.Value{}
	for _, a := range addons {
		out[fwtype.CodeKind{}.Normal(a.code)] = types.Float64Value(a.quantity)
	}
	return types.MapValueMust(types.Float64Type, out)
}

func plannedAddon(a targetAddon) attr.Value {
	quantity := types.Float64Value(a.quantity)
	if a.unknown {
		quantity = types.Float64Unknown()
	}
	return types.ObjectValueMust(attachedAddonAttrs, map[string]attr.Value{
		"subscription_addon_id": types.StringUnknown(),
		"addon_id":              types.StringUnknown(),
		"name":                  types.StringUnknown(),
		"quantity":              quantity,
	})
}

// promised is what the plan was based on, according to its values; see promise.
func (m *model) promised(packageID string) holding {
	h := holding{packageID: packageID, packageCode: m.PackageCode.ValueString()}
	for code, value := range m.AttachedAddons.Elements() {
		if a, keeps := attachedOf(code, value); keeps {
			h.addons = append(h.addons, a)
		}
	}
	for code, value := range m.DetachedAddons.Elements() {
		attachedAgain := slices.ContainsFunc(h.addons, func(a heldAddon) bool { return sameCode(a.code, code) })
		if quantity, ok := value.(types.Float64); ok && !attachedAgain {
			h.addons = append(h.addons, heldAddon{code: code, quantity: quantity.ValueFloat64()})
		}
	}
	return h
}

// keepPromise copies the known values of a plan to the model that was read after its apply. The next plan shows what
// has changed since; Terraform reports a difference as an error of the provider.
func (m *model) keepPromise(planned *model) {
	for _, f := range []struct{ now, planned *types.String }{
		{&m.AssignmentID, &planned.AssignmentID},
		{&m.PackageCode, &planned.PackageCode},
		{&m.PackageName, &planned.PackageName},
		{&m.Currency, &planned.Currency},
	} {
		if !f.planned.IsUnknown() {
			*f.now = *f.planned
		}
	}
	if !planned.AssignedAt.IsUnknown() {
		m.AssignedAt = planned.AssignedAt
	}
	if !planned.DetachedAddons.IsUnknown() {
		m.DetachedAddons = planned.DetachedAddons
	}
	if !planned.Addons.IsUnknown() {
		m.Addons = planned.Addons
	}
	if planned.AttachedAddons.IsUnknown() {
		return
	}
	now, attached := m.AttachedAddons.Elements(), map[string]attr.Value{}
	for code, value := range planned.AttachedAddons.Elements() {
		attached[code] = keepAddon(now[code], value)
	}
	m.AttachedAddons = types.MapValueMust(attachedAddonType, attached)
}

// keepAddon fills the unknown values of a planned element of attached_addons.
func keepAddon(now, planned attr.Value) attr.Value {
	want, ok := planned.(types.Object)
	if !ok {
		return planned
	}
	found, _ := now.(types.Object)
	out := map[string]attr.Value{}
	for name, value := range want.Attributes() {
		switch read, there := found.Attributes()[name]; {
		case !value.IsUnknown():
			out[name] = value
		case there:
			out[name] = read
		case name == "quantity":
			out[name] = types.Float64Null()
		default:
			out[name] = types.StringNull()
		}
	}
	return types.ObjectValueMust(attachedAddonAttrs, out)
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

// announcementKey is the key of an announcement in the private state of a plan.
const announcementKey = "announcement"

// announcement is what a plan passes to Delete in private state, because Terraform does not plan a destroy again at
// apply. In a replacement, Delete gets the announcement of the create.
type announcement struct {
	Creates bool               `json:"creates,omitempty"`
	Package string             `json:"package,omitempty"`
	Addons  map[string]float64 `json:"addons,omitempty"` // quantity by code
}

func (a announcement) holding() holding {
	h := holding{packageID: a.Package}
	for _, code := range fwtype.SortedKeys(a.Addons) {
		h.addons = append(h.addons, heldAddon{code: code, quantity: a.Addons[code]})
	}
	return h
}

func announcementOf(h holding) announcement {
	a := announcement{Package: h.packageID, Addons: map[string]float64{}}
	for _, addon := range h.addons {
		a.Addons[fwtype.CodeKind{}.Normal(addon.code)] = addon.quantity
	}
	return a
}

func (a announcement) save(ctx context.Context, to session.PrivateWriter) diag.Diagnostics {
	raw, err := json.Marshal(a)
	if err != nil {
		return diag.Diagnostics{diag.NewErrorDiagnostic(session.SummaryPrivateState, err.Error())}
	}
	return to.SetKey(ctx, announcementKey, raw)
}

// readAnnouncement returns false if the plan left no announcement.
func readAnnouncement(ctx context.Context, from session.PrivateReader) (announcement, bool) {
	var a announcement
	raw, diags := from.GetKey(ctx, announcementKey)
	if diags.HasError() || len(raw) == 0 || json.Unmarshal(raw, &a) != nil {
		return announcement{}, false
	}
	return a, true
}
