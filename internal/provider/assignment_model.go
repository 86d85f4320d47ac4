package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// itemCodes of the allowance (§2.6): validators, docs and messages go by it.
var itemCodes = []string{"documents", "seats", "templates", "notarizations"}

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

// assignmentResourceModel is the resource: the declared part first.
type assignmentResourceModel struct {
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
}

func (m *assignmentResourceModel) identity() ofLabelIdentity {
	return ofLabelIdentity{PrivateLabelID: m.PrivateLabelID}
}

// wantedAddon is an element of `addons`: its key as the configuration spells it, and its quantity.
type wantedAddon struct {
	code     string
	quantity types.Float64
}

// managesAddons reports whether `addons` is configured: {} is none, null is not managed.
func (m *assignmentResourceModel) managesAddons() bool { return !m.Addons.IsNull() }

// wanted returns the elements of `addons` by the normal form of their codes.
func (m *assignmentResourceModel) wanted() map[string]wantedAddon {
	out := map[string]wantedAddon{}
	for code, value := range m.Addons.Elements() {
		quantity, ok := value.(types.Float64)
		if !ok {
			quantity = types.Float64Unknown()
		}
		out[codeKind{}.normal(code)] = wantedAddon{code: code, quantity: quantity}
	}
	return out
}

// sameAddons reports whether two values of `addons` mean the same: codes compare without case.
func sameAddons(a, b types.Map) bool {
	if a.IsNull() != b.IsNull() || a.IsUnknown() || b.IsUnknown() || len(a.Elements()) != len(b.Elements()) {
		return a.Equal(b)
	}
	other := (&assignmentResourceModel{Addons: b}).wanted()
	for code, addon := range (&assignmentResourceModel{Addons: a}).wanted() {
		if found, ok := other[code]; !ok || !found.quantity.Equal(addon.quantity) {
			return false
		}
	}
	return true
}

// consent is bounded: every warning's excess must be within allow_excess, an
// item that is not named counts as 0.
func (m *assignmentResourceModel) consent(ctx context.Context) (client.Consent, diag.Diagnostics) {
	allowed := map[string]float64{}
	var diags diag.Diagnostics
	if !m.AllowExcess.IsNull() {
		diags = m.AllowExcess.ElementsAs(ctx, &allowed, false)
	}
	return func(warnings []client.Warning) bool {
		for _, w := range warnings {
			if w.Excess > allowed[w.ItemCode] {
				return false
			}
		}
		return len(warnings) > 0
	}, diags
}

// fromAPI takes over what the label's detail tells. Add-ons are told in
// `addons` only where they are managed.
func (m *assignmentResourceModel) fromAPI(tenantID string, a *client.Assignment) {
	m.ID, m.PrivateLabelID = types.StringValue(tenantID), types.StringValue(tenantID)
	m.PackageID = types.StringValue(a.PackageID)
	m.AssignmentID = types.StringValue(a.ID)
	m.PackageCode = types.StringValue(a.PackageCode)
	m.PackageName = types.StringValue(a.PackageName)
	m.Currency = types.StringValue(a.Currency)
	m.AssignedAt = timeValue(a.AssignedAt)
	m.Allocated = allocatedObject(a.Allocated)
	attached := map[string]attr.Value{}
	spelled := m.wanted()
	wanted := map[string]attr.Value{}
	for _, addon := range a.Addons {
		attached[addon.Code] = types.ObjectValueMust(attachedAddonAttrs, map[string]attr.Value{
			"subscription_addon_id": types.StringValue(addon.SubscriptionAddonID),
			"addon_id":              types.StringValue(addon.AddonID),
			"name":                  types.StringValue(addon.Name),
			"quantity":              types.Float64Value(addon.Quantity),
		})
		code := addon.Code
		if configured, ok := spelled[codeKind{}.normal(code)]; ok {
			code = configured.code
		}
		wanted[code] = types.Float64Value(addon.Quantity)
	}
	m.AttachedAddons = types.MapValueMust(attachedAddonType, attached)
	if m.managesAddons() {
		m.Addons = types.MapValueMust(types.Float64Type, wanted)
	}
}

// manageAddons turns an import's add-ons into declared ones, where it has any.
func (m *assignmentResourceModel) manageAddons(a *client.Assignment) {
	if len(a.Addons) > 0 {
		m.Addons = types.MapValueMust(types.Float64Type, map[string]attr.Value{})
		m.fromAPI(m.PrivateLabelID.ValueString(), a)
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

// needsDetail: the list of labels tells the package, but no add-ons.
func (m *assignmentResourceModel) needsDetail(live *client.AssignedPackage) bool {
	return m.AssignmentID.IsNull() || m.managesAddons() || len(m.AttachedAddons.Elements()) > 0 || m.PackageID.ValueString() != live.PackageID
}

// keepPlanned puts back what the plan was sure of. It may be another by now, such
// as the name of a package that is renamed in the same apply; the CLI takes that
// for a bug, and the next plan reads it.
func (m *assignmentResourceModel) keepPlanned(planned *assignmentResourceModel) {
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
}

// makeUnknown plans that the service will tell anew.
func (m *assignmentResourceModel) makeUnknown(packageChanges bool) {
	m.Allocated = types.ObjectUnknown(allocatedAttrs)
	m.AttachedAddons = types.MapUnknown(attachedAddonType)
	if !packageChanges {
		return
	}
	m.AssignmentID, m.PackageCode, m.PackageName, m.Currency = types.StringUnknown(), types.StringUnknown(), types.StringUnknown(), types.StringUnknown()
	m.AssignedAt = timetypes.NewRFC3339Unknown()
}
