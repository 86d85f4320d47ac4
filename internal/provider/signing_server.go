package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// fingerprinted is a model of one of the resources that do their deed once.
type fingerprinted interface {
	fingerprint(ctx context.Context) string
}

// deeds are the resources that do their deed once, with their models.
var deeds = map[string]func() (resource.Resource, fingerprinted){
	"reseller_document": func() (resource.Resource, fingerprinted) { return newDocumentResource(), &documentModel{} },
	"reseller_document_signing": func() (resource.Resource, fingerprinted) {
		return newDocumentSigningResource(), &documentSigningModel{}
	},
	"reseller_minted_document": func() (resource.Resource, fingerprinted) { return newMintedDocumentResource(), &mintedDocumentModel{} },
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
func (s *settledServer) noteInState(ctx context.Context, state *tfprotov6.DynamicValue, made func() (resource.Resource, fingerprinted)) {
	run := s.provider.session.Load()
	if run == nil {
		return // no plan without a configured provider
	}
	r, model := made()
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
	if mark := model.fingerprint(ctx); mark != "" {
		run.actsInState.note(mark)
	}
}
