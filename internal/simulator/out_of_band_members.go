package simulator

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// What users do in the console with private labels and members. A member is named by email address, in any case.

// AddConsoleLabel creates a private label of the first reseller as a user in the console does: without an API key and
// without limits. Its owner is emailed. A host name that provisioning would reject (§4.9) is an error.
func (s *Simulator) AddConsoleLabel(host, ownerEmail string) (id string, err error) {
	err = s.change(func(d *data) error {
		o := &provisionRequest{
			host:    strings.ToLower(host),
			appName: host,
			owner:   member{Email: ownerEmail, FirstName: "Console", LastName: "Owner"},
		}
		rejection := s.checkHost(o.host) // first, because simulate do derives the owner from it
		if rejection == nil {
			rejection = o.checkOwner()
		}
		if rejection != nil {
			return fmt.Errorf("%s: %s", rejection.code, rejection.message)
		}
		id = s.create(d.Resellers[0], o, s.clock.Now()).ID
		return nil
	})
	return id, err
}

// AddPersonInConsole adds a member as an admin of the private label does (§6), regardless of the seat cap, and sends a
// set-password email. An account from before the API may have an address that the API rejects.
func (s *Simulator) AddPersonInConsole(host, email, first, last string) (id string, err error) {
	err = s.updateLabel(host, func(_ *data, l *label) error {
		if blank(email) {
			return fmt.Errorf("%q is no email address", email)
		}
		if l.person(email) != nil {
			return fmt.Errorf("%s is already a member of %s", email, host)
		}
		m, _ := s.seat(l, member{Email: email, FirstName: first, LastName: last}, s.clock.Now())
		id = m.ID
		return nil
	})
	return id, err
}

// RenamePerson changes the name of a member of a private label.
func (s *Simulator) RenamePerson(host, email, first, last string) error {
	return s.updateMember(host, email, func(m *member) error {
		m.FirstName = first
		m.LastName = last
		return nil
	})
}

// MakeAdmin makes a member of a private label an admin; an owner stays owner, which is an error.
func (s *Simulator) MakeAdmin(host, email string) error {
	return s.updateMember(host, email, func(m *member) error {
		if m.Role == roleOwner {
			return fmt.Errorf("%s is the owner", email)
		}
		m.Role = roleAdmin
		return nil
	})
}

// DemoteAdmin makes an admin of a private label a member again; a user who is not an admin is an error.
func (s *Simulator) DemoteAdmin(host, email string) error {
	return s.updateMember(host, email, func(m *member) error {
		if m.Role != roleAdmin {
			return fmt.Errorf("%s is %s, not admin", email, m.Role)
		}
		m.Role = roleMember
		return nil
	})
}

// ChangeEmailInConsole gives a member another email address, which no other member has.
func (s *Simulator) ChangeEmailInConsole(host, email, to string) error {
	return s.updateLabel(host, func(_ *data, l *label) error {
		at := slices.IndexFunc(l.Members, byEmail(email))
		switch {
		case at < 0:
			return fmt.Errorf("%s is not a member of %s", email, host)
		case slices.ContainsFunc(l.Members, byEmail(to)):
			return fmt.Errorf("%s is a member of %s already", to, host)
		}
		l.Members[at].Email = to
		return nil
	})
}

// RemovePersonInConsole removes a member, even an admin. A user who is not a member is an error.
func (s *Simulator) RemovePersonInConsole(host, email string) error {
	return s.updateLabel(host, func(_ *data, l *label) error {
		at := slices.IndexFunc(l.Members, byEmail(email))
		if at < 0 {
			return fmt.Errorf("%s is not a member of %s", email, host)
		}
		s.unseat(l, at, s.clock.Now())
		return nil
	})
}

// AddTemplateInConsole adds a template with this title and slug to a private label.
func (s *Simulator) AddTemplateInConsole(host, title, slug string, private bool) (id string, err error) {
	err = s.updateLabel(host, func(d *data, l *label) error {
		id = d.newID("template")
		l.Templates = append(l.Templates, &template{ID: id, Title: title, Slug: slug, IsPrivate: private, CreatedAt: millis(s.clock.Now())})
		return nil
	})
	return id, err
}

// FailEmails makes the next n set-password emails fail, in this process (§3.4).
func (s *Simulator) FailEmails(n int) {
	_ = s.mu.lock(context.Background()) // this context does not end
	defer s.mu.unlock()
	s.emailFailures = n
}

func (s *Simulator) updateMember(host, email string, f func(*member) error) error {
	return s.updateLabel(host, func(_ *data, l *label) error {
		m := l.person(email)
		if m == nil {
			return fmt.Errorf("%s is not a member of %s", email, host)
		}
		return f(m)
	})
}
