package member

import (
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
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
	object.Base
}

// person is an element of `members`.
type person struct {
	email      string // in the spelling of the map
	names      attr.Value
	id         types.String // unknown for a user to be added
	privileged bool         // owner or admin in state
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
	if m == nil {
		return out
	}
	for _, value := range m.OwnersAndAdmins.Elements() {
		if email, ok := value.(types.String); ok {
			out[normalEmail(email.ValueString())] = true
		}
	}
	return out
}

// inMap returns those of some normalized addresses that the map has, in its spelling.
func (m *setModel) inMap(addresses map[string]bool) map[string]bool {
	out := map[string]bool{}
	for normal, p := range m.people() {
		if addresses[normal] {
			out[p.email] = true
		}
	}
	return out
}

// setPeople sets the maps of the model.
func (m *setModel) setPeople(people map[string]person) {
	members, ids := map[string]attr.Value{}, map[string]attr.Value{}
	for _, p := range people {
		members[p.email], ids[p.email] = p.names, p.id
	}
	m.Members = types.MapValueMust(personType, members)
	m.UserIDs = types.MapValueMust(types.StringType, ids)
}

// setPrivileged sets the owners and admins of the private label. One who is in the map is spelled as there.
func (m *setModel) setPrivileged(live *inventory.Members, spelled map[string]string) {
	privileged := map[string]bool{}
	all := live.All()
	for i := range all {
		if isPlain(&all[i]) {
			continue
		}
		email, ok := spelled[all[i].ID]
		if !ok {
			email = all[i].Email
		}
		privileged[email] = true
	}
	values := make([]attr.Value, 0, len(privileged))
	for email := range privileged {
		values = append(values, types.StringValue(email))
	}
	m.OwnersAndAdmins = types.SetValueMust(types.StringType, values)
}

// fill copies the list of members: all with the role member, and the owners and admins who are in the map. Users in the
// map are found by their ID and keep their spelling and names: the API may store an address otherwise than it was
// written, and cannot change names, so that neither is drift.
func (m *setModel) fill(live *inventory.Members) {
	known, now, spelled := map[string]person{}, map[string]person{}, map[string]string{}
	for _, p := range m.people() {
		if one, ok := findPerson(live, p); ok {
			known[one.ID], spelled[one.ID] = p, p.email
		}
	}
	all := live.All()
	for i := range all {
		one := &all[i]
		p, inMap := known[one.ID]
		if !inMap {
			p = person{email: one.Email, names: namesOf(one)}
		}
		normal := normalEmail(p.email)
		if _, twice := now[normal]; twice || !inMap && !isPlain(one) {
			continue
		}
		p.id = types.StringValue(one.ID)
		now[normal] = p
	}
	m.ID = m.PrivateLabelID
	m.setPeople(now)
	m.setPrivileged(live, spelled)
}

// fillApplied fills what an apply has reached: the planned users, of whom live is the list before the first step and
// the model has the IDs of those that were added.
func (m *setModel) fillApplied(want *setModel, live *inventory.Members) {
	ids, now, spelled := m.knownIDs(), want.people(), map[string]string{}
	for normal, p := range now {
		if one, found := findPerson(live, p); found {
			p.id, spelled[one.ID] = types.StringValue(one.ID), p.email
		} else if id, added := ids[normal]; added {
			p.id = id
		}
		now[normal] = p
	}
	m.ID = m.PrivateLabelID
	m.setPeople(now)
	m.setPrivileged(live, spelled)
}

// setID records the user ID of an added user.
func (m *setModel) setID(email, id string) {
	ids := maps.Clone(m.UserIDs.Elements())
	if ids == nil {
		ids = map[string]attr.Value{}
	}
	ids[email] = types.StringValue(id)
	m.UserIDs = types.MapValueMust(types.StringType, ids)
}

// plan plans the computed attributes: known for who stays, unknown for who is added.
func (m *setModel) plan(prior *setModel) {
	m.ID = m.PrivateLabelID
	if prior == nil {
		m.OwnersAndAdmins = types.SetUnknown(types.StringType)
	}
	if m.Members.IsUnknown() {
		m.UserIDs = types.MapUnknown(types.StringType)
		return
	}
	before, ids := prior.people(), map[string]attr.Value{}
	for email := range m.Members.Elements() {
		ids[email] = types.StringUnknown()
		if was, stays := before[normalEmail(email)]; stays {
			ids[email] = was.id
		}
	}
	m.UserIDs = types.MapValueMust(types.StringType, ids)
}

// gains reports whether the plan has users whom the state lacks.
func (m *setModel) gains(prior *setModel) bool {
	before := prior.people()
	for email := range m.people() {
		if _, ok := before[email]; !ok {
			return true
		}
	}
	return false
}

// others returns the sorted members that the complete set does not have.
func (m *setModel) others(live *inventory.Members) []string {
	if m.Members.IsUnknown() {
		return nil
	}
	in, others := map[string]bool{}, map[string]bool{}
	for _, p := range m.people() {
		if one, ok := findPerson(live, p); ok {
			in[one.ID] = true
		}
	}
	all := live.All()
	for i := range all {
		if !in[all[i].ID] && isPlain(&all[i]) {
			others[all[i].Email] = true
		}
	}
	return fwtype.SortedKeys(others)
}

// changedName returns the path of a changed name, which the API does not update.
func changedName(was, want *setModel) (path.Path, bool) {
	before, now := was.people(), want.people()
	for _, email := range fwtype.SortedKeys(now) {
		if p, ok := before[email]; ok && !p.names.Equal(now[email].names) {
			return memberPath(now[email].email), true
		}
	}
	return path.Empty(), false
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
