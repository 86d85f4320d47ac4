package provider

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// typedFields have attributes of their own, or are the service's: settings must
// not say them again.
var typedFields = []string{"code", "name", "currency", "active", "isActive", "status", "id", "packageId", "addonId"}

// fieldName is the form of §2.1.
var fieldName = regexp.MustCompile(`^[a-z][A-Za-z0-9]*$`)

// ValidateConfig judges the settings, which no stock validator looks into.
func (r *itemResource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var settings types.Dynamic
	at := path.Root("settings")
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, at, &settings)...)
	if settings.IsNull() || settings.IsUnknown() || settings.IsUnderlyingValueNull() || settings.IsUnderlyingValueUnknown() {
		return
	}
	fields, err := elementsOf(settings.UnderlyingValue())
	if err != nil {
		resp.Diagnostics.AddAttributeError(at, "Not usable as settings", err.Error()+".")
		return
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		switch {
		case slices.Contains(typedFields, name):
			resp.Diagnostics.AddAttributeError(at, "settings repeat a typed field",
				fmt.Sprintf("%q has an attribute of its own, or is the service's. Take it out of settings.", name))
		case !fieldName.MatchString(name):
			resp.Diagnostics.AddAttributeError(at, "settings name what is no field",
				fmt.Sprintf("%q: the service's fields have names in camelCase, such as monthlyPrice.", name))
		}
	}
}

// ModifyPlan holds the rules that need the state, the private state or the
// catalogue.
func (r *itemResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
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

func (r *itemResource) planCreate(ctx context.Context, req resource.ModifyPlanRequest) diag.Diagnostics {
	var plan itemModel
	diags := req.Plan.Get(ctx, &plan)
	mem, d := readMemory(ctx, req.Private)
	diags.Append(d...)
	if diags.HasError() {
		return diags
	}
	if mem != (memory{}) {
		diags.AddError(fmt.Sprintf("%s %s cannot be replaced", r.kind, mem.Host),
			"Its code is taken for ever, so that a new one with this code could never be made. Nothing was planned. Leave -replace away.")
		return diags
	}
	r.willMake(r.typeName)
	switch {
	case !r.ready():
		return diags // judged again at apply
	case plan.Code.IsUnknown(): // as well
		diags.AddWarning(fmt.Sprintf("%s whose code is known only at apply will be for ever", capitalised(r.kind.String())),
			fmt.Sprintf("Its code can never be used again, and its place in the cap of %d %ss is never free again.", client.MaxItems, r.kind))
		return diags
	}
	return append(diags, r.codeIsFree(ctx, plan.Code)...)
}

func (r *itemResource) codeIsFree(ctx context.Context, code itemCode) diag.Diagnostics {
	var diags diag.Diagnostics
	at, upper := path.Root("code"), codeKind{}.normal(code.ValueString())
	planned, first := r.plannedItems.claim(r.kind, upper)
	if !first {
		diags.AddAttributeError(at, fmt.Sprintf("%s %s is declared twice", r.kind, upper),
			"Two resources of this configuration have this code (codes are compared without case); the second would fail with CODE_IN_USE half-way through the apply. Keep one of them.")
		return diags
	}
	items, err := r.inventory.KnownItems(ctx, r.kind)
	if err != nil {
		diags.Append(failure{
			summary: fmt.Sprintf("%s %s cannot be planned", r.kind, upper),
			undone:  "Whether the code is free could not be read, and a code is for ever. Nothing was planned.",
		}.diagnose(err))
		return diags
	}
	if item, ok := items.ByCode(upper); ok {
		diags.Append(r.codeTaken(item))
		return diags
	}
	left := client.MaxItems - len(items.All()) - planned
	if left < 0 {
		diags.AddAttributeError(at, fmt.Sprintf("%s %s is over the cap of %d", r.kind, upper, client.MaxItems),
			fmt.Sprintf("The reseller has %d %ss, deactivated ones included, and this plan makes %d. The service allows %d, and none ever leaves. Nothing was planned. Change one that is not used any more, by importing it, instead of making another.", len(items.All()), r.kind, planned, client.MaxItems))
		return diags
	}
	diags.AddWarning(fmt.Sprintf("%s %s will be for ever", r.kind, upper),
		fmt.Sprintf("Its code can never be used again, and its place in the cap of %d %ss is never free again: %d places are left after this one.", client.MaxItems, r.kind, left))
	return diags
}

func (r *itemResource) codeTaken(item *client.Item) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("code"),
		fmt.Sprintf("%s %s exists already", r.kind, item.Code),
		fmt.Sprintf("The code is taken by %q (%s), and for ever. Nothing was planned.\n\nTo manage it with Terraform, add this block with the resource's name in place of NAME, and plan again:\n\nimport {\n  to = reseller_%s.NAME\n  id = %q\n}\n\nIf Terraform made it and marks it as tainted: run `terraform untaint` on it.",
			item.Name, item.ID, r.typeName, item.Code))
}

func (r *itemResource) planUpdate(ctx context.Context, req resource.ModifyPlanRequest) diag.Diagnostics {
	var plan, state itemModel
	diags := req.Plan.Get(ctx, &plan)
	diags.Append(req.State.Get(ctx, &state)...)
	if diags.HasError() || plan.Settings.IsUnknown() || plan.Settings.IsUnderlyingValueUnknown() || plan.Settings.Equal(state.Settings) {
		return diags
	}
	want, errWant := settingsJSON(plan.Settings)
	have, errHave := settingsJSON(state.Settings)
	if errWant != nil || errHave != nil {
		return diags // not known yet; what cannot be sent is told by the apply
	}
	for name := range have {
		if _, kept := want[name]; !kept {
			diags.AddWarning(fmt.Sprintf("%s %s keeps the setting %s", r.kind, state.Code.ValueString(), name),
				"A field that is taken out of settings is not sent, and the service keeps its value. To change it, declare the value that it should have.")
		}
	}
	return diags
}

func (r *itemResource) planDestroy(ctx context.Context, prior tfsdk.State) diag.Diagnostics {
	var state itemModel
	diags := prior.Get(ctx, &state)
	if diags.HasError() {
		return diags
	}
	what := "It will be deactivated."
	if !state.Active.ValueBool() {
		what = "It is deactivated already; nothing will be sent."
	}
	code := state.Code.ValueString()
	diags.AddWarning(fmt.Sprintf("%s %s stays in the catalogue", r.kind, code),
		fmt.Sprintf("%s Its code %s and its place in the cap of %d stay taken for ever: the service deletes none. To have it back, import it by its code.", what, code, client.MaxItems))
	return diags
}

// plannedItems counts what this process has planned to make, by kind.
type plannedItems struct {
	mu    sync.Mutex
	codes map[client.Kind]map[string]bool
}

func newPlannedItems() *plannedItems {
	return &plannedItems{codes: map[client.Kind]map[string]bool{}}
}

// claim answers how many codes are claimed by now, this one included, and
// whether it is claimed for the first time.
func (p *plannedItems) claim(k client.Kind, code string) (planned int, first bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.codes[k] == nil {
		p.codes[k] = map[string]bool{}
	}
	if p.codes[k][strings.ToUpper(code)] {
		return len(p.codes[k]), false
	}
	p.codes[k][strings.ToUpper(code)] = true
	return len(p.codes[k]), true
}
