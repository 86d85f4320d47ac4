package member

import (
	"cmp"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/register"
)

// What a step does with a person.
const (
	verbAdd     = "add"     // and email
	verbRemove  = "remove"  // and sign out
	verbRelease = "release" // of a set: no longer manage an owner or admin, without an API call
)

// Steps add a person who is no member yet, and remove the user in state, not another one with the same address. Only a
// state without an ID is of the user who has the address.
func (resource) Steps(was, want, live *model) []effect.Step {
	switch {
	case was == nil && live == nil:
		return []effect.Step{effect.NewStep(verbAdd, want.Email.ValueString(), "")}
	case want == nil && was.DeletionPolicy.ValueString() != effect.PolicyAbandon:
		id := was.ID.ValueString()
		if live != nil {
			id = cmp.Or(id, live.ID.ValueString())
		}
		return []effect.Step{effect.NewStep(verbRemove, "", id)}
	default:
		return nil // only the state has a name
	}
}

// Steps compare two sets of users. Removals depend on the prior state, so that nobody is removed who became a member
// after the plan. A destroy removes nobody.
func (setResource) Steps(was, want, live *setModel) (todo []effect.Step) {
	if want == nil {
		return nil
	}
	list, before, after := live.list(), was.people(), want.people()
	wanted := want.found(list)
	for _, p := range without(before, after) {
		account, found := findPerson(list, p)
		if _, still := wanted[p.id]; still && found {
			continue // under another address, which the API shows for the same user
		}
		switch {
		case p.ownerOrAdmin:
			todo = append(todo, effect.NewStep(verbRelease, p.email, p.id))
		case list == nil, found && isMember(account):
			todo = append(todo, effect.NewStep(verbRemove, p.email, p.id))
		}
	}
	for _, p := range without(after, before) {
		_, present := findPerson(list, p)
		if !present && (list != nil || was == nil || !p.ownerOrAdmin) {
			todo = append(todo, effect.NewStep(verbAdd, p.email, p.id))
		}
	}
	return todo
}

// Manages lists the members whom a change of the set adds, keeps and removes. A destroy removes nobody.
func (k setResource) Manages(was, want, live *setModel) (members []register.Claim, wants []string) {
	if want == nil || want.Members.IsUnknown() {
		return nil, nil
	}
	claim := func(role register.Role, p person) {
		o := register.Object{Type: Member.Type, InLabel: true, Label: want.PrivateLabelID.ValueString(), ID: p.id, Name: normalEmail(p.email)}
		if account, found := findPerson(live.list(), p); found {
			o.ID = account.ID
		}
		members = append(members, register.Claim{Role: role, Object: o, Called: p.email})
	}
	before, people := was.people(), want.people()
	for _, email := range fwtype.SortedKeys(people) {
		switch _, stays := before[email]; {
		case people[email].ownerOrAdmin:
		case stays:
			claim(register.Keeps, people[email])
		default:
			claim(register.Creates, people[email])
		}
	}
	for _, s := range k.Steps(was, want, nil) {
		if s.Verb == verbRemove {
			claim(register.Removes, person{email: s.Name, id: s.ID})
		}
	}
	return members, fwtype.SortedKeys(people)
}

// person is an element of `members`.
type person struct {
	email        string // in the spelling of the map
	names        attr.Value
	id           string // "" for a user to be added
	ownerOrAdmin bool   // owner or admin in state
}

// findPerson finds a user of the map by the user ID, or by the address if the state has none.
func findPerson(list *inventory.Members, p person) (*client.Member, bool) {
	switch {
	case list == nil:
		return nil, false
	case p.id != "":
		return list.ByID(p.id)
	default:
		return list.ByEmail(p.email)
	}
}

// normalEmail returns the common spelling of equal email addresses.
func normalEmail(email string) string {
	return fwtype.EmailKind{}.Normal(email)
}

// isMember reports whether the set is authoritative for a member. It is false for a role that the API documentation does
// not list.
func isMember(live *client.Member) bool {
	return live.Role == client.RoleMember && !live.Administers()
}

// people returns the elements of `members` by normalized email address. A nil model and an unknown map have none.
func (m *setModel) people() map[string]person {
	out := map[string]person{}
	if m == nil {
		return out
	}
	ids := map[string]string{}
	ownersAndAdmins := m.ownersAndAdminsInState()
	for email, value := range m.UserIDs.Elements() {
		id, _ := value.(types.String)
		ids[normalEmail(email)] = id.ValueString()
	}
	for email, names := range m.Members.Elements() {
		normal := normalEmail(email)
		out[normal] = person{email: email, names: names, id: ids[normal], ownerOrAdmin: ownersAndAdmins[normal]}
	}
	return out
}

// without returns the people, in order, whom another set lacks.
func without(people, others map[string]person) (out []person) {
	for _, email := range fwtype.SortedKeys(people) {
		if _, both := others[email]; !both {
			out = append(out, people[email])
		}
	}
	return out
}

// found returns the elements of `members` that a list has, by user ID.
func (m *setModel) found(live *inventory.Members) map[string]person {
	out := map[string]person{}
	if live == nil {
		return out
	}
	for _, p := range m.people() {
		if account, ok := findPerson(live, p); ok {
			out[account.ID] = p
		}
	}
	return out
}

// ownersAndAdminsInState returns the elements of `owners_and_admins` as normalized email addresses.
func (m *setModel) ownersAndAdminsInState() map[string]bool {
	out := map[string]bool{}
	for _, value := range m.OwnersAndAdmins.Elements() {
		email, _ := value.(types.String)
		out[normalEmail(email.ValueString())] = true
	}
	return out
}

// ownersAndAdmins returns the owners and admins in the map: those in state, and those that a list of members shows.
func (m *setModel) ownersAndAdmins(live *inventory.Members) []string {
	out := map[string]bool{}
	for _, p := range m.people() {
		if account, ok := findPerson(live, p); p.ownerOrAdmin || ok && !isMember(account) {
			out[p.email] = true
		}
	}
	return fwtype.SortedKeys(out)
}

// others returns the members that the complete set does not have.
func (m *setModel) others(live *inventory.Members) []string {
	others := map[string]bool{}
	in := m.found(live)
	for _, account := range live.All() {
		if _, ok := in[account.ID]; !ok && isMember(&account) && !m.Members.IsUnknown() {
			others[account.Email] = true
		}
	}
	return fwtype.SortedKeys(others)
}
