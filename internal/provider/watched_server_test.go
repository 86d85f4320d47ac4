package provider_test

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// watchedServer shows a test what becomes of requests that apply.
type watchedServer struct {
	protocolServer
	applying chan context.Context // of each request, when it arrives
	applied  chan struct{}        // one for each request, when it is answered
}

func (w *world) watched() *watchedServer {
	w.t.Helper()
	const plenty = 100
	return &watchedServer{
		protocolServer: w.protocolServer(),
		applying:       make(chan context.Context, plenty), applied: make(chan struct{}, plenty),
	}
}

func (s *watchedServer) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	s.applying <- ctx
	defer func() { s.applied <- struct{}{} }()
	return s.protocolServer.ApplyResourceChange(ctx, req)
}
