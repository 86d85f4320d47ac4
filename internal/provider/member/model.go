package member

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
)

// model is a member of a private label.
type model struct {
	PrivateLabelID types.String `tfsdk:"private_label_id"`
	Email          fwtype.Email `tfsdk:"email"`
	FirstName      types.String `tfsdk:"first_name"`
	LastName       types.String `tfsdk:"last_name"`

	ID        types.String      `tfsdk:"id"`
	Role      types.String      `tfsdk:"role"`
	Status    types.String      `tfsdk:"status"`
	CreatedAt timetypes.RFC3339 `tfsdk:"created_at"`
	object.Guarded

	// Of a member that was just read:
	address string // in the API
	isOwner *bool  // of the owner and of admins
}

// filledFrom is a copy with the member that the API returned. Address and names keep the configured values: the API may store
// an address otherwise than it was written, and a name that the member changed is no drift. Only an import copies them.
func (m *model) filledFrom(account *client.Member) *model {
	live := *m
	live.ID = types.StringValue(account.ID)
	live.Role = types.StringValue(account.Role)
	live.Status = types.StringValue(account.Status)
	live.CreatedAt = fwtype.TimeValue(account.CreatedAt)
	if m.Email.IsNull() {
		live.Email = fwtype.NewText[fwtype.EmailKind](account.Email)
	}
	if m.FirstName.IsNull() {
		live.FirstName = types.StringValue(account.FirstName)
	}
	if m.LastName.IsNull() {
		live.LastName = types.StringValue(account.LastName)
	}
	live.address, live.isOwner = account.Email, account.IsOwner
	return &live
}

// administers reports whether the member is owner or admin, whom the API does not allow removing.
func (m *model) administers() bool {
	account := client.Member{Role: m.Role.ValueString(), IsOwner: m.isOwner}
	return account.Administers()
}

// name names the member at the beginning of a sentence.
func (m *model) name() string { return effect.NameOf(m.Email, "The user "+m.ID.ValueString()) }

// setModel is the complete set of the plain members of a private label.
type setModel struct {
	PrivateLabelID types.String `tfsdk:"private_label_id"`
	Members        types.Map    `tfsdk:"members"`

	ID              types.String `tfsdk:"id"`
	UserIDs         types.Map    `tfsdk:"user_ids"`
	OwnersAndAdmins types.Set    `tfsdk:"owners_and_admins"`
	object.Base

	accounts *inventory.Members // the list of members that was just read
}

// list is the list of members that a read returned, nil for none.
func (m *setModel) list() *inventory.Members {
	if m == nil {
		return nil
	}
	return m.accounts
}

var (
	personAttrs = map[string]attr.Type{"first_name": types.StringType, "last_name": types.StringType}
	personType  = types.ObjectType{AttrTypes: personAttrs}
)

// person is an element of `members`.
type person struct {
	email        string // in the spelling of the map
	names        attr.Value
	id           string // "" for a user to be added
	ownerOrAdmin bool   // owner or admin in state
}

// normalEmail returns the common spelling of equal email addresses.
func normalEmail(email string) string { return fwtype.EmailKind{}.Normal(email) }

// memberPath returns the path of a user in the configuration.
func memberPath(email string) path.Path { return path.Root("members").AtMapKey(email) }

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
	ids, ownersAndAdmins := map[string]string{}, m.ownersAndAdminsInState()
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

// ownersAndAdminsInState returns the elements of `owners_and_admins` as normalized email addresses.
func (m *setModel) ownersAndAdminsInState() map[string]bool {
	out := map[string]bool{}
	for _, value := range m.OwnersAndAdmins.Elements() {
		email, _ := value.(types.String)
		out[normalEmail(email.ValueString())] = true
	}
	return out
}

// idsOf is the value of `user_ids`: known for who stays, unknown for who is added.
func idsOf(people map[string]person) types.Map {
	ids := map[string]attr.Value{}
	for _, p := range people {
		ids[p.email] = types.StringUnknown()
		if p.id != "" {
			ids[p.email] = types.StringValue(p.id)
		}
	}
	return types.MapValueMust(types.StringType, ids)
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

// filledFrom is a copy with the list of members: all with the role member, and the owners and admins who are in the map.
// Users in the map are found by their ID and keep their spelling and names: the API may store an address otherwise than it
// was written, and cannot change names, so that neither is drift.
func (m *setModel) filledFrom(list *inventory.Members) *setModel {
	known := m.found(list)
	now, members, ownersAndAdmins := map[string]person{}, map[string]attr.Value{}, map[string]attr.Value{}
	for _, account := range list.All() {
		p, inMap := known[account.ID]
		if !inMap {
			p = person{email: account.Email, names: types.ObjectValueMust(personAttrs, map[string]attr.Value{
				"first_name": types.StringValue(account.FirstName), "last_name": types.StringValue(account.LastName),
			})}
		}
		if !isMember(&account) {
			ownersAndAdmins[p.email] = types.StringValue(p.email)
		}
		normal := normalEmail(p.email)
		if _, twice := now[normal]; !twice && (inMap || isMember(&account)) {
			p.id = account.ID
			now[normal], members[p.email] = p, p.names
		}
	}
	live := *m
	live.ID = m.PrivateLabelID
	live.Members, live.UserIDs = types.MapValueMust(personType, members), idsOf(now)
	live.OwnersAndAdmins = types.SetValueMust(types.StringType, slices.Collect(maps.Values(ownersAndAdmins)))
	live.accounts = list
	return &live
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
	others, in := map[string]bool{}, m.found(live)
	for _, account := range live.All() {
		if _, ok := in[account.ID]; !ok && isMember(&account) && !m.Members.IsUnknown() {
			others[account.Email] = true
		}
	}
	return fwtype.SortedKeys(others)
}

// newMember returns the request body that adds the user.
func (p person) newMember() client.NewMember {
	names, _ := p.names.(types.Object)
	first, _ := names.Attributes()["first_name"].(types.String)
	last, _ := names.Attributes()["last_name"].(types.String)
	return client.NewMember{Email: p.email, FirstName: first.ValueString(), LastName: last.ValueString()}
}
