package member

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// Set describes reseller_members: the complete set of the plain members of a private label.
var Set = &object.Description[*setModel, *inventory.Members, *step]{
	Type:      "members",
	Schema:    setSchema,
	Identity:  []object.Attribute{{Name: "private_label_id", Description: "Private label ID (tenant ID), 32 lowercase hex characters."}},
	Subject:   "private_label_id",
	Replacing: []string{"private_label_id"},
	Validate:  validateSet,
	Name: func(ctx context.Context, s *session.Session, m *setModel) string {
		return "The members of " + s.HostOf(ctx, m.PrivateLabelID.ValueString())
	},
	Key:   func(m *setModel) string { return m.PrivateLabelID.ValueString() },
	Holds: holds,
	Light: func(m *setModel, members int) inventory.Seen {
		return inventory.Seen{Label: m.PrivateLabelID.ValueString(), Members: members}
	},
	Look: func(ctx context.Context, s *session.Session, m *setModel, age inventory.Age) (*inventory.Members, error) {
		return s.Inventory.Members(ctx, m.PrivateLabelID.ValueString(), age)
	},
	Presence: func(ctx context.Context, s *session.Session, m *setModel, _ error) (inventory.Presence, error) {
		return s.Inventory.CheckMember(ctx, m.PrivateLabelID.ValueString(), "", m.Reseller.ValueString())
	},
	Fill:     (*setModel).fill,
	Import:   session.ImportLabel,
	Steps:    setSteps,
	Announce: setNotices,
	Drift:    driftOfSet,
	Plan:     planSet,
	Check:    checkSet,
	Take:     takeSet,
	Failed:   setFailed,
	ReadBack: fillApplied,
	Resumes:  true,
	Quiet:    func(m *setModel) bool { return len(m.administrators(nil)) == 0 },
	AtCreate: inventory.Current,
	AtUpdate: inventory.Current,
	Texts: object.Texts[*setModel]{
		SummaryRead: diagnostic.SummaryListMembers,
		Gone:        setGone,
		Replace:     setReplaceRejected,
	},
}

type setChange = object.Change[*setModel, *inventory.Members, *step]

// setSteps compares two sets of users. Removals depend on the prior state, so that nobody is removed who became a member
// after the plan. A destroy removes nobody.
func setSteps(was, want *setModel, live *inventory.Members) (todo []*step) {
	if want == nil {
		return nil
	}
	before, after := was.people(), want.people()
	wanted := want.found(live)
	for _, p := range without(before, after) {
		one, found := findPerson(live, p)
		if _, still := wanted[p.id]; still && found {
			continue // under another address, which the API shows for the same user
		}
		switch {
		case p.privileged:
			todo = append(todo, &step{verbRelease, p})
		case live == nil, found && isPlain(one):
			todo = append(todo, &step{verbRemove, p})
		}
	}
	for _, p := range without(after, before) {
		_, present := findPerson(live, p)
		if !present && (live != nil || was == nil || !p.privileged) {
			todo = append(todo, &step{verbAdd, p})
		}
	}
	return todo
}

// holds are the members whom a change of the set adds, keeps and removes. A destroy removes nobody.
func holds(was, want *setModel, live *inventory.Members) (all []session.Claim) {
	if want == nil || want.PrivateLabelID.IsUnknown() {
		return nil
	}
	label := want.PrivateLabelID.ValueString()
	claim := func(does session.Doing, p person) {
		o := session.Object{Type: Member.Type, Name: label + "/" + normalEmail(p.email)}
		if one, found := findPerson(live, p); found {
			p.id = one.ID
		}
		if p.id != "" {
			o.ID = label + "/" + p.id
		}
		all = append(all, session.Claim{Does: does, Object: o, Called: p.email})
	}
	before := was.people()
	for email, p := range want.people() {
		switch _, stays := before[email]; {
		case p.privileged:
		case stays:
			claim(session.Keeps, p)
		default:
			claim(session.Creates, p)
		}
	}
	for _, s := range setSteps(was, want, nil) {
		if s.verb == verbRemove {
			claim(session.Destroys, s.person)
		}
	}
	return all
}

// findPerson finds a user of the map by the user ID, or by the address if the state has none.
func findPerson(live *inventory.Members, p person) (*client.Member, bool) {
	switch {
	case live == nil:
		return nil, false
	case p.id != "":
		return live.ByID(p.id)
	default:
		return live.ByEmail(p.email)
	}
}

// planSet plans the computed attributes, and warns about what has no effect.
func planSet(ctx context.Context, c *setChange) (diags diag.Diagnostics) {
	if c.Destroys() {
		return nil
	}
	host := c.HostOf(ctx, c.Want.PrivateLabelID.ValueString())
	people, before := c.Want.people(), c.Was.people()
	for _, email := range fwtype.SortedKeys(people) {
		if was, stays := before[email]; stays && !was.names.Equal(people[email].names) {
			diags.AddAttributeWarning(memberPath(people[email].email), summaryName,
				"Only the state changes: no endpoint changes the name of a member of "+host+".")
			break
		}
	}
	if c.Creates() || !c.Want.Members.Equal(c.Was.Members) {
		c.Want.ID, c.Want.UserIDs = c.Want.PrivateLabelID, idsOf(people)
		if c.Want.Members.IsUnknown() {
			c.Want.UserIDs = types.MapUnknown(types.StringType)
		}
	}
	if privileged := c.Want.administrators(c.Live); len(privileged) > 0 {
		diags.Append(countAsPresent(privileged, host))
	}
	return diags
}

// checkSet rejects a create that would have to remove a member, and an address that is not one.
func checkSet(ctx context.Context, c *setChange) (diags diag.Diagnostics) {
	if c.Destroys() {
		return nil
	}
	label := c.Want.PrivateLabelID.ValueString()
	if c.Creates() && c.Live != nil && len(c.Want.others(c.Live)) > 0 {
		// The list may be old, so that a rejection is read again.
		live, err := c.Inventory.Members(ctx, label, inventory.Fresh)
		if err != nil {
			diags.Append(notListed(ctx, c.Session, label, err))
		} else if others := c.Want.others(live); len(others) > 0 {
			host := c.HostOf(ctx, label)
			detail := fmt.Sprintf(otherMembers, inWords(others), host, session.ImportRemedy("reseller_members", host))
			diags.AddAttributeError(path.Root("members"), summaryOtherMembers, detail)
		}
	}
	for _, s := range c.Steps {
		if _, found := findPerson(c.Live, s.person); s.verb == verbAdd && !found {
			diags.Append(fwtype.TextProblem[fwtype.EmailKind](ctx, memberPath(s.person.email), s.person.email)...)
		}
	}
	// An announced removal does not happen if the user is owner or admin now.
	for _, p := range without(c.Was.people(), c.Want.people()) {
		if one, found := findPerson(c.Live, p); !p.privileged && found && !isPlain(one) {
			c.Warn(notRemoved(p.email, c.HostOf(ctx, label)))
		}
	}
	return diags
}

// takeSet makes the API call for one user.
func takeSet(ctx context.Context, c *setChange, s *step, _ *setModel) transport.Outcome {
	label := c.Want.PrivateLabelID.ValueString()
	switch s.verb {
	case verbAdd:
		added := addPerson(ctx, c.Session, label, s.person.newMember(), memberPath(s.person.email), c.Warn)
		if added.State == transport.Applied {
			s.person.id = added.Value.UserID
		}
		return added.Outcome
	case verbRemove:
		o := removePerson(ctx, c.Session, label, s.person.id)
		if o.State != transport.Absent || !transport.IsCode(o.Err, client.CodeCannotRemoveOwner, client.CodeUserNotFound) {
			return o
		}
		if transport.IsCode(o.Err, client.CodeCannotRemoveOwner) {
			c.Warn(notRemoved(s.person.email, c.HostOf(ctx, label)))
		}
		s.verb = verbRelease // admin now, or left in between: this apply removed nobody
	case verbRelease:
	}
	return transport.Done()
}

// fillApplied fills what an apply has reached, without a read: the list before the first step has all other members. The
// runtime keeps what the plan knows.
func fillApplied(_ context.Context, c *setChange, now *setModel) diag.Diagnostics {
	list := slices.Clone(c.Live.All())
	for _, s := range c.Done {
		if s.verb == verbAdd && s.person.id != "" {
			list = append(list, client.Member{ID: s.person.id, Email: s.person.email, Role: client.RoleMember})
		}
	}
	now.fill(inventory.NewMembers(list))
	return nil
}
