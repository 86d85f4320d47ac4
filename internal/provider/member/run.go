package member

import "github.com/privatelabels/terraform-provider-reseller/internal/provider/session"

// runState is what the members of a run record for each other. A name in a request is enough for a warning only. What
// an apply of this process created is certain: a second resource for it is an error before its API call.
type runState struct {
	planned       *session.WalkNames // by personKey with the email address
	read, adopted *session.WalkNames // by personKey with the user ID
	own           *session.OwnNames  // created, by personKey with the email address and with the user ID

	singles, sets *session.WalkNames // private labels with a planned reseller_member, with a planned reseller_members
	mixed         *session.WalkNames // private labels with both, after the warning
	ownSets       *session.OwnNames  // private labels whose set this process created
}

func newRunState(s *session.Session) *runState {
	return &runState{
		planned: s.NewNames(), read: s.NewNames(), adopted: s.NewNames(), own: session.NewOwnNames(),
		singles: s.NewNames(), sets: s.NewNames(), mixed: s.NewNames(), ownSets: session.NewOwnNames(),
	}
}

func (r *Resource) run() *runState { return session.Shared(r.Session, newRunState) }
