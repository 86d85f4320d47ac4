package provider

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// guardedResource recovers from panics while the state that was set so far is available. The framework checks which of
// these interfaces a resource has; a test checks that none is lost.
type guardedResource struct{ resource.Resource }

// guardedIdentityResource is a guardedResource with an identity.
type guardedIdentityResource struct{ guardedResource }

var (
	_ resource.ResourceWithConfigure        = guardedResource{}
	_ resource.ResourceWithConfigValidators = guardedResource{}
	_ resource.ResourceWithImportState      = guardedResource{}
	_ resource.ResourceWithModifyPlan       = guardedResource{}
	_ resource.ResourceWithUpgradeState     = guardedResource{}
	_ resource.ResourceWithValidateConfig   = guardedResource{}
	_ resource.ResourceWithIdentity         = guardedIdentityResource{}
)

// guardedResources guards the resources that these functions create.
func guardedResources(made []func() resource.Resource) []func() resource.Resource {
	out := make([]func() resource.Resource, 0, len(made))
	for _, one := range made {
		out = append(out, func() resource.Resource { return guardResource(one()) })
	}
	return out
}

func guardResource(r resource.Resource) resource.Resource {
	guarded := guardedResource{r}
	if _, ok := r.(resource.ResourceWithIdentity); ok {
		return guardedIdentityResource{guarded}
	}
	return guarded
}

// Create keeps what was created. If the state is set, a panic is a warning, because an error would taint the object and
// the next plan would replace it.
func (g guardedResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	defer func() {
		recordApplied(ctx, applied{created: true, state: &resp.State, identity: resp.Identity, private: resp.Private})
	}()
	defer func() {
		if thrown := recover(); thrown != nil {
			resp.Diagnostics.Append(afterCreateFault(ctx, thrown, resp))
		}
	}()
	g.Resource.Create(ctx, req, resp)
}

func afterCreateFault(ctx context.Context, thrown any, resp *resource.CreateResponse) diag.Diagnostic {
	const what = "to create the object"
	if resp.State.Raw.IsNull() {
		d := faultDiagnostic(ctx, what, thrown, lostAfterFault)
		return diag.NewErrorDiagnostic(d.Summary, d.Detail)
	}
	if !completeState(&resp.State, resp.Identity) {
		d := faultDiagnostic(ctx, what, thrown, withoutIDAfterFault)
		return diag.NewErrorDiagnostic(d.Summary, d.Detail)
	}
	d := faultDiagnostic(ctx, what, thrown, createdAfterFault)
	return diag.NewWarningDiagnostic(d.Summary, d.Detail)
}

// completeState replaces unknown values with null, and fills the identity, whose attributes have the names of the
// state's. It returns false if the state does not have them.
func completeState(state *tfsdk.State, identity *tfsdk.ResourceIdentity) bool {
	raw, err := tftypes.Transform(state.Raw, func(_ *tftypes.AttributePath, v tftypes.Value) (tftypes.Value, error) {
		if !v.IsKnown() {
			return tftypes.NewValue(v.Type(), nil), nil
		}
		return v, nil
	})
	if err != nil {
		return false
	}
	state.Raw = raw
	if identity == nil || !identity.Raw.IsFullyNull() && identity.Raw.IsFullyKnown() {
		return true
	}
	var attributes map[string]tftypes.Value
	shape, ok := identity.Raw.Type().(tftypes.Object)
	if !ok || raw.As(&attributes) != nil {
		return false
	}
	values := map[string]tftypes.Value{}
	for name := range shape.AttributeTypes {
		if attributes[name].IsNull() {
			return false
		}
		values[name] = attributes[name]
	}
	identity.Raw = tftypes.NewValue(shape, values)
	return true
}

// Update keeps what was set so far, which is at least the prior state.
func (g guardedResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	defer func() {
		recordApplied(ctx, applied{state: &resp.State, identity: resp.Identity, private: resp.Private})
	}()
	defer func() {
		if thrown := recover(); thrown != nil {
			completeState(&resp.State, resp.Identity)
			d := faultDiagnostic(ctx, "to update the object", thrown, partlyUpdatedAfterFault)
			resp.Diagnostics.AddError(d.Summary, d.Detail)
		}
	}()
	g.Resource.Update(ctx, req, resp)
}

// Delete keeps the state after a panic.
func (g guardedResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	defer func() {
		if thrown := recover(); thrown != nil {
			d := faultDiagnostic(ctx, "to delete the object", thrown, "The object may have been deleted; it is still in state. Plan again to see the result.")
			resp.Diagnostics.AddError(d.Summary, d.Detail)
		}
	}()
	g.Resource.Delete(ctx, req, resp)
}

func (g guardedResource) Configure(ctx context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	if r, ok := g.Resource.(resource.ResourceWithConfigure); ok {
		r.Configure(ctx, req, resp)
	}
}

// ConfigValidators returns none for a resource without this method.
func (g guardedResource) ConfigValidators(ctx context.Context) []resource.ConfigValidator {
	if r, ok := g.Resource.(resource.ResourceWithConfigValidators); ok {
		return r.ConfigValidators(ctx)
	}
	return nil
}

// ImportState returns the framework's own error for a resource without this method.
func (g guardedResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	r, ok := g.Resource.(resource.ResourceWithImportState)
	if !ok {
		resp.Diagnostics.AddError(summaryNoImport, "This resource does not support import. Nothing was imported.")
		return
	}
	r.ImportState(ctx, req, resp)
}

// ModifyPlan changes nothing for a resource without this method.
func (g guardedResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if r, ok := g.Resource.(resource.ResourceWithModifyPlan); ok {
		r.ModifyPlan(ctx, req, resp)
	}
}

// UpgradeState returns none for a resource whose schema never changed.
func (g guardedResource) UpgradeState(ctx context.Context) map[int64]resource.StateUpgrader {
	if r, ok := g.Resource.(resource.ResourceWithUpgradeState); ok {
		return r.UpgradeState(ctx)
	}
	return nil
}

// ValidateConfig finds nothing for a resource without this method.
func (g guardedResource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	if r, ok := g.Resource.(resource.ResourceWithValidateConfig); ok {
		r.ValidateConfig(ctx, req, resp)
	}
}

// IdentitySchema is the resource's own.
func (g guardedIdentityResource) IdentitySchema(ctx context.Context, req resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	if r, ok := g.Resource.(resource.ResourceWithIdentity); ok {
		r.IdentitySchema(ctx, req, resp)
	}
}

// guardedAction recovers from panics. The framework runs an action in a goroutine, where a panic would end the process.
type guardedAction struct{ action.Action }

var _ action.ActionWithConfigure = guardedAction{}

// guardedActions guards the actions that these functions create.
func guardedActions(made []func() action.Action) []func() action.Action {
	out := make([]func() action.Action, 0, len(made))
	for _, one := range made {
		out = append(out, func() action.Action { return guardedAction{one()} })
	}
	return out
}

func (g guardedAction) Configure(ctx context.Context, req action.ConfigureRequest, resp *action.ConfigureResponse) {
	if a, ok := g.Action.(action.ActionWithConfigure); ok {
		a.Configure(ctx, req, resp)
	}
}

// Invoke turns a panic into a diagnostic.
func (g guardedAction) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	defer func() {
		if thrown := recover(); thrown != nil {
			d := faultDiagnostic(ctx, "to invoke the action", thrown, "The action may have had its effect.")
			resp.Diagnostics.AddError(d.Summary, d.Detail)
		}
	}()
	g.Action.Invoke(ctx, req, resp)
}

// applied is what a resource had set when it returned: later code of the framework may still panic.
type applied struct {
	created  bool
	state    *tfsdk.State
	identity *tfsdk.ResourceIdentity
	private  session.PrivateReader
}

type appliedKey struct{}

func withApplied(ctx context.Context) (context.Context, *applied) {
	done := &applied{}
	return context.WithValue(ctx, appliedKey{}, done), done
}

func recordApplied(ctx context.Context, what applied) {
	if done, ok := ctx.Value(appliedKey{}).(*applied); ok {
		*done = what
	}
}

// restore copies what was set to a response, if there is anything.
func (a *applied) restore(ctx context.Context, resp *tfprotov6.ApplyResourceChangeResponse) bool {
	if a.state == nil || a.state.Raw.IsNull() || !completeState(a.state, a.identity) {
		return false
	}
	state, err := tfprotov6.NewDynamicValue(a.state.Raw.Type(), a.state.Raw)
	if err != nil {
		return false
	}
	resp.NewState = &state
	if a.identity != nil {
		if identity, err := tfprotov6.NewDynamicValue(a.identity.Raw.Type(), a.identity.Raw); err == nil {
			resp.NewIdentity = &tfprotov6.ResourceIdentityData{IdentityData: &identity}
		}
	}
	if memory, diags := a.private.GetKey(ctx, session.PrivateStateKey); !diags.HasError() && len(memory) > 0 {
		// The framework encodes private state like this: the JSON of a key as bytes.
		if private, err := json.Marshal(map[string][]byte{session.PrivateStateKey: memory}); err == nil {
			resp.Private = private
		}
	}
	return true
}
