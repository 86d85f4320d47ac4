package member

import (
	"context"

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
var Set = &object.Description[*setModel, *inventory.Members, *setStep]{
	Type:      "members",
	Schema:    setSchema,
	Identity:  []object.Attribute{{Name: "private_label_id", Description: "Private label ID (tenant ID), 32 lowercase hex characters."}},
	Subject:   "private_label_id",
	Replacing: []string{"private_label_id"},
	Validate:  validateSet,
	Name: func(ctx context.Context, s *session.Session, m *setModel) string {
		return "The members of " + s.HostOf(ctx, m.PrivateLabelID.ValueString())
	},
	Label: func(m *setModel) types.String { return m.PrivateLabelID },
	Key:   func(m *setModel) string { return m.PrivateLabelID.ValueString() },
	Look: func(ctx context.Context, s *session.Session, m *setModel, age inventory.Age) (*inventory.Members, error) {
		return s.Inventory.Members(ctx, m.PrivateLabelID.ValueString(), age)
	},
	Presence: func(ctx context.Context, s *session.Session, m *setModel, _ error) (inventory.Presence, error) {
		return s.Inventory.CheckMember(ctx, m.PrivateLabelID.ValueString(), "", m.Reseller.ValueString())
	},
	Fill:     (*setModel).fill,
	Import:   importSet,
	Steps:    setSteps,
	Announce: setNotices,
	Drift:    driftOfSet,
	Plan:     planSet,
	Check:    checkSet,
	Take:     takeSet,
	Failed:   setFailed,
	ReadBack: func(_ context.Context, c *setChange, now *setModel) diag.Diagnostics {
		now.fillApplied(c.Want, c.Live)
		return nil
	},
	Resumes:  true,
	Quiet:    func(m *setModel) bool { return len(m.inMap(m.privileged())) == 0 },
	AtCreate: inventory.Current,
	AtUpdate: inventory.Current,
	Texts: object.Texts[*setModel]{
		SummaryRead: diagnostic.SummaryListMembers,
		Gone:        setGone,
		Replace:     setReplaceRejected,
	},
}

type setChange = object.Change[*setModel, *inventory.Members, *setStep]

type setStepKind int

const (
	// setRemove removes a user who is in state and no longer in the map, and signs the user out.
	setRemove setStepKind = iota
	// setRelease stops managing an owner or admin who is no longer in the map, without an API call.
	setRelease
	// setAdd adds and emails a user.
	setAdd
)

// setStep is what an apply does with one user.
type setStep struct {
	kind   setStepKind
	person person
}

// Key names the step and the user.
func (s *setStep) Key() string {
	verb := map[setStepKind]string{setRemove: "remove ", setRelease: "release ", setAdd: "add "}[s.kind]
	return verb + s.person.email
}

// setSteps compares two sets of users. Removals depend on the prior state, so that nobody is removed who became a member
// after the plan. A destroy removes nobody.
func setSteps(was, want *setModel, live *inventory.Members) []*setStep {
	if want == nil {
		return nil
	}
	before, after := was.people(), want.people()
	var todo []*setStep
	for _, email := range fwtype.SortedKeys(before) {
		p := before[email]
		if _, stays := after[email]; stays {
			continue
		}
		switch one, found := findPerson(live, p); {
		case p.privileged:
			todo = append(todo, &setStep{setRelease, p})
		case live == nil, found && isPlain(one):
			todo = append(todo, &setStep{setRemove, p})
		}
	}
	present := was.privileged()
	for _, email := range fwtype.SortedKeys(after) {
		p := after[email]
		_, stays := before[email]
		_, found := findPerson(live, p)
		if !stays && !found && (live != nil || !present[email]) {
			todo = append(todo, &setStep{setAdd, p})
		}
	}
	return todo
}

// findPerson finds a user of the map by the user ID, or by the address if the state has none.
func findPerson(live *inventory.Members, p person) (*client.Member, bool) {
	if live == nil {
		return nil, false
	}
	if id := p.id.ValueString(); id != "" {
		return live.ByID(id)
	}
	return live.ByEmail(p.email)
}

// planSet plans the computed attributes, and warns about what has no effect.
func planSet(ctx context.Context, c *setChange) diag.Diagnostics {
	if c.Destroys() {
		return nil
	}
	var diags diag.Diagnostics
	host := "the new private label"
	if !c.Want.PrivateLabelID.IsUnknown() {
		host = c.HostOf(ctx, c.Want.PrivateLabelID.ValueString())
	}
	if !c.Creates() && !c.Want.Members.Equal(c.Was.Members) {
		if at, changed := changedName(c.Was, c.Want); changed {
			diags.AddAttributeWarning(at, summaryName, "Only the state changes. Members of "+host+" can change their names in the portal.")
		}
		if c.Live == nil && c.Ready() && c.Want.gains(c.Was) {
			live, err := c.Inventory.Members(ctx, c.Want.PrivateLabelID.ValueString(), inventory.Cached)
			if err != nil {
				return append(diags, diagnostic.ReadFailure(diagnostic.SummaryListMembers, "The members list of "+host).Diagnostic(err))
			}
			c.Live = live
		}
	}
	if c.Creates() || !c.Want.Members.Equal(c.Was.Members) {
		c.Want.plan(c.Was)
	}
	return append(diags, warnPrivileged(c, host)...)
}

// warnPrivileged warns about owners and admins in the map: those in state, and those that a look found.
func warnPrivileged(c *setChange, host string) diag.Diagnostics {
	found := map[string]bool{}
	if c.Was != nil {
		found = c.Want.inMap(c.Was.privileged())
	}
	for _, p := range c.Want.people() {
		if one, ok := findPerson(c.Live, p); ok && !isPlain(one) {
			found[p.email] = true
		}
	}
	if len(found) == 0 {
		return nil
	}
	return diag.Diagnostics{countAsPresent(fwtype.SortedKeys(found), host)}
}

// checkSet rejects a create that would have to remove a member, and an address that is not one.
func checkSet(ctx context.Context, c *setChange) diag.Diagnostics {
	if c.Destroys() {
		return nil
	}
	var diags diag.Diagnostics
	if c.Creates() && c.Live != nil && len(c.Want.others(c.Live)) > 0 {
		diags.Append(createRemovesNobody(ctx, c)...)
	}
	for _, s := range c.Steps {
		if _, found := findPerson(c.Live, s.person); s.kind == setAdd && !found {
			diags.Append(fwtype.TextProblem[fwtype.EmailKind](ctx, memberPath(s.person.email), s.person.email)...)
		}
	}
	if c.Applying && c.Was != nil {
		warnNotRemoved(ctx, c)
	}
	return diags
}

// createRemovesNobody rejects the create of a set that lacks members. The list may be old, so that a rejection is read
// again.
func createRemovesNobody(ctx context.Context, c *setChange) diag.Diagnostics {
	label := c.Want.PrivateLabelID.ValueString()
	live, err := c.Inventory.Members(ctx, label, inventory.Fresh)
	if err != nil {
		return diag.Diagnostics{c.NotOfLabel(ctx, diagnostic.SummaryListMembers, label, "The members list of "+c.HostOf(ctx, label), err)}
	}
	others := c.Want.others(live)
	if len(others) == 0 {
		return nil
	}
	host := c.HostOf(ctx, label)
	return diag.Diagnostics{otherMembers(host, others)}
}

// warnNotRemoved warns that an announced removal does not happen, because the user is owner or admin now.
func warnNotRemoved(ctx context.Context, c *setChange) {
	after := c.Want.people()
	for email, p := range c.Was.people() {
		if _, stays := after[email]; stays || p.privileged {
			continue
		}
		if one, found := findPerson(c.Live, p); found && !isPlain(one) {
			c.Warn(notRemoved(p.email, c.HostOf(ctx, c.Want.PrivateLabelID.ValueString())))
		}
	}
}

// takeSet makes the API call for one user.
func takeSet(ctx context.Context, c *setChange, s *setStep, now *setModel) error {
	label := c.Want.PrivateLabelID.ValueString()
	switch s.kind {
	case setRelease:
		return nil
	case setRemove:
		err := removePerson(ctx, c.Session, label, s.person.id.ValueString())
		switch {
		case transport.IsCode(err, client.CodeCannotRemoveOwner):
			c.Warn(notRemoved(s.person.email, c.HostOf(ctx, label)))
			return nil
		case transport.IsCode(err, client.CodeUserNotFound): // left in between
			return nil
		default:
			return err
		}
	case setAdd:
		added, err := addPerson(ctx, c.Session, label, s.person.newMember())
		if err != nil {
			return err
		}
		if added.ResponseLost {
			c.Warn(responseLost(memberPath(s.person.email), s.person.email, c.HostOf(ctx, label)))
		}
		now.setID(s.person.email, added.UserID)
	}
	return nil
}

func importSet(ctx context.Context, s *session.Session, given string) ([]string, diag.Diagnostics) {
	id, diags := s.LookUp(ctx, given)
	if diags.HasError() {
		return nil, diags
	}
	if _, err := s.Inventory.Members(ctx, id, inventory.Current); err != nil {
		diags.Append(diagnostic.ReadFailure(diagnostic.SummaryListMembers, "The members list of "+given).Diagnostic(err))
	}
	return []string{id}, diags
}

// memberPath returns the path of a user in the configuration.
func memberPath(email string) path.Path { return path.Root("members").AtMapKey(email) }
