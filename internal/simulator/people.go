package simulator

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// inviteInterval: one set-password e-mail a person (§3.4).
const inviteInterval = 5 * time.Minute

// maxMatches of a search of people; there is no second page (§4.3).
const maxMatches = 50

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

// listMembers is §4.17: the owner first, whole.
func (s *Simulator) listMembers(r *request) (any, *refusal) {
	l, refusal := s.target(r)
	if refusal != nil {
		return nil, refusal
	}
	out := make([]memberFields, 0, len(l.Members))
	for _, m := range l.Members {
		field := memberFields{m.ID, m.FirstName, m.LastName, m.Email, m.Status, m.Role, m.Role != roleMember, m.CreatedAt}
		if m.Role == roleOwner {
			out = slices.Insert(out, 0, field)
			continue
		}
		out = append(out, field)
	}
	return map[string]any{"members": out}, nil
}

type personBody struct {
	Email     *string `json:"email"`
	FirstName *string `json:"firstName"`
	LastName  *string `json:"lastName"`
}

func (b *personBody) check() *refusal {
	switch {
	case b.Email == nil || b.FirstName == nil || b.LastName == nil:
		return badRequest("email, firstName and lastName are needed.")
	case !validEmail(*b.Email):
		return bad("INVALID_EMAIL", "email is not one plain e-mail address.")
	case blank(*b.FirstName), blank(*b.LastName):
		return bad("INVALID_NAME", "firstName and lastName must not be blank.")
	case len([]rune(*b.FirstName)) > maxText, len([]rune(*b.LastName)) > maxText, len(*b.Email) > maxText:
		return badRequest("A field is too long.")
	default:
		return nil
	}
}

// addMember is §4.16.
func (s *Simulator) addMember(r *request) (any, *refusal) {
	l, refusal := s.target(r)
	if refusal != nil {
		return nil, refusal
	}
	var body personBody
	if refusal := decodeStrict(r.body, &body); refusal != nil {
		return nil, refusal
	}
	if refusal := body.check(); refusal != nil {
		return nil, refusal
	}
	if m := l.person(*body.Email); m != nil {
		return map[string]any{"status": "added", "userID": m.ID, "created": false}, nil
	}
	if l.full(r.reseller) {
		return nil, bad("SEAT_QUOTA_REACHED", "All seats of the package are used.")
	}
	m := s.seat(l, member{Email: *body.Email, FirstName: *body.FirstName, LastName: *body.LastName}, r.now)
	return map[string]any{"status": "created", "userID": m.ID, "created": true}, nil
}

// full tells whether every seat of the label's package is taken. One that
// includes no seats, or none that this service knows of, caps none
// (ASSUMPTIONS.md: seats).
func (l *label) full(r *reseller) bool {
	seats := r.allocated(l).Seats
	return seats > 0 && float64(len(l.Members)) >= seats
}

// seat gives a person a seat and e-mails them. Who was there before keeps the
// id, but no rights.
func (s *Simulator) seat(l *label, who member, now time.Time) *member {
	who.ID = s.store.data.newID("user")
	l.Former = slices.DeleteFunc(l.Former, func(m *member) bool {
		if !strings.EqualFold(m.Email, who.Email) {
			return false
		}
		who.ID = m.ID
		return true
	})
	who.Role, who.Status, who.CreatedAt = roleMember, memberActive, millis(now)
	l.Members = append(l.Members, &who)
	s.invite(l, &who, now)
	return &who
}

func byUserID(id string) func(*member) bool { return func(m *member) bool { return m.ID == id } }

// removeMember is §4.18.
func (s *Simulator) removeMember(r *request) (any, *refusal) {
	l, refusal := s.target(r)
	if refusal != nil {
		return nil, refusal
	}
	id := r.params["userId"]
	if slices.ContainsFunc(l.Former, byUserID(id)) {
		return map[string]any{"status": "removed"}, nil
	}
	at := slices.IndexFunc(l.Members, byUserID(id))
	if at < 0 {
		return nil, bad("USER_NOT_FOUND", "Nobody on the label has this id.")
	}
	if l.Members[at].Role != roleMember {
		return nil, bad("CANNOT_REMOVE_OWNER", "The owner and admins cannot be removed.")
	}
	l.unseat(at)
	return map[string]any{"status": "removed"}, nil
}

func (l *label) unseat(at int) {
	l.Former = append(l.Former, l.Members[at])
	l.Members = slices.Delete(l.Members, at, at+1)
}

// resendInvite is §4.19.
func (s *Simulator) resendInvite(r *request) (any, *refusal) {
	l, refusal := s.target(r)
	if refusal != nil {
		return nil, refusal
	}
	at := slices.IndexFunc(l.Members, byUserID(r.params["userId"]))
	if at < 0 {
		return nil, bad("USER_NOT_FOUND", "Nobody on the label has this id.")
	}
	m := l.Members[at]
	if left := time.UnixMilli(m.InvitedAt).Add(inviteInterval).Sub(r.now); m.InvitedAt != 0 && left > 0 {
		r.retryAfter = strconv.Itoa(int((left + time.Second - 1) / time.Second))
		return nil, refuse(http.StatusTooManyRequests, "TOO_FREQUENT", "An e-mail was sent to this person a moment ago.")
	}
	s.invite(l, m, r.now)
	return map[string]any{"status": "sent"}, nil
}

// searchPeople is §4.3.
func (s *Simulator) searchPeople(r *request) (any, *refusal) {
	var body struct {
		Query  string `json:"query"`
		Domain string `json:"domain"`
	}
	if refusal := decodeStrict(r.body, &body); refusal != nil {
		return nil, refusal
	}
	type person struct {
		ID        string `json:"id"`
		FirstName string `json:"firstName"`
		LastName  string `json:"lastName"`
		Email     string `json:"email"`
		Status    string `json:"status"`
		Domain    string `json:"domain"`
	}
	out := []person{}
	for _, l := range s.store.data.labelsOf(r.reseller.ID) {
		if body.Domain != "" && !strings.EqualFold(l.Host, body.Domain) {
			continue
		}
		for _, m := range l.Members {
			if strings.Contains(strings.ToLower(m.Email+" "+m.FirstName+" "+m.LastName), strings.ToLower(body.Query)) && len(out) < maxMatches {
				out = append(out, person{m.ID, m.FirstName, m.LastName, m.Email, m.Status, l.Host})
			}
		}
	}
	return map[string]any{"users": out}, nil
}

// listKeys is §4.20.
func (s *Simulator) listKeys(r *request) (any, *refusal) {
	type key struct {
		ID         string   `json:"id"`
		LastFour   string   `json:"lastFour"`
		Scopes     []string `json:"scopes"`
		CreatedAt  int64    `json:"createdAt"`
		LastUsedAt *int64   `json:"lastUsedAt"`
		RevokedAt  *int64   `json:"revokedAt"`
	}
	out := []key{}
	for _, k := range s.store.data.Keys {
		if k.ResellerID != r.reseller.ID {
			continue
		}
		out = slices.Insert(out, 0, key{k.ID, k.Secret[len(k.Secret)-4:], k.Scopes, k.CreatedAt, orNull(k.LastUsedAt), orNull(k.RevokedAt)})
	}
	return map[string]any{"keys": out}, nil
}

func orNull(at int64) *int64 {
	if at == 0 {
		return nil
	}
	return &at
}

func peopleRoutes() []*route {
	const get, post, del = http.MethodGet, http.MethodPost, http.MethodDelete
	return []*route{
		{method: get, pattern: ofLabel + "/members", scope: scopeRead, bucket: bucketConsole, serve: (*Simulator).listMembers},
		{method: post, pattern: ofLabel + "/users", scope: scopeProvision, bucket: bucketConsole, serve: (*Simulator).addMember},
		{method: del, pattern: ofLabel + "/users/:userId", scope: scopeProvision, bucket: bucketConsole, serve: (*Simulator).removeMember},
		{method: post, pattern: ofLabel + "/users/:userId/invite", scope: scopeProvision, bucket: bucketConsole, serve: (*Simulator).resendInvite},
		{method: post, pattern: "/console/users/search", scope: scopeRead, bucket: bucketConsole, flat: true, serve: (*Simulator).searchPeople},
		{method: get, pattern: ofReseller + "/keys", scope: scopeRead, bucket: bucketConsole, serve: (*Simulator).listKeys},
	}
}

// RemovePersonInConsole takes a person's seat away.
func (s *Simulator) RemovePersonInConsole(host, email string) error {
	return s.onLabel(host, func(_ *data, l *label) error {
		at := slices.IndexFunc(l.Members, func(m *member) bool { return strings.EqualFold(m.Email, email) })
		if at >= 0 {
			l.unseat(at)
		}
		return nil
	})
}
