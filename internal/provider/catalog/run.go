package catalog

import (
	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// runState has the codes that plans create. A second block for one code is a warning, and their number is announced.
type runState struct {
	codes map[client.Kind]*session.WalkNames
}

func newRunState(s *session.Session) *runState {
	return &runState{codes: map[client.Kind]*session.WalkNames{client.KindPackage: s.NewNames(), client.KindAddon: s.NewNames()}}
}

func (r *Resource) run() *runState { return session.Shared(r.Session, newRunState) }
