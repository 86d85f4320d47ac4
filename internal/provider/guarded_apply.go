package provider

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/codec"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// unapplied is the response to an apply that changed nothing. What its plan announced was for this apply only.
func unapplied(req *tfprotov6.ApplyResourceChangeRequest) tfprotov6.ApplyResourceChangeResponse {
	return tfprotov6.ApplyResourceChangeResponse{
		NewState: req.PriorState, Private: object.LastingPrivate(req.PlannedPrivate), NewIdentity: req.PlannedIdentity,
	}
}

// keepApplied copies what a resource had set before a panic to a response.
func keepApplied(ctx context.Context, set *session.Applied, resp *tfprotov6.ApplyResourceChangeResponse) outcome {
	if set.State == nil {
		return unknownAfterFault // a destroy, or the resource was not called
	}
	if set.State.Raw.IsNull() {
		return lostAfterFault
	}
	whole := completeState(set.State, set.Identity)
	state, err := tfprotov6.NewDynamicValue(set.State.Raw.Type(), set.State.Raw)
	if err != nil {
		return lostAfterFault
	}
	resp.NewState = &state
	if set.Identity != nil {
		if identity, err := tfprotov6.NewDynamicValue(set.Identity.Raw.Type(), set.Identity.Raw); err == nil {
			resp.NewIdentity = &tfprotov6.ResourceIdentityData{IdentityData: &identity}
		}
	}
	if stored, diags := set.Private.GetKey(ctx, session.PrivateStateKey); !diags.HasError() && len(stored) > 0 {
		// The framework encodes private state like this: the JSON of a key as bytes.
		if private, err := json.Marshal(map[string][]byte{session.PrivateStateKey: stored}); err == nil {
			resp.Private = private
		}
	}
	switch {
	case !set.Created:
		return partlyUpdatedAfterFault
	case !whole:
		return withoutIDAfterFault
	default:
		return createdAfterFault
	}
}

// completeState replaces unknown values with null, and fills the identity, whose attributes have the names of the
// state's. It returns false if the state does not have them.
func completeState(state *tfsdk.State, identity *tfsdk.ResourceIdentity) bool {
	state.Raw = codec.Known(state.Raw)
	if identity == nil || !identity.Raw.IsFullyNull() && identity.Raw.IsFullyKnown() {
		return true
	}
	var attributes map[string]tftypes.Value
	shape, ok := identity.Raw.Type().(tftypes.Object)
	if !ok || state.Raw.As(&attributes) != nil {
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
