package member

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

var (
	personAttrs = map[string]attr.Type{"first_name": types.StringType, "last_name": types.StringType}
	personType  = types.ObjectType{AttrTypes: personAttrs}
)

// setModel is the complete set of the plain members of a private label.
type setModel struct {
	PrivateLabelID types.String `tfsdk:"private_label_id"`
	Members        types.Map    `tfsdk:"members"`

	ID              types.String `tfsdk:"id"`
	UserIDs         types.Map    `tfsdk:"user_ids"`
	OwnersAndAdmins types.Set    `tfsdk:"owners_and_admins"`
}

// person is an element of `members`.
type person struct {
	email      string // in the spelling of the map
	names      attr.Value
	id         types.String // unknown for a user to be added
	privileged bool         // owner or admin in state
}

func (m *setModel) Identity() session.LabelIdentity {
	return session.LabelIdentity{PrivateLabelID: m.PrivateLabelID}
}

// normalEmail returns the common spelling of equal email addresses.
func normalEmail(email string) string { return fwtype.EmailKind{}.Normal(email) }

// isPlain reports whether the set is authoritative for a member. It is false for a role that the API documentation does
// not list.
func isPlain(live *client.Member) bool { return live.Role == client.RoleMember && !live.IsOwner }

// people returns the elements of `members` by normalized email address. A nil model and an unknown map have none.
func (m *setModel) people() map[string]person {
	out := map[string]person{}
	if m == nil {
		return out
	}
	ids, privileged := m.knownIDs(), m.privileged()
	for email, names := range m.Members.Elements() {
		normal := normalEmail(email)
		id, ok := ids[normal]
		if !ok {
			id = types.StringUnknown()
		}
		out[normal] = person{email: email, names: names, id: id, privileged: privileged[normal]}
	}
	return out
}

// knownIDs returns the known elements of `user_ids` by normalized email address.
func (m *setModel) knownIDs() map[string]types.String {
	out := map[string]types.String{}
	for email, value := range m.UserIDs.Elements() {
		if id, ok := value.(types.String); ok && !id.IsUnknown() && !id.IsNull() {
			out[normalEmail(email)] = id
		}
	}
	return out
}

// privileged returns the elements of `owners_and_admins` as normalized email addresses.
func (m *setModel) privileged() map[string]bool {
	out := map[string]bool{}
	for _, value := range m.OwnersAndAdmins.Elements() {
		if email, ok := value.(types.String); ok {
			out[normalEmail(email.ValueString())] = true
		}
	}
	return out
}

// setPeople sets the maps of the model. Unknown maps stay unknown.
func (m *setModel) setPeople(people map[string]person) {
	members, ids, privileged := map[string]attr.Value{}, map[string]attr.Value{}, []attr.Value{}
	for _, p := range people {
		members[p.email], ids[p.email] = p.names, p.id
		if p.privileged {
			privileged = append(privileged, types.StringValue(p.email))
		}
	}
	m.Members = types.MapValueMust(personType, members)
	m.UserIDs = types.MapValueMust(types.StringType, ids)
	m.OwnersAndAdmins = types.SetValueMust(types.StringType, privileged)
}

// fromAPI copies the list of members: all with the role member, and the owners and admins who are in the map. Users in
// the map keep their spelling and names: the API cannot change names, so that another name is no drift.
func (m *setModel) fromAPI(labelID string, live *inventory.Members) {
	before, now := m.people(), map[string]person{}
	all := live.All()
	for i := range all {
		one := &all[i]
		normal := normalEmail(one.Email)
		p, inMap := before[normal]
		if _, twice := now[normal]; twice || !inMap && !isPlain(one) {
			continue
		}
		if !inMap {
			p = person{email: one.Email, names: namesOf(one)}
		}
		p.id, p.privileged = types.StringValue(one.ID), !isPlain(one)
		now[normal] = p
	}
	m.PrivateLabelID, m.ID = types.StringValue(labelID), types.StringValue(labelID)
	m.setPeople(now)
}

func namesOf(live *client.Member) attr.Value {
	return types.ObjectValueMust(personAttrs, map[string]attr.Value{
		"first_name": types.StringValue(live.FirstName), "last_name": types.StringValue(live.LastName),
	})
}

// newMember returns the request body that adds the user.
func (p person) newMember() client.NewMember {
	names, _ := p.names.(types.Object)
	text := func(name string) string {
		s, _ := names.Attributes()[name].(types.String)
		return s.ValueString()
	}
	return client.NewMember{Email: p.email, FirstName: text("first_name"), LastName: text("last_name")}
}

// sameSet reports whether two values of `members` have the same users: case is ignored in email addresses.
func sameSet(a, b types.Map) bool {
	if a.IsNull() || b.IsNull() || a.IsUnknown() || b.IsUnknown() || len(a.Elements()) != len(b.Elements()) {
		return a.Equal(b)
	}
	other := (&setModel{Members: b}).people()
	for email := range (&setModel{Members: a}).people() {
		if _, ok := other[email]; !ok {
			return false
		}
	}
	return true
}

// sameNames reports whether all users in both values of `members` have the same name in both.
func sameNames(a, b types.Map) bool {
	other := (&setModel{Members: b}).people()
	for email, p := range (&setModel{Members: a}).people() {
		if found, ok := other[email]; ok && !found.names.Equal(p.names) {
			return false
		}
	}
	return true
}
