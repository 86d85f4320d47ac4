package simulator

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

var (
	errNobody  = bad("USER_NOT_FOUND", "The private label has no such user.")
	errOwner   = bad("CANNOT_REMOVE_OWNER", "The owner and admins cannot be removed.")
	errSeats   = bad("SEAT_QUOTA_REACHED", "All seats of the package are used.")
	errNotSent = reject(http.StatusInternalServerError, "INTERNAL_SERVER_ERROR", "The email could not be sent.")
)

// personFields are required by both ways of adding a member.
type personFields struct {
	Email     *string `json:"email"`
	FirstName *string `json:"firstName"`
	LastName  *string `json:"lastName"`
}

func (b *personFields) complete() bool {
	return b.Email != nil && b.FirstName != nil && b.LastName != nil
}

// stored returns an email address as a member has it.
func (s *Simulator) stored(email string) string {
	switch s.forms.formOf("email-case") {
	case "lowercase":
		return strings.ToLower(email)
	case "uppercase":
		return strings.ToUpper(email)
	case "words":
		return strings.ReplaceAll(strings.ToLower(strings.NewReplacer("Σ@", "ς@", "İ", "i#").Replace(email)), "i#", "i\u0307")
	default:
		return email
	}
}

// check validates fields that are all present.
func (b *personFields) check() *apiError {
	switch {
	case !validEmail(*b.Email):
		return bad("INVALID_EMAIL", "email is not a plain email address.")
	case blank(*b.FirstName), blank(*b.LastName):
		return bad("INVALID_NAME", "firstName and lastName must not be blank.")
	case len([]rune(*b.FirstName)) > maxText, len([]rune(*b.LastName)) > maxText, len(*b.Email) > maxText:
		return badRequest("A field is too long.")
	default:
		return nil
	}
}

// join adds a member who has no seat yet, if a seat is free.
func (s *Simulator) join(r *request, l *label, who *personFields) (*member, *apiError) {
	if s.full(r.reseller, l) {
		return nil, errSeats
	}
	m, sent := s.seat(l, member{Email: s.stored(*who.Email), FirstName: *who.FirstName, LastName: *who.LastName}, r.now)
	if !sent && s.forms.isForm("unsent-email", "fails") {
		return nil, errNotSent
	}
	return m, nil
}

// full reports whether every seat that package and add-ons include is used. A package without included seats has no cap
// (ASSUMPTIONS.md: the seat cap).
func (s *Simulator) full(r *reseller, l *label) bool {
	seats := r.allocated(l).Seats
	switch {
	case l.Assignment == nil:
		return s.forms.isForm("seats-no-package", "none")
	case seats == 0:
		return s.forms.isForm("seats-of-zero", "none")
	default:
		return float64(len(l.Members)) >= seats
	}
}

// seat adds a member and sends the email. A former member keeps the ID, but no rights.
func (s *Simulator) seat(l *label, who member, now time.Time) (m *member, sent bool) {
	if at := slices.IndexFunc(l.Former, byEmail(who.Email)); at >= 0 && s.forms.isForm("added-again", "same-id") {
		who.ID = l.Former[at].ID
		l.Former = slices.Delete(l.Former, at, at+1)
	} else {
		who.ID = s.store.data.newID("user")
	}
	who.Role = roleMember
	who.Status = memberActive
	who.CreatedAt = millis(now)
	l.Members = append(l.Members, &who)
	return &who, s.invite(l, &who, now)
}

// unseat removes a member, who stays known to the private label.
func (s *Simulator) unseat(l *label, at int, now time.Time) {
	s.book(Entry{Kind: EntryMemberRemoved, Host: l.Host, Person: l.Members[at].Email}, now)
	l.Former = append(l.Former, l.Members[at])
	l.Members = slices.Delete(l.Members, at, at+1)
}

// remove removes a member, but no owner and no admin (§3.4).
func (s *Simulator) remove(l *label, at int, now time.Time) *apiError {
	if l.Members[at].Role != roleMember {
		return errOwner
	}
	s.unseat(l, at, now)
	return nil
}

// ownerFirst are the members in the order of §4.17: the owner, then in order of their seats.
func (l *label) ownerFirst() []*member {
	return slices.SortedStableFunc(slices.Values(l.Members), func(a, b *member) int {
		return cmp.Compare(notOwner(a), notOwner(b))
	})
}

func notOwner(m *member) int {
	if m.Role == roleOwner {
		return 0
	}
	return 1
}

func (l *label) person(email string) *member {
	return first(l.Members, byEmail(email))
}

func byUserID(id string) func(*member) bool {
	return func(m *member) bool { return m.ID == id }
}

// byEmail finds a member by the address, in which the case of ASCII letters does not matter (§4.4 says no more than that).
func byEmail(email string) func(*member) bool {
	email = lowerASCII(email)
	return func(m *member) bool { return lowerASCII(m.Email) == email }
}

func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf {
			return unicode.ToLower(r)
		}
		return r
	}, s)
}

// invite adds a set-password email to the outbox, and reports whether it was sent. A failed one starts the five minutes
// as well (§3.4).
func (s *Simulator) invite(l *label, m *member, now time.Time) bool {
	m.InvitedAt = millis(now)
	if s.emailFailures > 0 {
		s.emailFailures--
		return false
	}
	s.post(Email{Time: now, To: m.Email, Kind: "set-password", Host: l.Host, Subject: "Set your password for " + l.AppName}, "")
	return true
}
