package catalog

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// typedFields have their own attributes or belong to the API, so `settings` must not contain them.
var typedFields = []string{"code", "name", "currency", "active", "isActive", "status", "id", "packageId", "addonId"}

// fieldName is the form of §2.1.
var fieldName = regexp.MustCompile(`^[a-z][A-Za-z0-9]*$`)

// ValidateConfig validates the settings, which stock validators do not inspect.
func (r *Resource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var settings types.Dynamic
	at := path.Root("settings")
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, at, &settings)...)
	if settings.IsNull() || settings.IsUnknown() || settings.IsUnderlyingValueNull() || settings.IsUnderlyingValueUnknown() {
		return
	}
	fields, err := fwtype.ElementsOf(settings.UnderlyingValue())
	if err != nil {
		resp.Diagnostics.AddAttributeError(at, summarySettings, diagnostic.Capitalize(err.Error())+".")
		return
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		switch {
		case slices.Contains(typedFields, name):
			resp.Diagnostics.AddAttributeError(at, summarySettings,
				fmt.Sprintf("%q in settings has an attribute of its own, or is set by the API. Remove it from settings.", name))
		case !fieldName.MatchString(name):
			resp.Diagnostics.AddAttributeError(at, summarySettings,
				fmt.Sprintf("%q in settings is not a field of the API. Write its name in camelCase, such as monthlyPrice.", name))
		default:
			if _, err := fwtype.JSONOf(fields[name]); errors.Is(err, client.ErrNumberRange) {
				resp.Diagnostics.AddAttributeError(at, summarySettings, fmt.Sprintf("settings.%s cannot be sent. Its %s.", name, err))
			}
		}
	}
}

// ModifyPlan holds the rules that need the state, the private state or the
// catalog.
func (r *Resource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	switch {
	case req.Plan.Raw.IsNull() && req.State.Raw.IsNull():
	case req.Plan.Raw.IsNull():
		resp.Diagnostics.Append(r.planDestroy(ctx, req.State)...)
	case req.State.Raw.IsNull():
		resp.Diagnostics.Append(r.planCreate(ctx, req)...)
	default:
		resp.Diagnostics.Append(r.planUpdate(ctx, req)...)
	}
}

func (r *Resource) planCreate(ctx context.Context, req resource.ModifyPlanRequest) diag.Diagnostics {
	var plan model
	diags := req.Plan.Get(ctx, &plan)
	mem, d := session.ReadPrivateState(ctx, req.Private)
	diags.Append(d...)
	if diags.HasError() {
		return diags
	}
	if mem != (session.PrivateState{}) {
		diags.AddError(summaryNotReplaceable, notReplaceable(r.kind, mem.Host))
		return diags
	}
	if r.Session != nil && !plan.Code.IsUnknown() {
		r.Activating.Add(session.ItemKey(r.kind, plan.Code.ValueString()))
	}
	if !r.Ready() {
		return append(diags, notices(r.kind, nil, &plan, catalogFacts{}).Diagnostics()...) // the apply validates it
	}
	items, err := r.Inventory.CachedItems(ctx, r.kind)
	if err != nil {
		diags.Append(diagnostic.APIFailure{
			Summary:   summaryPlan,
			Failed:    fmt.Sprintf("Whether the code of %s %s is available could not be checked", r.kind, nameOf(plan.Code)),
			Unchanged: "A code is permanent, so nothing was planned",
		}.Diagnostic(err))
		return diags
	}
	diags.Append(r.validateAvailable(plan.Code, items)...)
	if diags.HasError() {
		return diags
	}
	diags.Append(r.planned().warn(r.kind, plan.Code, items)...)
	facts := catalogFacts{known: true, items: len(items.All()), planned: r.planned().Count(exists(items))}
	return append(diags, notices(r.kind, nil, &plan, facts).Diagnostics()...)
}

// planned returns the codes that plans of this process create.
func (r *Resource) planned() plannedCodes { return plannedCodes{r.run().codes[r.kind]} }

func exists(items *inventory.Catalog) func(code string) bool {
	return func(code string) bool {
		_, ok := items.ByCode(code)
		return ok
	}
}

// validateAvailable checks the catalog for the code. Items are never deleted from the catalog.
func (r *Resource) validateAvailable(code fwtype.ItemCode, items *inventory.Catalog) diag.Diagnostics {
	if item, ok := items.ByCode(code.Normal()); ok && !code.IsUnknown() {
		return diag.Diagnostics{r.codeTaken(item)}
	}
	if len(items.All()) < client.MaxItems {
		return nil
	}
	return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root("code"), summaryLimit, limitReached(r.kind, nameOf(code), len(items.All())))}
}

// plannedCodes are the codes of one kind.
type plannedCodes struct{ *session.WalkNames }

// warn records the create of a code and warns about what the apply would reject: a code of another block, and more
// items than the limit allows.
func (p plannedCodes) warn(k client.Kind, code fwtype.ItemCode, items *inventory.Catalog) diag.Diagnostics {
	var diags diag.Diagnostics
	at := path.Root("code")
	if code.IsUnknown() {
		p.AddUnnamed()
	} else if p.Add(code.Normal()) {
		diags.AddAttributeWarning(at, summaryDeclaredTwice, declaredTwice(k, code.Normal()))
	}
	if total := len(items.All()) + p.Count(exists(items)); total > client.MaxItems {
		diags.AddAttributeWarning(at, summaryOverLimit, overLimit(k, nameOf(code), total))
	}
	return diags
}

func (r *Resource) planUpdate(ctx context.Context, req resource.ModifyPlanRequest) diag.Diagnostics {
	if req.Plan.Raw.Equal(req.State.Raw) {
		return nil
	}
	var plan, state model
	diags := req.Plan.Get(ctx, &plan)
	diags.Append(req.State.Get(ctx, &state)...)
	if r.Ready() && plan.Active.ValueBool() && !state.Active.ValueBool() {
		r.Activating.Add(session.ItemKey(r.kind, state.Code.ValueString()))
	}
	if diags.HasError() {
		return diags
	}
	diags.Append(notices(r.kind, &state, &plan, catalogFacts{}).Diagnostics()...)
	if removed := plan.removedSettings(&state); len(removed) > 0 {
		diags.AddAttributeWarning(path.Root("settings"), summarySettingsKept, settingsKept(r.kind, state.Code.ValueString(), removed))
	}
	return diags
}

// removedSettings returns the names that the plan no longer sets; none while they are unknown.
func (m *model) removedSettings(state *model) []string {
	if m.Settings.IsUnknown() || m.Settings.IsUnderlyingValueUnknown() || m.Settings.Equal(state.Settings) {
		return nil
	}
	want, errWant := settingsJSON(m.Settings)
	have, errHave := settingsJSON(state.Settings)
	if errWant != nil || errHave != nil {
		return nil // a value is unknown; the apply reports what cannot be sent
	}
	var removed []string
	for _, name := range fwtype.SortedKeys(have) {
		if _, kept := want[name]; !kept {
			removed = append(removed, name)
		}
	}
	return removed
}

func (r *Resource) planDestroy(ctx context.Context, prior tfsdk.State) diag.Diagnostics {
	var state model
	diags := prior.Get(ctx, &state)
	if diags.HasError() {
		return diags
	}
	return append(diags, notices(r.kind, &state, nil, catalogFacts{}).Diagnostics()...)
}
