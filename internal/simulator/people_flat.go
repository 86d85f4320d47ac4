package simulator

import (
	"slices"
	"strings"
)

// The flat endpoints, which name members by host name instead of by private label.

// maxMatches is the limit of a user search; there is no second page (§4.3).
const maxMatches = 50

// foundPerson is a result of a user search (§2.9).
type foundPerson struct {
	ID        string `json:"id"`
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
	Email     string `json:"email"`
	Status    string `json:"status"`
	Domain    string `json:"domain"`
}

// searchPeople implements §4.3: at most 50 users, on one host name or on all of the reseller's.
func (s *Simulator) searchPeople(r *request) (any, *apiError) {
	var body struct {
		Query  string `json:"query"`
		Domain string `json:"domain"`
	}
	if rejection := decodeStrict(r.body, &body); rejection != nil {
		return nil, rejection
	}
	labels, rejection := s.searched(r, body.Domain)
	if rejection != nil {
		return nil, rejection
	}
	out := []foundPerson{}
	for _, l := range labels {
		host, _ := s.forms.hosts(l)
		for _, m := range l.Members {
			if m.matches(body.Query) {
				out = append(out, foundPerson{m.ID, m.FirstName, m.LastName, m.Email, m.Status, host})
			}
		}
	}
	return map[string]any{"users": out[:min(len(out), maxMatches)]}, nil
}

// searched returns the private labels of a search; a key searches private labels only.
func (s *Simulator) searched(r *request, host string) ([]*label, *apiError) {
	if blank(host) {
		return s.store.data.labelsOf(r.reseller.ID), nil
	}
	l, rejection := s.administered(r, host)
	switch {
	case rejection == nil:
		return []*label{l}, nil
	case s.forms.isForm("foreign-search", "empty"):
		return nil, nil
	default:
		return nil, rejection
	}
}

// matches reports whether the query is part of address or name, in any case.
func (m *member) matches(query string) bool {
	query = strings.ToLower(query)
	return strings.Contains(strings.ToLower(m.Email), query) || strings.Contains(strings.ToLower(m.FirstName+" "+m.LastName), query)
}

// addPerson implements §4.4. It is not safe to retry.
func (s *Simulator) addPerson(r *request) (any, *apiError) {
	var body struct {
		personFields
		Domain *string `json:"domain"`
	}
	if rejection := decodeStrict(r.body, &body); rejection != nil {
		return nil, rejection
	}
	who := &body.personFields
	if !who.complete() || body.Domain == nil {
		return nil, badRequest("email, firstName, lastName and domain are required.")
	}
	l, rejection := s.joined(r, *body.Domain)
	if rejection != nil {
		return nil, rejection
	}
	if rejection := who.check(); rejection != nil {
		return nil, rejection
	}
	if l.person(s.stored(*who.Email)) != nil {
		return nil, bad("ALREADY_IN_DOMAIN", "This user is already a member of the domain.")
	}
	if _, rejection := s.join(r, l, who); rejection != nil {
		return nil, rejection
	}
	return map[string]string{"message": "The person was added."}, nil
}

// joined is the private label with the host name that a user is added to.
func (s *Simulator) joined(r *request, host string) (*label, *apiError) {
	l, rejection := s.administered(r, host)
	if rejection != nil && s.tenantless(r, strings.ToLower(host)) {
		return nil, bad("DOMAIN_NOT_FOUND", "No live tenant has this host name.")
	}
	return l, rejection
}

// tenantless reports whether the error is that no tenant has the host name, instead of that the key does not administer
// it (ASSUMPTIONS.md: §4.4).
func (s *Simulator) tenantless(r *request, host string) bool {
	d := s.store.data
	if s.forms.isForm("foreign-host", "unauthorized") {
		return slices.ContainsFunc(d.Labels, func(l *label) bool {
			return l.Gone && strings.EqualFold(l.Host, host) && l.ResellerID == r.reseller.ID
		})
	}
	return d.byHost[host] == nil && !slices.ContainsFunc(d.Resellers, func(other *reseller) bool {
		return !other.Deleted && strings.EqualFold(other.Slug, host)
	})
}

// removePerson implements §4.5: the account stays, its seat does not.
func (s *Simulator) removePerson(r *request) (any, *apiError) {
	var body struct {
		Email  *string `json:"email"`
		Domain *string `json:"domain"`
	}
	if rejection := decodeStrict(r.body, &body); rejection != nil {
		return nil, rejection
	}
	if body.Email == nil || body.Domain == nil {
		return nil, badRequest("email and domain are required.")
	}
	l, rejection := s.administered(r, *body.Domain)
	if rejection != nil {
		return nil, rejection
	}
	at := slices.IndexFunc(l.Members, byEmail(*body.Email))
	again := s.forms.isForm("removed-again", "succeeds") && slices.ContainsFunc(l.Former, byEmail(*body.Email))
	if at < 0 && !again {
		return nil, errNobody
	}
	if at >= 0 {
		if rejection := s.remove(l, at, r.now); rejection != nil {
			return nil, rejection
		}
	}
	return map[string]string{"message": "The person was removed."}, nil
}
