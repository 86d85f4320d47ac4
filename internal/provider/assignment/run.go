package assignment

import "github.com/privatelabels/terraform-provider-reseller/internal/provider/session"

// runState is what the assignments of a run know of each other, by private label ID. What requests mention is worth a
// warning; what an apply of this process created is a fact, and a second resource for it an error before its call.
type runState struct {
	planned *session.WalkNames
	read    *session.NameSet  // from state
	own     *session.OwnNames // created
}

func newRunState(s *session.Session) *runState {
	return &runState{planned: s.NewNames(), read: session.NewNameSet(), own: session.NewOwnNames()}
}

func (r *Resource) run() *runState { return session.Shared(r.Session, newRunState) }
