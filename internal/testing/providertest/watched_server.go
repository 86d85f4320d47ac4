package providertest

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// WatchedServer shows a test the progress of apply requests.
type WatchedServer struct {
	ProtocolServer
	Applying chan context.Context // of each request, when it arrives
	Applied  chan struct{}        // one for each request, when it ends
}

func (w *TestEnv) Watched() *WatchedServer {
	w.T.Helper()
	const plenty = 100
	return &WatchedServer{
		ProtocolServer: w.protocolServer(),
		Applying:       make(chan context.Context, plenty), Applied: make(chan struct{}, plenty),
	}
}

func (s *WatchedServer) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	s.Applying <- ctx
	defer func() { s.Applied <- struct{}{} }()
	return s.ProtocolServer.ApplyResourceChange(ctx, req)
}
