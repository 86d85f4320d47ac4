package simulator

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"
)

// PeopleAssumptions are the choices of ASSUMPTIONS.md about people. The zero
// value is the choice; each switch is a plausible alternative.
type PeopleAssumptions struct {
	NoPackageNoSeats      bool // a label without a package has no room: SEAT_QUOTA_REACHED
	ZeroSeatsCap          bool // nor has one whose package and add-ons include no seats
	AddFailsWithItsEmail  bool // adding answers 500 when its email cannot be sent, though the person is seated
	AddedAgainIsNewID     bool // who was removed and is added again has a new user id instead of the same
	UnadministeredFirst   bool // adding to a host that never was the reseller's answers UNAUTHORIZED instead of DOMAIN_NOT_FOUND
	FlatRemovalRepeats    bool // removing a removed person by host answers 200 instead of USER_NOT_FOUND
	SearchForeignsIsEmpty bool // a search on a host that is not administered finds nobody instead of answering UNAUTHORIZED
}

var (
	errNobody  = bad("USER_NOT_FOUND", "The private label has no such user.")
	errOwner   = bad("CANNOT_REMOVE_OWNER", "The owner and admins cannot be removed.")
	errSeats   = bad("SEAT_QUOTA_REACHED", "All seats of the package are used.")
	errNotSent = refuse(http.StatusInternalServerError, "INTERNAL_SERVER_ERROR", "The email could not be sent.")
)

// personFields are what both ways of adding a person ask for.
type personFields struct {
	Email     *string `json:"email"`
	FirstName *string `json:"firstName"`
	LastName  *string `json:"lastName"`
}

func (b *personFields) complete() bool {
	return b.Email != nil && b.FirstName != nil && b.LastName != nil
}

// check the values of fields that are all there.
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

// join seats a person who holds no seat yet, where there is one.
func (s *Simulator) join(r *request, l *label, who *personFields) (*member, *apiError) {
	if s.full(r.reseller, l) {
		return nil, errSeats
	}
	m, sent := s.seat(l, member{Email: *who.Email, FirstName: *who.FirstName, LastName: *who.LastName}, r.now)
	if !sent && s.assume.People.AddFailsWithItsEmail {
		return nil, errNotSent
	}
	return m, nil
}

// full reports whether every seat that package and add-ons include is taken. The
// service does not know the seats of a package that was made without, and caps
// none there (ASSUMPTIONS.md: the seat cap).
func (s *Simulator) full(r *reseller, l *label) bool {
	seats := r.allocated(l).Seats
	switch {
	case l.Assignment == nil:
		return s.assume.People.NoPackageNoSeats
	case seats == 0:
		return s.assume.People.ZeroSeatsCap
	default:
		return float64(len(l.Members)) >= seats
	}
}

// seat gives a person a seat and emails them. Who held one before keeps the
// id, but no rights.
func (s *Simulator) seat(l *label, who member, now time.Time) (m *member, sent bool) {
	if at := slices.IndexFunc(l.Former, byEmail(who.Email)); at >= 0 && !s.assume.People.AddedAgainIsNewID {
		who.ID = l.Former[at].ID
		l.Former = slices.Delete(l.Former, at, at+1)
	} else {
		who.ID = s.store.data.newID("user")
	}
	who.Role, who.Status, who.CreatedAt = roleMember, memberActive, millis(now)
	l.Members = append(l.Members, &who)
	return &who, s.invite(l, &who, now)
}

// unseat takes a seat away. Who held it stays known to the label.
func (s *Simulator) unseat(l *label, at int, now time.Time) {
	s.book(Entry{Kind: EntryMemberRemoved, Host: l.Host, Person: l.Members[at].Email}, now)
	l.Former = append(l.Former, l.Members[at])
	l.Members = slices.Delete(l.Members, at, at+1)
}

// remove a person of the label's members: no owner and no admin (§3.4).
func (s *Simulator) remove(l *label, at int, now time.Time) *apiError {
	if l.Members[at].Role != roleMember {
		return errOwner
	}
	s.unseat(l, at, now)
	return nil
}

// ownerFirst are the members as §4.17 orders them: the owner, then as seated.
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
	if at := slices.IndexFunc(l.Members, byEmail(email)); at >= 0 {
		return l.Members[at]
	}
	return nil
}

func byUserID(id string) func(*member) bool { return func(m *member) bool { return m.ID == id } }

// byEmail compares without case.
func byEmail(email string) func(*member) bool {
	return func(m *member) bool { return strings.EqualFold(m.Email, email) }
}

// invite sends a set-password email to the outbox, and reports whether it was
// sent. One that was not starts the five minutes as well (§3.4).
func (s *Simulator) invite(l *label, m *member, now time.Time) bool {
	m.InvitedAt = millis(now)
	if s.emailFailures > 0 {
		s.emailFailures--
		return false
	}
	s.post(Email{Time: now, To: m.Email, Kind: "set-password", Host: l.Host, Subject: "Set your password for " + l.AppName}, "")
	return true
}
