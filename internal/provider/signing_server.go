package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// deeds are the resources of one-time operations.
var deeds = map[string]func() resource.Resource{
	"reseller_document":         newDocumentResource,
	"reseller_document_signing": newDocumentSigningResource,
	"reseller_minted_document":  newMintedDocumentResource,
}

// UpgradeResourceState is where the CLI hands over everything that is in state,
// also with -refresh=false: a plan that creates the same as what is there is
// the second half of a tainted object's replacement, of which the provider is
// told nothing else.
func (s *settledServer) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	resp, err := s.frameworkServer.UpgradeResourceState(ctx, req)
	if made, ok := deeds[req.TypeName]; ok && err == nil && resp.UpgradedState != nil {
		s.noteInState(ctx, resp.UpgradedState, made)
	}
	return resp, err
}

// noteInState notes what can be read; what cannot, the framework tells.
func (s *settledServer) noteInState(ctx context.Context, state *tfprotov6.DynamicValue, made func() resource.Resource) {
	run := s.provider.session.Load()
	if run == nil {
		return // no plan without a configured provider
	}
	r := made()
	deedOf, ok := r.(interface{ stored() deedModel })
	if !ok {
		return
	}
	model := deedOf.stored()
	var shape resource.SchemaResponse
	r.Schema(ctx, resource.SchemaRequest{}, &shape)
	raw, err := state.Unmarshal(shape.Schema.Type().TerraformType(ctx))
	if err != nil {
		return
	}
	stored := tfsdk.State{Raw: raw, Schema: shape.Schema}
	if raw.IsNull() || stored.Get(ctx, model).HasError() {
		return
	}
	run.seenInState(model.fingerprint(ctx))
}
