package member

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/effecttest"
)

const (
	adaEmail = "ada@acme.example" // owner
	bobEmail = "bob@acme.example"
	eveEmail = "eve@acme.example"
)

// seat is a user of a test's set.
type seat struct {
	email        string
	first        string
	added        bool // the user ID is unknown
	ownerOrAdmin bool // the state has an owner or admin
}

func seated(email string) seat { return seat{email: email, first: "A"} }

func joining(email string) seat { return seat{email: email, first: "A", added: true} }

func admin(email string) seat { return seat{email: email, first: "A", ownerOrAdmin: true} }

func idOf(email string) string { return "id of " + normalEmail(email) }

// setOf is a set whose private label has Ada as the owner.
func setOf(label types.String, seats ...seat) *setModel {
	members, people, ownersAndAdmins := map[string]attr.Value{}, map[string]person{}, []attr.Value{types.StringValue(adaEmail)}
	for _, s := range seats {
		id := idOf(s.email)
		if s.added {
			id = ""
		}
		if s.ownerOrAdmin && s.email != adaEmail {
			ownersAndAdmins = append(ownersAndAdmins, types.StringValue(s.email))
		}
		members[s.email] = types.ObjectValueMust(personAttrs, map[string]attr.Value{"first_name": types.StringValue(s.first), "last_name": types.StringValue("B")})
		people[s.email] = person{email: s.email, id: id}
	}
	return &setModel{
		PrivateLabelID: label, ID: label, Members: types.MapValueMust(personType, members), UserIDs: idsOf(people),
		OwnersAndAdmins: types.SetValueMust(types.StringType, ownersAndAdmins),
	}
}

func acmeSet(seats ...seat) *setModel { return setOf(types.StringValue(effecttest.Label), seats...) }

func unknownSet(label types.String) *setModel {
	return &setModel{PrivateLabelID: label, ID: label, Members: types.MapUnknown(personType), UserIDs: types.MapUnknown(types.StringType), OwnersAndAdmins: types.SetUnknown(types.StringType)}
}

// as returns a member as the list shows one.
func as(email, role string) client.Member {
	return client.Member{ID: idOf(email), Email: email, Role: role, IsOwner: new(role != client.RoleMember)}
}

func listOf(members ...client.Member) *inventory.Members {
	return inventory.NewMembers(append([]client.Member{as(adaEmail, client.RoleOwner)}, members...))
}

func TestSetSteps(t *testing.T) {
	t.Parallel()
	const plain, adm = client.RoleMember, client.RoleAdmin
	other := as(bobEmail, plain)
	other.ID = "id of another user"
	for name, tc := range map[string]struct {
		prior, planned *setModel
		live           *inventory.Members // nil: what a plan announces
		want           []string
	}{
		"create of nobody":       {nil, acmeSet(), nil, nil},
		"create":                 {nil, acmeSet(joining(eveEmail), joining(bobEmail)), nil, []string{"add " + bobEmail, "add " + eveEmail}},
		"create with the owner":  {nil, acmeSet(joining(adaEmail)), nil, []string{"add " + adaEmail}},
		"no change":              {acmeSet(seated(bobEmail)), acmeSet(seated(bobEmail)), nil, nil},
		"another spelling":       {acmeSet(seated(bobEmail)), acmeSet(seated("BOB@acme.example")), nil, nil},
		"another name":           {acmeSet(seated(bobEmail)), acmeSet(seat{email: bobEmail, first: "Robert"}), nil, nil},
		"one removed, one added": {acmeSet(seated(eveEmail)), acmeSet(joining(bobEmail)), nil, []string{"remove " + eveEmail, "add " + bobEmail}},
		"all removed":            {acmeSet(seated(eveEmail), seated(bobEmail)), acmeSet(), nil, []string{"remove " + bobEmail, "remove " + eveEmail}},
		"an admin removed":       {acmeSet(admin(adaEmail), seated(bobEmail)), acmeSet(seated(bobEmail)), nil, []string{"release " + adaEmail}},
		"an admin stays":         {acmeSet(admin(adaEmail)), acmeSet(seated(adaEmail)), nil, nil},
		"the owner is added":     {acmeSet(), acmeSet(joining("ADA@acme.example")), nil, nil},
		"an unknown map":         {nil, unknownSet(types.StringValue(effecttest.Label)), nil, nil},
		"a lost ID":              {acmeSet(joining(bobEmail)), acmeSet(), nil, []string{"remove " + bobEmail}},
		"destroy":                {acmeSet(seated(bobEmail)), nil, nil, nil},

		"apply: create where one is":      {nil, acmeSet(joining(eveEmail), joining(bobEmail)), listOf(as("BOB@acme.example", plain)), []string{"add " + eveEmail}},
		"apply: create where another is":  {nil, acmeSet(joining(bobEmail)), listOf(as(bobEmail, plain), as(eveEmail, plain)), nil},
		"apply: create with the owner":    {nil, acmeSet(joining(adaEmail)), listOf(), nil},
		"apply: add who joined":           {acmeSet(), acmeSet(joining(bobEmail)), listOf(as(bobEmail, plain)), nil},
		"apply: add who joined as admin":  {acmeSet(), acmeSet(joining(bobEmail)), listOf(as(bobEmail, adm)), nil},
		"apply: add an admin who left":    {acmeSet(), acmeSet(joining(adaEmail)), inventory.NewMembers(nil), []string{"add " + adaEmail}},
		"apply: remove who left":          {acmeSet(seated(bobEmail)), acmeSet(), listOf(), nil},
		"apply: remove who is another":    {acmeSet(seated(bobEmail)), acmeSet(), listOf(other), nil},
		"apply: remove who is admin":      {acmeSet(seated(bobEmail)), acmeSet(), listOf(as(bobEmail, adm)), nil},
		"apply: remove an unknown role":   {acmeSet(seated(bobEmail)), acmeSet(), listOf(as(bobEmail, "auditor")), nil},
		"apply: release who is demoted":   {acmeSet(admin(bobEmail)), acmeSet(), listOf(as(bobEmail, plain)), []string{"release " + bobEmail}},
		"apply: another joined":           {acmeSet(seated(bobEmail)), acmeSet(seated(bobEmail)), listOf(as(bobEmail, plain), as(eveEmail, plain)), nil},
		"apply: who stays left":           {acmeSet(seated(bobEmail), seated(eveEmail)), acmeSet(seated(bobEmail)), listOf(as(eveEmail, plain)), []string{"remove " + eveEmail}},
		"apply: who stays is another one": {acmeSet(seated(bobEmail)), acmeSet(seated(bobEmail)), listOf(other), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, s := range Set.Steps(tc.prior, tc.planned, &setModel{accounts: tc.live}) {
				got = append(got, s.Key)
			}
			assert.Equal(t, tc.want, got)
		})
	}
}

func TestSetWarnings(t *testing.T) {
	t.Parallel()
	warnings := func(was, want *setModel) effect.Warnings {
		return Set.Warnings(was, want, effect.Names{})
	}
	other, acme := types.StringValue(strings.Repeat("f", 32)), types.StringValue(effecttest.Label)
	var (
		adding   = TopicAddingMember.Summary + ": email "
		removing = TopicRemovingMember.Summary + ": removed "
		leaving  = TopicLeavingMembers.Summary + ": forgotten "
		left     = leaving + effecttest.Label
	)
	was := acmeSet(seated(bobEmail), seated(eveEmail))
	unknownLabel := acmeSet(seated(bobEmail))
	unknownLabel.PrivateLabelID = types.StringUnknown()
	effecttest.Check(t, []effecttest.Case{
		{Name: "nothing", Got: warnings(nil, nil), Want: nil},
		{Name: "create of nobody", Got: warnings(nil, acmeSet()), Want: nil},
		{Name: "create", Got: warnings(nil, acmeSet(joining(bobEmail), joining(eveEmail))), Want: []string{adding + bobEmail + ", email " + eveEmail}},
		{Name: "create of an unknown map", Got: warnings(nil, unknownSet(acme)), Want: []string{adding + effecttest.Later + " if members adds one"}},
		{Name: "create of a new private label", Got: warnings(nil, setOf(types.StringUnknown(), joining(bobEmail))), Want: []string{adding + bobEmail}},
		{Name: "no change", Got: warnings(was, was), Want: nil},
		{Name: "offboard one", Got: warnings(was, acmeSet(seated(eveEmail))), Want: []string{removing + bobEmail}},
		{Name: "offboard all", Got: warnings(was, acmeSet()), Want: []string{removing + bobEmail + ", removed " + eveEmail}},
		{Name: "exchange", Got: warnings(was, acmeSet(seated(eveEmail), joining("carol@acme.example"))), Want: []string{removing + bobEmail, adding + "carol@acme.example"}},
		{Name: "add the owner", Got: warnings(was, acmeSet(seated(bobEmail), seated(eveEmail), joining(adaEmail))), Want: nil},
		{Name: "take an admin out", Got: warnings(acmeSet(admin(adaEmail), seated(bobEmail)), acmeSet(seated(bobEmail))), Want: []string{leaving + adaEmail}},
		{Name: "take two admins out", Got: warnings(acmeSet(admin(adaEmail), admin(bobEmail)), acmeSet()), Want: []string{leaving + adaEmail + ", forgotten " + bobEmail}},
		{Name: "an unknown map", Got: warnings(was, unknownSet(acme)), Want: nil},
		{Name: "another private label", Got: warnings(was, setOf(other, joining(bobEmail))), Want: []string{left, adding + bobEmail}},
		{Name: "an unknown private label", Got: warnings(was, unknownLabel), Want: []string{removing + eveEmail}},
		{Name: "destroy", Got: warnings(was, nil), Want: []string{left}},
	}, TopicAddingMember, TopicRemovingMember, TopicLeavingMembers)
}

func TestSetWarnings_NamePrivateLabel(t *testing.T) {
	t.Parallel()
	was := acmeSet(seated(bobEmail))
	effecttest.CheckDetail(t, Set.Warnings(nil, acmeSet(joining(bobEmail)), inReview()), "branded for sign.acme.example")
	effecttest.CheckDetail(t, Set.Warnings(nil, acmeSet(joining(bobEmail)), effect.Names{}), "branded for private label "+effecttest.Label)
	effecttest.CheckDetail(t, Set.Warnings(nil, setOf(types.StringUnknown(), joining(bobEmail)), inReview()), "branded for a private label known after apply")
	effecttest.CheckDetail(t, Set.Warnings(was, acmeSet(), inReview()), "bob@acme.example will be removed from sign.acme.example:")
	effecttest.CheckDetail(t, Set.Warnings(was, nil, inReview()), "The set of members of sign.acme.example is removed from state. No API call is made")
}

// A message names at most maxNamed users, with one effect for each.
func TestSetWarnings_NameSome(t *testing.T) {
	t.Parallel()
	var seats []seat
	for i := range 40 {
		seats = append(seats, joining(fmt.Sprintf("person-%02d@acme.example", i)))
	}
	warnings := Set.Warnings(nil, acmeSet(seats...), inReview())
	effecttest.CheckDetail(t, warnings, "person-11@acme.example and 28 more each receive")
	assert.Len(t, warnings.Effects(), 40)
	for n, want := range []string{"", "a", "a and b", "a, b and c"} {
		assert.Equal(t, want, inWords([]string{"a", "b", "c"}[:n]), "%d people", n)
	}
}

func TestIsPlain(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		member client.Member
		want   bool
	}{
		"member":              {client.Member{Role: client.RoleMember}, true},
		"owner":               {client.Member{Role: client.RoleOwner, IsOwner: new(true)}, false},
		"admin":               {client.Member{Role: client.RoleAdmin, IsOwner: new(true)}, false},
		"admin without flag":  {client.Member{Role: client.RoleAdmin}, false},
		"member with flag":    {client.Member{Role: client.RoleMember, IsOwner: new(true)}, false},
		"role of a later API": {client.Member{Role: "auditor"}, false},
		"no role":             {client.Member{}, false},
	} {
		assert.Equal(t, tc.want, isMember(&tc.member), name)
	}
}
