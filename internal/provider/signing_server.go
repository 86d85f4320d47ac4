package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/document"
)

// UpgradeResourceState is where the CLI hands over everything that is in state,
// also with -refresh=false: a plan that creates the same as what is there is
// the second half of a tainted object's replacement, of which the provider is
// told nothing else.
func (s *FastPathServer) UpgradeResourceState(
	ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, error) {
	resp, err := s.Server.UpgradeResourceState(ctx, req)
	run := s.provider.session.Load() // without a configured provider, nothing is planned
	if err == nil && resp.UpgradedState != nil && run != nil {
		run.SeenInState(document.StoredFingerprint(ctx, req.TypeName, resp.UpgradedState))
	}
	return resp, err
}
