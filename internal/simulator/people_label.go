package simulator

import (
	"net/http"
	"slices"
	"time"
)

// inviteInterval is the minimum time between two set-password emails to one member (§3.4).
const inviteInterval = 5 * time.Minute

// memberFields are those of §2.8.
type memberFields struct {
	ID        string `json:"id"`
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
	Email     string `json:"email"`
	Status    string `json:"status"`
	Role      string `json:"role"`
	IsOwner   bool   `json:"isOwner"`
	CreatedAt int64  `json:"createdAt"`
}

// addMember implements §4.16. It is safe to retry: an existing member is `added`, also at the seat cap.
func (s *Simulator) addMember(r *request, l *label) (any, *apiError) {
	var body personFields
	if rejection := decodeStrict(r.body, &body); rejection != nil {
		return nil, rejection
	}
	if !body.complete() {
		return nil, badRequest("email, firstName and lastName are required.")
	}
	if rejection := body.check(); rejection != nil {
		return nil, rejection
	}
	if m := l.person(s.stored(*body.Email)); m != nil {
		return map[string]any{"status": "added", "userID": m.ID, "created": false}, nil
	}
	m, rejection := s.join(r, l, &body)
	if rejection != nil {
		return nil, rejection
	}
	return map[string]any{"status": "created", "userID": m.ID, "created": true}, nil
}

// listMembers implements §4.17: the owner first, all in one response.
func (s *Simulator) listMembers(_ *request, l *label) (any, *apiError) {
	out := make([]memberFields, 0, len(l.Members))
	for _, m := range l.ownerFirst() {
		out = append(out, memberFields{m.ID, m.FirstName, m.LastName, m.Email, m.Status, m.Role, m.Role != roleMember, m.CreatedAt})
	}
	return map[string]any{"members": out}, nil
}

// removeMember implements §4.18. It is safe to retry as long as the user is known.
func (s *Simulator) removeMember(r *request, l *label) (any, *apiError) {
	if id := r.params["userId"]; !slices.ContainsFunc(l.Former, byUserID(id)) {
		at := slices.IndexFunc(l.Members, byUserID(id))
		if at < 0 {
			return nil, errNobody
		}
		if rejection := s.remove(l, at, r.now); rejection != nil {
			return nil, rejection
		}
	}
	return map[string]string{"status": "removed"}, nil
}

// resendInvite implements §4.19: once in five minutes, including the email of adding. Its 429 has an envelope, because
// it is not a rate limit.
func (s *Simulator) resendInvite(r *request, l *label) (any, *apiError) {
	at := slices.IndexFunc(l.Members, byUserID(r.params["userId"]))
	if at < 0 {
		return nil, errNobody
	}
	m := l.Members[at]
	if !over(m.InvitedAt, inviteInterval, r.now) {
		r.retryAfter = wholeSeconds(time.UnixMilli(m.InvitedAt).Add(inviteInterval).Sub(r.now))
		return nil, reject(http.StatusTooManyRequests, "TOO_FREQUENT", "This user was emailed less than 5 minutes ago.")
	}
	if !s.invite(l, m, r.now) {
		return nil, errNotSent
	}
	return map[string]string{"status": "sent"}, nil
}
