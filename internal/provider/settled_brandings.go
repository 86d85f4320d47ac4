package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// settledBrandings answers for brandings without a logo, whose file would have
// to be read, of private labels that the list shows.
type settledBrandings struct{}

func (settledBrandings) identity() []string { return []string{"domain"} }

func (settledBrandings) read(ctx context.Context, run *session, state *tfprotov6.DynamicValue, mem memory) ([]string, bool) {
	prior, ok := decodeState(ctx, brandingCodec(), state)
	if !ok {
		return nil, false
	}
	labels, err := failedOnce(ctx, readLabels, run.inventory.Labels)
	if err != nil {
		return nil, false
	}
	host := prior.Domain.ValueString()
	_, listed := labels.ByAnyHost(host)
	return []string{host}, listed && prior.isRead() && mem.Slug != "" && mem == memory{ID: host, Host: host, Slug: run.slug(ctx)}
}

func (settledBrandings) plan(ctx context.Context, _ *session, state *tfprotov6.DynamicValue, _ memory) bool {
	prior, ok := decodeState(ctx, brandingCodec(), state)
	return ok && prior.isRead() && !prior.hasLogos()
}
