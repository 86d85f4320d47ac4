package privatelabel

import (
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// runState is what the private labels of a run know about each other.
type runState struct {
	hosts *session.WalkNames // that plans create: a second block for one is a warning
}

func newRunState(s *session.Session) *runState { return &runState{hosts: s.NewNames()} }

func (r *Resource) run() *runState { return session.Shared(r.Session, newRunState) }
