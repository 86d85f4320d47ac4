package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/document"
)

// UpgradeResourceState receives everything that is in state, also with -refresh=false. A plan that creates the same as an
// object in state is the second half of the replacement of a tainted object, which the provider cannot detect otherwise.
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
