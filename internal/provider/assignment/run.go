package assignment

import "github.com/privatelabels/terraform-provider-reseller/internal/provider/session"

// runState is what the assignments of a run know about each other, by private label ID. A request that names the same
// private label is only worth a warning. What an apply of this process created is certain, so a second resource for it
// returns an error before its API call.
type runState struct {
	planned *session.WalkNames
	read    *session.NameSet  // from state
	own     *session.OwnNames // created
}

func newRunState(s *session.Session) *runState {
	return &runState{planned: s.NewNames(), read: session.NewNameSet(), own: session.NewOwnNames()}
}

func (r *Resource) run() *runState { return session.Shared(r.Session, newRunState) }
