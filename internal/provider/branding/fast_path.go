package branding

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// FastPath handles branding without a logo of private labels that the list shows. A logo requires reading its file.
type FastPath struct{}

func (FastPath) Identity() []string { return []string{"domain"} }

func (FastPath) Read(ctx context.Context, run *session.Session, state *tfprotov6.DynamicValue, mem session.PrivateState) ([]string, bool) {
	prior, ok := session.DecodeState(ctx, brandingCodec(), state)
	if !ok {
		return nil, false
	}
	labels, err := run.Labels(ctx)
	if err != nil {
		return nil, false
	}
	host := prior.Domain.ValueString()
	_, listed := labels.ByAnyHost(host)
	return []string{host}, listed && prior.isRead() && mem.Slug != "" && mem == memory(host, run.Slug(ctx))
}

func (FastPath) Plan(ctx context.Context, _ *session.Session, state *tfprotov6.DynamicValue, _ session.PrivateState) bool {
	prior, ok := session.DecodeState(ctx, brandingCodec(), state)
	return ok && prior.isRead() && !prior.hasLogos()
}
