package member

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect/effecttest"
)

const (
	adaEmail = "ada@acme.example"
	bobEmail = "bob@acme.example"
	eveEmail = "eve@acme.example"
)

// seat is a user of a test's set.
type seat struct {
	email      string
	first      string
	added      bool // the user ID is unknown
	privileged bool
}

func seated(email string) seat { return seat{email: email, first: "A"} }

func joining(email string) seat { return seat{email: email, first: "A", added: true} }

func admin(email string) seat { return seat{email: email, first: "A", privileged: true} }

func setOf(label types.String, seats ...seat) *setModel {
	people, gains := map[string]person{}, false
	for _, s := range seats {
		gains = gains || s.added
		id := types.StringValue(fmt.Sprintf("id of %s", normalEmail(s.email)))
		if s.added {
			id = types.StringUnknown()
		}
		names := types.ObjectValueMust(personAttrs, map[string]attr.Value{"first_name": types.StringValue(s.first), "last_name": types.StringValue("B")})
		people[s.email] = person{email: s.email, names: names, id: id, privileged: s.privileged}
	}
	m := &setModel{PrivateLabelID: label, ID: label}
	m.setPeople(people)
	if gains {
		m.OwnersAndAdmins = types.SetUnknown(types.StringType)
	}
	return m
}

func acmeSet(seats ...seat) *setModel { return setOf(types.StringValue(effecttest.Label), seats...) }

func unknownSet(label types.String) *setModel {
	return &setModel{PrivateLabelID: label, Members: types.MapUnknown(personType), UserIDs: types.MapUnknown(types.StringType), OwnersAndAdmins: types.SetUnknown(types.StringType)}
}

func TestSetSteps(t *testing.T) {
	t.Parallel()
	words := map[setStepKind]string{setRemove: "remove", setRelease: "release", setAdopt: "adopt", setAdd: "add"}
	for name, tc := range map[string]struct {
		prior, planned *setModel
		want           []string
	}{
		"create of nobody":          {nil, acmeSet(), nil},
		"create":                    {nil, acmeSet(joining(eveEmail), joining(bobEmail)), []string{"add " + bobEmail, "add " + eveEmail}},
		"create with a member":      {nil, acmeSet(seated(bobEmail), joining(eveEmail)), []string{"adopt " + bobEmail, "add " + eveEmail}},
		"no change":                 {acmeSet(seated(bobEmail)), acmeSet(seated(bobEmail)), nil},
		"another spelling":          {acmeSet(seated(bobEmail)), acmeSet(seated("BOB@acme.example")), nil},
		"another name":              {acmeSet(seated(bobEmail)), acmeSet(seat{email: bobEmail, first: "Robert"}), nil},
		"one removed, one added":    {acmeSet(seated(eveEmail)), acmeSet(joining(bobEmail)), []string{"remove " + eveEmail, "add " + bobEmail}},
		"all removed":               {acmeSet(seated(eveEmail), seated(bobEmail)), acmeSet(), []string{"remove " + bobEmail, "remove " + eveEmail}},
		"an admin removed":          {acmeSet(admin(adaEmail), seated(bobEmail)), acmeSet(seated(bobEmail)), []string{"release " + adaEmail}},
		"an admin stays":            {acmeSet(admin(adaEmail)), acmeSet(seated(adaEmail)), nil},
		"a member declared":         {acmeSet(), acmeSet(seated(bobEmail)), []string{"adopt " + bobEmail}},
		"an unknown map":            {nil, unknownSet(types.StringValue(effecttest.Label)), nil},
		"an ID that the state lost": {acmeSet(joining(bobEmail)), acmeSet(), []string{"remove " + bobEmail}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, s := range setSteps(tc.prior, tc.planned) {
				got = append(got, words[s.kind]+" "+s.person.email)
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}

func setCases() []effecttest.Case {
	effects := func(prior, planned *setModel) effect.Notices { return setNotices(prior, planned, setFacts{}) }
	other, acme := types.StringValue(strings.Repeat("f", 32)), types.StringValue(effecttest.Label)
	const (
		adding   = "Adding a member sends an email: email "
		removing = "Removed member is signed out immediately: removed "
		leaving  = "Members stay and are no longer managed: forgotten "
		left     = leaving + effecttest.Label
	)
	was := acmeSet(seated(bobEmail), seated(eveEmail))
	return []effecttest.Case{
		{Name: "nothing", Got: effects(nil, nil), Want: nil},
		{Name: "create of nobody", Got: effects(nil, acmeSet()), Want: nil},
		{Name: "create", Got: effects(nil, acmeSet(joining(bobEmail), joining(eveEmail))), Want: []string{adding + bobEmail + ", email " + eveEmail}},
		{Name: "create that adopts one", Got: effects(nil, acmeSet(seated(bobEmail), joining(eveEmail))), Want: []string{adding + eveEmail}},
		{Name: "create of an unknown map", Got: effects(nil, unknownSet(acme)), Want: []string{adding + effecttest.Later}},
		{Name: "create of a new private label", Got: effects(nil, setOf(types.StringUnknown(), joining(bobEmail))), Want: []string{adding + bobEmail}},
		{Name: "no change", Got: effects(was, was), Want: nil},
		{Name: "offboard one", Got: effects(was, acmeSet(seated(eveEmail))), Want: []string{removing + bobEmail}},
		{Name: "offboard all", Got: effects(was, acmeSet()), Want: []string{removing + bobEmail + ", removed " + eveEmail}},
		{Name: "exchange", Got: effects(was, acmeSet(seated(eveEmail), joining(adaEmail))), Want: []string{removing + bobEmail, adding + adaEmail}},
		{Name: "take an admin out", Got: effects(acmeSet(admin(adaEmail), seated(bobEmail)), acmeSet(seated(bobEmail))), Want: []string{leaving + adaEmail}},
		{Name: "take two admins out", Got: effects(acmeSet(admin(adaEmail), admin(bobEmail)), acmeSet()), Want: []string{leaving + adaEmail + ", forgotten " + bobEmail}},
		{Name: "an unknown map", Got: effects(was, unknownSet(acme)), Want: []string{"Members are known after apply: removed " + bobEmail + ", removed " + eveEmail + ", email " + effecttest.Later}},
		{Name: "an unknown map after nobody", Got: effects(acmeSet(admin(adaEmail)), unknownSet(acme)), Want: []string{adding + effecttest.Later}},
		{Name: "another private label", Got: effects(was, setOf(other, joining(bobEmail))), Want: []string{left, adding + bobEmail}},
		{Name: "an unknown private label", Got: effects(was, setOf(types.StringUnknown(), joining(bobEmail))), Want: []string{left, adding + bobEmail}},
		{Name: "destroy", Got: effects(was, nil), Want: []string{left}},
	}
}

func TestSetEffects_AnnounceEachChange(t *testing.T) {
	t.Parallel()
	effecttest.Check(t, setCases(), effect.AddingMember, effect.RemovingMember, effect.UnknownMembers, effect.LeavingMembers)
}

func TestSetEffects_NamePrivateLabel(t *testing.T) {
	t.Parallel()
	facts := setFacts{host: effecttest.Host, newHost: effecttest.Host}
	was := acmeSet(seated(bobEmail))
	effecttest.CheckDetail(t, setNotices(nil, acmeSet(joining(bobEmail)), facts), "branded for sign.acme.example")
	effecttest.CheckDetail(t, setNotices(nil, acmeSet(joining(bobEmail)), setFacts{}), "branded for private label "+effecttest.Label)
	effecttest.CheckDetail(t, setNotices(nil, setOf(types.StringUnknown(), joining(bobEmail)), setFacts{}), "branded for the new private label")
	effecttest.CheckDetail(t, setNotices(was, acmeSet(), facts), "bob@acme.example will be removed from sign.acme.example:")
	effecttest.CheckDetail(t, setNotices(was, nil, facts), "All members of sign.acme.example keep their seats")
}

// A message names at most maxNamed users, with one effect for each.
func TestSetEffects_NameSome(t *testing.T) {
	t.Parallel()
	var seats []seat
	for i := range 40 {
		seats = append(seats, joining(fmt.Sprintf("person-%02d@acme.example", i)))
	}
	notices := setNotices(nil, acmeSet(seats...), setFacts{})
	effecttest.CheckDetail(t, notices, "person-11@acme.example and 28 more will each receive")
	if n := len(notices.Effects()); n != 40 {
		t.Errorf("%d effects, want 40", n)
	}
	for n, want := range []string{"", "a", "a and b", "a, b and c"} {
		if got := inWords([]string{"a", "b", "c"}[:n]); got != want {
			t.Errorf("%d people are %q, want %q", n, got, want)
		}
	}
}

func TestIsPlain(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		member client.Member
		want   bool
	}{
		"member":              {client.Member{Role: client.RoleMember}, true},
		"owner":               {client.Member{Role: client.RoleOwner, IsOwner: true}, false},
		"admin":               {client.Member{Role: client.RoleAdmin, IsOwner: true}, false},
		"admin without flag":  {client.Member{Role: client.RoleAdmin}, false},
		"member with flag":    {client.Member{Role: client.RoleMember, IsOwner: true}, false},
		"role of a later API": {client.Member{Role: "auditor"}, false},
		"no role":             {client.Member{}, false},
	} {
		if got := isPlain(&tc.member); got != tc.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
