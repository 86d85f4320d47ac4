package provider

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// itemCodes of the allowance (§2.6): validators, docs and messages go by it.
var itemCodes = []string{"documents", "seats", "templates", "notarizations"}

var (
	wantedAddonAttrs = map[string]attr.Type{"addon_id": types.StringType, "quantity": types.Int64Type}
	wantedAddonType  = types.ObjectType{AttrTypes: wantedAddonAttrs}

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
	Addons             types.Set    `tfsdk:"addons"`
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

type wantedAddon struct {
	AddonID  types.String `tfsdk:"addon_id"`
	Quantity types.Int64  `tfsdk:"quantity"`
}

// managesAddons: left out is not managed, [] is none.
func (m *assignmentResourceModel) managesAddons() bool { return !m.Addons.IsNull() }

// wanted quantities by add-on id; what is not known yet is left out.
func (m *assignmentResourceModel) wanted(ctx context.Context) (map[string]int64, diag.Diagnostics) {
	out := map[string]int64{}
	if m.Addons.IsNull() || m.Addons.IsUnknown() {
		return out, nil
	}
	var list []wantedAddon
	diags := m.Addons.ElementsAs(ctx, &list, false)
	for _, a := range list {
		if !a.AddonID.IsUnknown() && !a.Quantity.IsUnknown() {
			out[a.AddonID.ValueString()] = a.Quantity.ValueInt64()
		}
	}
	return out, diags
}

// mayKeep tells of an add-on whether it may stay attached: what is not known yet
// may be any, and what is not managed is left alone.
func (m *assignmentResourceModel) mayKeep(ctx context.Context) (func(id string) bool, diag.Diagnostics) {
	if m.Addons.IsUnknown() || !m.managesAddons() {
		return func(string) bool { return true }, nil
	}
	var list []wantedAddon
	diags := m.Addons.ElementsAs(ctx, &list, false)
	return func(id string) bool {
		return slices.ContainsFunc(list, func(a wantedAddon) bool { return a.AddonID.IsUnknown() || a.AddonID.ValueString() == id })
	}, diags
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
	wanted := make([]attr.Value, 0, len(a.Addons))
	for _, addon := range a.Addons {
		attached[addon.Code] = types.ObjectValueMust(attachedAddonAttrs, map[string]attr.Value{
			"subscription_addon_id": types.StringValue(addon.SubscriptionAddonID),
			"addon_id":              types.StringValue(addon.AddonID),
			"name":                  types.StringValue(addon.Name),
			"quantity":              types.Float64Value(addon.Quantity),
		})
		wanted = append(wanted, types.ObjectValueMust(wantedAddonAttrs, map[string]attr.Value{
			"addon_id": types.StringValue(addon.AddonID),
			"quantity": types.Int64Value(int64(addon.Quantity)),
		}))
	}
	m.AttachedAddons = types.MapValueMust(attachedAddonType, attached)
	if m.managesAddons() {
		m.Addons = types.SetValueMust(wantedAddonType, wanted)
	}
}

// addonName is the code of what is attached, the id of what is not.
func (m *assignmentResourceModel) addonName(id string) string {
	for code, attached := range m.AttachedAddons.Elements() {
		if o, ok := attached.(types.Object); ok && o.Attributes()["addon_id"].Equal(types.StringValue(id)) {
			return code
		}
	}
	return id
}

// manageAddons turns an import's add-ons into declared ones, where it has any.
func (m *assignmentResourceModel) manageAddons(a *client.Assignment) {
	if len(a.Addons) > 0 {
		m.Addons = types.SetValueMust(wantedAddonType, []attr.Value{})
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
