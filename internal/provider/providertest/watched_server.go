package providertest

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// watchedServer shows a test what becomes of requests that apply.
type watchedServer struct {
	ProtocolServer
	Applying chan context.Context // of each request, when it arrives
	Applied  chan struct{}        // one for each request, when it is answered
}

func (w *TestEnv) Watched() *watchedServer {
	w.T.Helper()
	const plenty = 100
	return &watchedServer{
		ProtocolServer: w.protocolServer(),
		Applying:       make(chan context.Context, plenty), Applied: make(chan struct{}, plenty),
	}
}

func (s *watchedServer) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	s.Applying <- ctx
	defer func() { s.Applied <- struct{}{} }()
	return s.ProtocolServer.ApplyResourceChange(ctx, req)
}
