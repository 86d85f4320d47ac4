package assignment

import "github.com/privatelabels/terraform-provider-reseller/internal/provider/session"

// runState is what the assignments of a run know of each other.
type runState struct {
	read *session.NameSet // private label IDs of the assignments that were read from state
}

func newRunState(*session.Session) *runState { return &runState{read: session.NewNameSet()} }

func (r *Resource) run() *runState { return session.Shared(r.Session, newRunState) }
