package member

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// Set is reseller_members: the complete set of the plain members of a private label.
var Set = object.New[*setModel](setKind{})

type setKind struct{ session.ByLabel }

type (
	setRequest = object.Request[*setModel]
	setView    = object.View[*setModel]
)

func (setKind) Describe() object.Description {
	return object.Description{
		Type:             "members",
		Identity:         []object.Attribute{{Name: "private_label_id", Description: "Private label ID (tenant ID), 32 lowercase hex characters."}},
		Subject:          "private_label_id",
		SummaryRead:      diagnostic.SummaryListMembers,
		Replacing:        []string{"private_label_id"},
		Awaited:          []string{"members"},
		Resumes:          true,
		LookBeforeCreate: inventory.Current,
		LookBeforeUpdate: inventory.Current,
	}
}

func (setKind) Name(ctx context.Context, s *session.Session, m *setModel) string {
	return "The members of " + s.HostOf(ctx, m.PrivateLabelID.ValueString())
}

func (setKind) Light(m *setModel, members int) inventory.Seen {
	return inventory.Seen{Label: m.PrivateLabelID.ValueString(), Members: members}
}

func (setKind) Read(ctx context.Context, s *session.Session, m *setModel, age inventory.Freshness) (*setModel, error) {
	list, err := s.Inventory.Members(ctx, m.PrivateLabelID.ValueString(), age)
	if err == nil {
		err = client.CheckMembers(list.All())
	}
	if err != nil {
		return nil, err
	}
	return m.filledFrom(list), nil
}

func (setKind) Proof(m *setModel) inventory.Absence {
	return inventory.OfMember(m.PrivateLabelID.ValueString(), "")
}

func (setKind) NoWarnings(m *setModel) bool { return len(m.ownersAndAdmins(nil)) == 0 }

// setChange is one plan or apply of a set.
type setChange struct {
	*setRequest
	added    map[string]string // user IDs, by the name of the step
	released map[string]bool   // whom a step was to remove and did not, by its name
}

func (setKind) Begin(q *setRequest) object.Change[*setModel] {
	return &setChange{q, map[string]string{}, map[string]bool{}}
}

// Plan plans the computed attributes, and warns about what has no effect.
func (c *setChange) Plan(ctx context.Context) (diags diag.Diagnostics) {
	if c.Destroys() {
		return nil
	}
	host := c.HostOf(ctx, c.Want.PrivateLabelID.ValueString())
	people, before := c.Want.people(), c.Was.people()
	for _, email := range fwtype.SortedKeys(people) {
		if was, stays := before[email]; stays && !was.names.Equal(people[email].names) {
			diags.AddAttributeWarning(memberPath(people[email].email), SummaryName,
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
	if ownersAndAdmins := c.Want.ownersAndAdmins(c.Live.list()); len(ownersAndAdmins) > 0 {
		diags.Append(countAsPresent(ownersAndAdmins, host))
	}
	return diags
}

// Check rejects a create that would have to remove a member, and an address that is not one.
func (c *setChange) Check(ctx context.Context) (diags diag.Diagnostics) {
	if c.Destroys() {
		return nil
	}
	label := c.Want.PrivateLabelID.ValueString()
	if c.Creates() && c.Live != nil && len(c.Want.others(c.Live.accounts)) > 0 {
		// The list may be old, so that a rejection is read again.
		live, err := setKind{}.Read(ctx, c.Session, c.Want, inventory.Fresh)
		if err != nil {
			diags.Append(notListed(ctx, c.Session, label, err))
		} else if others := c.Want.others(live.accounts); len(others) > 0 {
			host := c.HostOf(ctx, label)
			detail := fmt.Sprintf(otherMembers, inWords(others), host, session.ImportRemedy("reseller_members", host))
			diags.AddAttributeError(path.Root("members"), SummaryOtherMembers, detail)
		}
	}
	for _, s := range c.Steps {
		if _, found := findPerson(c.Live.list(), person{email: s.Name, id: s.ID}); s.Verb == verbAdd && !found {
			diags.Append(fwtype.TextProblem[fwtype.EmailKind](ctx, memberPath(s.Name), s.Name)...)
		}
	}
	// An announced removal does not happen if the user is owner or admin now.
	for _, p := range without(c.Was.people(), c.Want.people()) {
		if account, found := findPerson(c.Live.list(), p); !p.ownerOrAdmin && found && !isMember(account) {
			c.Warn(notRemoved(p.email, c.HostOf(ctx, label)))
		}
	}
	return diags
}

// Take makes the API call for one user.
func (c *setChange) Take(ctx context.Context, s effect.Step, _ *setModel) transport.Outcome {
	label := c.Want.PrivateLabelID.ValueString()
	switch s.Verb {
	case verbAdd:
		added, o := addPerson(ctx, c.Session, label, c.Want.people()[normalEmail(s.Name)].newMember(), memberPath(s.Name), c.Warn)
		if o.State == transport.Applied {
			c.added[s.Name] = added.UserID
		}
		return o
	case verbRemove:
		o := removePerson(ctx, c.Session, label, s.ID)
		if o.State != transport.Absent || !transport.IsCode(o.Err, client.CodeCannotRemoveOwner, client.CodeUserNotFound) {
			return o
		}
		if transport.IsCode(o.Err, client.CodeCannotRemoveOwner) {
			c.Warn(notRemoved(s.Name, c.HostOf(ctx, label)))
		}
		c.released[s.Name] = true // admin now, or left in between
	}
	return transport.Done()
}

// ReadBack fills what an apply has reached, without a read: the list before the first step has all other members. The
// runtime keeps what the plan knows.
func (c *setChange) ReadBack(_ context.Context, now *setModel) diag.Diagnostics {
	list := slices.Clone(c.Live.list().All())
	for _, s := range c.Done {
		if id := c.added[s.Name]; s.Verb == verbAdd && id != "" {
			list = append(list, client.Member{ID: id, Email: s.Name, Role: client.RoleMember})
		}
	}
	*now = *now.filledFrom(inventory.NewMembers(list))
	return nil
}

// Failed is the error of a step.
func (c *setChange) Failed(ctx context.Context, s effect.Step, o transport.Outcome) diag.Diagnostics {
	email, host := s.Name, c.HostOf(ctx, c.Want.PrivateLabelID.ValueString())
	if errors.Is(o.Err, object.ErrChangedMeanwhile) {
		return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root("members"), summarySetChanged, fmt.Sprintf(setChanged, host, s.Key, setReport(c)))}
	}
	if s.Verb == verbRemove {
		return diag.Diagnostics{diagnostic.APIFailure{
			Summary: SummaryRemove, Object: host, Failed: email + " was not removed from " + host, Unchanged: setReport(c),
			Remedies: map[string]diagnostic.Remedy{client.CodeInvalidTarget: {At: path.Root("private_label_id"), Advice: "The reseller has no such private label."}},
		}.Of(o)}
	}
	at := memberPath(email)
	return diag.Diagnostics{addFailure(email, host, setReport(c), at, at).Of(o)}
}
