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
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/register"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// Set is reseller_members: the complete set of the plain members of a private label.
var Set = object.New[*setModel](setResource{})

type setResource struct{ session.ByLabel }

type (
	setChange = object.Change[*setModel]
	setView   = object.View[*setModel]
)

func (setResource) Traits() object.Traits {
	return object.Traits{
		Type:             "members",
		Identity:         []object.Attribute{{Name: "private_label_id", Description: "Private label ID (tenant ID), 32 lowercase hex characters."}},
		Subject:          "private_label_id",
		Validate:         validateSet,
		SummaryRead:      diagnostic.SummaryListMembers,
		Replacing:        []string{"private_label_id"},
		Awaited:          []string{"members"},
		Resumes:          true,
		NotReplaceable:   setNotReplaceable,
		ReadBeforeCreate: inventory.Current,
		ReadBeforeUpdate: inventory.Current,
	}
}

func (setResource) Name(ctx context.Context, s *session.Session, m *setModel) string {
	return "members of " + s.HostOf(ctx, m.PrivateLabelID.ValueString())
}

func (setResource) Key(*setModel) string {
	return register.OnlyOne
}

func (setResource) Light(m *setModel, members int) inventory.Seen {
	return inventory.Seen{Label: m.PrivateLabelID.ValueString(), Members: members}
}

func (setResource) Read(ctx context.Context, s *session.Session, m *setModel, age inventory.Freshness) (*setModel, error) {
	list, err := s.Inventory.Members(ctx, m.PrivateLabelID.ValueString(), age)
	if err == nil {
		err = client.CheckMembers(list.All())
	}
	if err != nil {
		return nil, err
	}
	return m.filledFrom(list), nil
}

func (setResource) Absence(m *setModel) inventory.Absence {
	return inventory.OfMember(m.PrivateLabelID.ValueString(), "")
}

func (setResource) NoWarnings(m *setModel) bool {
	return len(m.ownersAndAdmins(nil)) == 0
}

// setOperation is one plan or apply of a set.
type setOperation struct {
	*setChange
	added    map[string]string // user IDs, by the name of the step
	released map[string]bool   // whom a step was to remove and did not, by its name
}

func (setResource) Begin(c *setChange) object.Operation[*setModel] {
	return &setOperation{c, map[string]string{}, map[string]bool{}}
}

// Plan plans the computed attributes, and warns about what has no effect.
func (op *setOperation) Plan(ctx context.Context) (diags diag.Diagnostics) {
	if op.Destroys() {
		return nil
	}
	host := op.HostOf(ctx, op.Want.PrivateLabelID.ValueString())
	people, before := op.Want.people(), op.Was.people()
	for _, email := range fwtype.SortedKeys(people) {
		if was, stays := before[email]; stays && !was.names.Equal(people[email].names) {
			diags.AddAttributeWarning(memberPath(people[email].email), SummaryName,
				"Only the state changes: no endpoint changes the name of a member of "+host+".")
			break
		}
	}
	if op.Creates() || !op.Want.Members.Equal(op.Was.Members) {
		op.Want.ID = op.Want.PrivateLabelID
		op.Want.UserIDs = idsOf(people)
		if op.Want.Members.IsUnknown() {
			op.Want.UserIDs = types.MapUnknown(types.StringType)
		}
	}
	if ownersAndAdmins := op.Want.ownersAndAdmins(op.Live.list()); len(ownersAndAdmins) > 0 {
		diags.Append(countAsPresent(ownersAndAdmins, host))
	}
	return diags
}

// Check rejects a create that would have to remove a member, and an address that is not one.
func (op *setOperation) Check(ctx context.Context) (diags diag.Diagnostics) {
	if op.Destroys() {
		return nil
	}
	label := op.Want.PrivateLabelID.ValueString()
	if op.Creates() && op.Live != nil && len(op.Want.others(op.Live.accounts)) > 0 {
		// The list may be old, so that a rejection is read again.
		live, err := setResource{}.Read(ctx, op.Session, op.Want, inventory.Fresh)
		if err != nil {
			diags.Append(notListed(ctx, op.Session, label, err)...)
		} else if others := op.Want.others(live.accounts); len(others) > 0 {
			host := op.HostOf(ctx, label)
			detail := fmt.Sprintf(otherMembers, inWords(others), host, session.ClientImportBlock("reseller_members", host, host, "reseller_members.this[0]"))
			diags.AddAttributeError(path.Root("members"), SummaryOtherMembers, detail)
		}
	}
	for _, s := range op.Steps {
		if _, found := findPerson(op.Live.list(), person{email: s.Name, id: s.ID}); s.Verb == verbAdd && !found {
			diags.Append(fwtype.TextProblem[fwtype.EmailKind](ctx, memberPath(s.Name), s.Name)...)
		}
	}
	// An announced removal does not happen if the user is owner or admin now.
	for _, p := range without(op.Was.people(), op.Want.people()) {
		if account, found := findPerson(op.Live.list(), p); !p.ownerOrAdmin && found && !isMember(account) {
			op.Warn(notRemoved(p.email, op.HostOf(ctx, label)))
		}
	}
	return diags
}

// Execute makes the API call for one user.
func (op *setOperation) Execute(ctx context.Context, s effect.Step, _ *setModel) transport.Outcome {
	label := op.Want.PrivateLabelID.ValueString()
	switch s.Verb {
	case verbAdd:
		added, o := addPerson(ctx, op.Session, label, op.Want.people()[normalEmail(s.Name)].newMember(), memberPath(s.Name), op.Warn)
		if o.State == transport.Applied {
			op.added[s.Name] = added.UserID
		}
		return o
	case verbRemove:
		o := removePerson(ctx, op.Session, label, s.ID)
		if o.State != transport.Absent || !transport.IsCode(o.Err, client.CodeCannotRemoveOwner, client.CodeUserNotFound) {
			return o
		}
		if transport.IsCode(o.Err, client.CodeCannotRemoveOwner) {
			op.Warn(notRemoved(s.Name, op.HostOf(ctx, label)))
		}
		op.released[s.Name] = true // admin now, or left in between
	}
	return transport.Done()
}

// ReadBack fills what an apply has reached from the list before the first step and the responses: the runtime keeps what the
// plan knows. A read waits until the API shows whom the apply has added; else the next plan would add them again.
func (op *setOperation) ReadBack(ctx context.Context, now *setModel) diag.Diagnostics {
	list := slices.Clone(op.Live.list().All())
	var added []string
	for _, s := range op.Done {
		if id := op.added[s.Name]; s.Verb == verbAdd && id != "" {
			list = append(list, client.Member{ID: id, Email: s.Name, Role: client.RoleMember})
			added = append(added, s.Name)
		}
	}
	*now = *now.filledFrom(inventory.NewMembers(list))
	if len(added) == 0 {
		return nil
	}
	detached, cancel := transport.DetachedContext(ctx)
	defer cancel()
	label := op.Want.PrivateLabelID.ValueString()
	shown, err := op.Inventory.Members(detached, label, inventory.Current)
	unshown := slices.DeleteFunc(added, func(email string) bool {
		if err != nil {
			return false
		}
		_, found := shown.ByID(op.added[email])
		return found
	})
	if len(unshown) == 0 {
		return nil
	}
	detail := fmt.Sprintf(addedNotShown, op.HostOf(ctx, label), inWords(unshown))
	if err != nil {
		detail = diagnostic.JoinParagraphs(detail, diagnostic.Cause(err))
	}
	if op.Creates() {
		return diag.Diagnostics{diag.NewWarningDiagnostic(object.SummaryNotRead, detail)}
	}
	return diag.Diagnostics{diag.NewErrorDiagnostic(object.SummaryNotRead, detail)}
}

// Explain is the error of a step.
func (op *setOperation) Explain(ctx context.Context, s effect.Step, o transport.Outcome) diag.Diagnostics {
	email := s.Name
	host := op.HostOf(ctx, op.Want.PrivateLabelID.ValueString())
	if errors.Is(o.Err, object.ErrChangedMeanwhile) {
		return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root("members"), summarySetChanged, fmt.Sprintf(setChanged, host, s.Key, setReport(op)))}
	}
	if s.Verb == verbRemove {
		return diagnostic.APIFailure{
			Summary: SummaryRemove, Object: email + " of " + host, Failed: email + " was not removed from " + host, Unchanged: setReport(op),
			Remedies: map[string]diagnostic.Remedy{client.CodeInvalidTarget: {At: path.Root("private_label_id"), Advice: "The reseller has no such private label."}},
		}.Of(o)
	}
	at := memberPath(email)
	return addFailure(email, host, setReport(op), at, at).Of(o)
}
