package member

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/slice"
)

const (
	SummaryAdd    = "Error adding member"
	SummaryInvite = "Error sending set-password email"
	summaryRead   = "Error reading member"
	SummaryRemove = "Error removing member"

	summaryImportID       = "Invalid import ID of a member"
	SummaryLabelGone      = "Member removed with its private label"
	SummaryName           = "Member name is not updated by the API"
	SummaryNoReplace      = "Members cannot be replaced with -replace"
	summaryNotFound       = "Member not found"
	SummaryPermanentRole  = "Owners and admins cannot be removed"
	SummaryRemoved        = "Member not found, removed from state"
	SummaryResponseLost   = "Response lost, member found"
	SummaryReturned       = "Member was added again and is not removed"
	SummaryDuplicateEmail = "Duplicate email address"
	summaryNoNames        = "Missing names of a member"
	SummaryOtherMembers   = "Private label has other members"
	SummaryPrivileged     = "Owners and admins count as present"
	summarySetChanged     = "Members changed during the apply"
	SummarySetLabelGone   = "Members removed from state with private label"
	SummarySetNoReplace   = "Sets of members cannot be replaced"
)

// What plans announce.
var (
	TopicAddingMember   = effect.NewTopic("Adding a member sends an email", effect.Email)
	TopicAdoptingMember = effect.NewTopic("Existing member is adopted", effect.Email)
	TopicRemovingMember = effect.NewTopic("Removed member is signed out immediately", effect.Removed)
	TopicLeavingMembers = effect.NewTopic("Members are only removed from state", effect.Forgotten)
)

// What happens to members.
var (
	Emailed   = effect.Email.Event("set-password email to a member")
	SignedOut = effect.Removed.Event("member signed out and removed")

	left     = effect.Forgotten.Event("member removed from state only")
	leftSet  = effect.Forgotten.Event("members removed from state only")
	released = effect.Forgotten.Event("owner or admin no longer managed")

	noMember    = effect.HarmLost.Drift("no longer a member")
	roleChanged = effect.Drift.Event("role changed from {before} to {after}")
	setGone     = effect.HarmLost.Drift("private label no longer in the list")
	joined      = effect.Drift.Event("a member joined")
	memberLeft  = effect.HarmLost.Drift("a member left")
	promoted    = effect.Drift.Event("a member became owner or admin")
	adminLeft   = effect.HarmLost.Drift("an owner or admin left")
)

// on is an event of each of some people.
func on(e effect.Event, people ...string) []effect.Effect {
	return slice.Map(people, func(email string) effect.Effect { return effect.Effect{Event: e, Email: types.StringValue(email)} })
}

// Warnings announce who is emailed and who is signed out.
func (resource) Warnings(v view, todo []effect.Step) effect.Warnings {
	if v.Want == nil {
		return effect.Warnings{destroyed(v, todo)}
	}
	if v.Was != nil {
		return nil
	}
	m := v.Want
	host := v.Label().String()
	n := effect.Warning{Topic: TopicAddingMember, At: path.Root("email"), Effects: []effect.Effect{{Event: Emailed, Email: effect.Text(m.Email)}}}
	n.Detail = adding.detail(host, effect.NameOf(m.Email, m.unknownPerson()))
	if v.Live != nil {
		n.Topic = TopicAdoptingMember
		n.Detail = alreadyMember(m, host, v.Live)
	}
	return effect.Warnings{n}
}

// unknownPerson names a member by what the configuration has besides the email address.
func (m *model) unknownPerson() string {
	if name := strings.TrimSpace(m.FirstName.ValueString() + " " + m.LastName.ValueString()); name != "" {
		return name + ", whose email address is known after apply,"
	}
	return "A member whose email address is known after apply"
}

// alreadyMember says what a create of an existing member does not do, and what a destroy will.
func alreadyMember(m *model, host string, live *model) string {
	as := "a member"
	later := " Destroying this resource removes the member."
	if live.administers() {
		as = "an " + live.Role.ValueString()
		later = " The API does not allow removing owners and admins."
	}
	if live.Role.ValueString() == client.RoleOwner {
		as = "the owner"
	}
	if m.DeletionPolicy.ValueString() != effect.PolicyRemove {
		later = ""
	}
	return fmt.Sprintf("%s is already %s of %s. No email is sent unless that changes.%s If it is tainted, run terraform untaint; if renamed, add a moved block.",
		m.Email.ValueString(), as, host, later)
}

// destroyed announces a removal.
func destroyed(v view, todo []effect.Step) effect.Warning {
	name, host := v.Was.name(), v.Label().String()
	about := func(e effect.Event) []effect.Effect {
		return []effect.Effect{{Event: e, Email: effect.Text(v.Was.Email)}}
	}
	if now := v.Live; now != nil && !v.Was.Email.IsNull() && client.FoldEmail(now.address) != client.FoldEmail(v.Was.Email.ValueString()) {
		name += fmt.Sprintf(" (now %s)", printable.OneLine(printable.Text(now.address))) // the user ID decides who is removed
	}
	if len(todo) == 0 {
		detail := fmt.Sprintf("%s stays a member of %s with a seat; no API call is made. To manage the member again, import it.", name, host)
		return effect.Warning{Topic: TopicLeavingMembers, Detail: detail, Effects: about(left)}
	}
	return effect.Warning{Topic: TopicRemovingMember, Detail: removing.detail(host, name), Effects: about(SignedOut)}
}

// Warnings announce who is emailed, who is signed out, and who is no longer managed.
func (setResource) Warnings(v setView, todo []effect.Step) (out effect.Warnings) {
	switch {
	case v.Want == nil:
		host := v.Label().String()
		return effect.Warnings{{
			Topic: TopicLeavingMembers, Effects: []effect.Effect{{Event: leftSet}},
			Detail: fmt.Sprintf("The set of members of %s is removed from state. No API call is made: nobody is removed or signed out. To manage it again, import it.", host),
		}}
	case v.Want.Members.IsUnknown():
		return effect.Warnings{setUnknown(v)}
	}
	people := map[string][]string{}
	members := map[string][]string{}
	others := map[string][]string{}
	for _, s := range todo {
		people[s.Verb] = append(people[s.Verb], s.Name)
		if _, member := findPerson(v.Live.list(), person{id: s.ID, email: s.Name}); s.Verb == verbAdd && member {
			members[s.Verb] = append(members[s.Verb], s.Name)
		} else {
			others[s.Verb] = append(others[s.Verb], s.Name)
		}
	}
	host := v.Label().String()
	for _, a := range []announcement{removing, releasing, adding} { // in the order of the steps
		all := people[a.verb]
		if len(all) == 0 {
			continue
		}
		if len(others[a.verb]) == 0 {
			a.topic = adopting.topic
		}
		detail := strings.TrimSpace(a.detail(host, others[a.verb]...) + " " + adopting.detail(host, members[a.verb]...))
		out = append(out, effect.Warning{Topic: a.topic, At: path.Root("members"), Detail: detail, Effects: on(a.event, all...)})
	}
	return out
}

// setUnknown announces a create of people who are known after apply.
func setUnknown(v setView) effect.Warning {
	return effect.Warning{
		Topic: TopicAddingMember, At: path.Root("members"),
		Effects: []effect.Effect{{Event: Emailed, If: "members adds one", Email: types.StringUnknown()}},
		Detail:  fmt.Sprintf("members is known after apply: each new member of %s receives a set-password email and uses one seat.", v.Label()),
	}
}

// announcement is what a step announces about one person or many, whom the texts name before the private label.
type announcement struct {
	verb           string
	topic          effect.Topic
	singular, many string
	event          effect.Event
}

var (
	adding = announcement{
		verbAdd, TopicAddingMember,
		"%s receives a set-password email branded for %s and uses one seat.",
		"%s each receive a set-password email branded for %s and use one seat.",
		Emailed,
	}
	removing = announcement{
		verbRemove, TopicRemovingMember,
		"%s will be removed from %s: the member is signed out immediately, cannot sign in, and the seat is free again.",
		"%s will be removed from %s: the members are signed out immediately, cannot sign in, and their seats are free again.",
		SignedOut,
	}
	releasing = announcement{
		verbRelease, TopicLeavingMembers,
		"%s of %s will not be removed: the API does not allow removing owners and admins. The seat stays, and the member is no longer managed.",
		"%s of %s will not be removed: the API does not allow removing owners and admins. The seats stay, and the members are no longer managed.",
		released,
	}
	// adopting is of the people to add who are members when the plan is made.
	adopting = announcement{
		verbAdd, TopicAdoptingMember,
		"%s is already a member of %s. No email is sent unless that changes.",
		"%s are already members of %s. No email is sent unless that changes.",
		Emailed,
	}
)

func (a announcement) detail(host string, people ...string) string {
	switch len(people) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(a.singular, people[0], host)
	default:
		return fmt.Sprintf(a.many, inWords(people), host)
	}
}

// maxNamed is the maximum number of users that a message names.
const maxNamed = 12

// inWords lists users: "a, b and 3 more".
func inWords(people []string) string {
	if more := len(people) - maxNamed; more > 0 {
		people = append(slices.Clone(people[:maxNamed]), fmt.Sprintf("%d more", more))
	}
	return effect.Series("and", people)
}

func (resource) Drift(was, now *model) []effect.Effect {
	switch {
	case now == nil:
		return []effect.Effect{{Event: noMember}}
	case now.Role.ValueString() != was.Role.ValueString():
		return []effect.Effect{{Event: roleChanged, Before: was.Role.ValueString(), After: now.Role.ValueString()}}
	default:
		return nil
	}
}

// Drift names who joined, left, or became an owner or admin.
func (setResource) Drift(was, now *setModel) (out []effect.Effect) {
	if now == nil {
		return []effect.Effect{{Event: setGone}}
	}
	before := fwtype.SortedKeys(was.people())
	after := fwtype.SortedKeys(now.people())
	above := fwtype.SortedKeys(was.ownersAndAdminsInState())
	aboveNow := fwtype.SortedKeys(now.ownersAndAdminsInState())
	add := func(e effect.Event, people []string, except ...string) {
		out = append(out, on(e, slices.DeleteFunc(people, func(email string) bool { return slices.Contains(except, email) })...)...)
	}
	add(joined, slices.Clone(after), slices.Concat(before, aboveNow)...)
	add(memberLeft, slices.Clone(before), slices.Concat(after, aboveNow)...)
	add(promoted, slices.Clone(aboveNow), above...)
	add(adminLeft, slices.Clone(above), slices.Concat(before, aboveNow)...)
	return out
}

const (
	cannotReplace = "Replacing %s, %s of %s, would remove the member first, which the API does not allow (CANNOT_REMOVE_OWNER).\n\n" +
		"Restore email and private_label_id, and run the plan without -replace. To add a member, add a resource."
	responseLost = "The call to add %s failed or its response was lost, and the user is a member of %s now. At most one email was sent. If none arrived, use the action reseller_resend_invite."
	// Of a create that would have to remove members.
	otherMembers = "members lacks %s of %s. Creating this resource removes nobody.\n\n" +
		"Add them to members. To remove them, import the set; the plan then shows each removal:\n\n%s"
	setChanged      = "The members of %s changed during the apply, which would now make a change that the plan did not announce: %s.\n\n%s Plan again to see the change."
	addedNotShown   = "%s: the API accepted each call and does not show %s yet. Plan again in a few minutes."
	notAMember      = "%s is not a member of %s. Nothing was imported. Recipients of documents are not members. Remove the import block; an apply of the resource then adds the member."
	invalidImportID = "%q does not name a member. Nothing was imported. Import a member by private label ID or host name, a slash, and user ID or email address, such as sign.acme.example/bob@acme.example."
)

var notReplaceable = &object.Rejection{
	Summary: SummaryNoReplace,
	Detail: "Replacing %s would sign the member out and email the member again.\n\n" +
		"Run the plan without -replace, and remove replace_triggered_by. If the resource is tainted, run terraform untaint. To send another set-password email, use the action reseller_resend_invite.",
}

var setNotReplaceable = &object.Rejection{
	Summary: SummarySetNoReplace,
	Detail:  "Replacing %s would remove nobody, but may email people, and Terraform shows no warning of it. Run the plan without -replace, and remove replace_triggered_by.",
}

func (resource) Gone(ctx context.Context, s *session.Session, m *model) (removed, left diag.Diagnostic) {
	label := m.PrivateLabelID.ValueString()
	host := s.HostOf(ctx, label)
	if s.LacksLabel(ctx, label) {
		return diag.NewWarningDiagnostic(SummaryLabelGone, fmt.Sprintf("%s was removed from state. %s", m.name(), session.GoneText(host, label))), nil
	}
	if left = addedAgain(ctx, s, m); left != nil {
		return diag.NewWarningDiagnostic(SummaryRemoved,
			fmt.Sprintf("%s of %s was added again under a different user ID outside of Terraform. "+
				"The next apply of the resource adopts the member without an email. A destroy of the old user ID does not remove the member.", m.name(), host)), left
	}
	return diag.NewWarningDiagnostic(SummaryRemoved,
		fmt.Sprintf("%s was removed from %s outside of Terraform. The next apply adds and emails the member again while the resource is configured.", m.name(), host)), nil
}

// addedAgain warns that a destroy leaves a member who was added again under a different user ID; nil if it leaves none.
func addedAgain(ctx context.Context, s *session.Session, m *model) diag.Diagnostic {
	members, err := s.Inventory.Members(ctx, m.PrivateLabelID.ValueString(), inventory.Cached)
	if err != nil || m.Email.IsNull() {
		return nil
	}
	if live, found := members.ByEmail(m.Email.ValueString()); !found || live.ID == m.ID.ValueString() {
		return nil
	}
	return diag.NewWarningDiagnostic(SummaryReturned,
		fmt.Sprintf("%s of %s was added again under a different user ID outside of Terraform. The member keeps the seat and is not in state. "+
			"To remove the member, import and destroy it.", m.name(), s.HostOf(ctx, m.PrivateLabelID.ValueString())))
}

func (setResource) Gone(ctx context.Context, s *session.Session, m *setModel) (removed, left diag.Diagnostic) {
	label := m.PrivateLabelID.ValueString()
	return diag.NewWarningDiagnostic(SummarySetLabelGone, session.GoneText(s.HostOf(ctx, label), label)), nil
}

func cannotRemove(m *model, host, role string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(SummaryPermanentRole,
		fmt.Sprintf("The API does not allow removing %s, %s of %s (CANNOT_REMOVE_OWNER).\n\n"+
			"To stop managing the member, run terraform state rm, or use a removed block with destroy = false. No API call changes a role. The API documentation does not define who can make an admin a member again.", m.name(), role, host))
}

// notRemoved warns that an announced removal does not happen.
func notRemoved(email, host string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("members"), SummaryPermanentRole,
		fmt.Sprintf("%s of %s was not removed: the member is now owner or admin, whom the API does not allow removing. The seat stays, and the member is no longer managed.", email, host))
}

// countAsPresent warns about owners and admins in the map.
func countAsPresent(people []string, host string) diag.Diagnostic {
	be := "is"
	if len(people) > 1 {
		be = "are"
	}
	return diag.NewAttributeWarningDiagnostic(path.Root("members"), SummaryPrivileged,
		fmt.Sprintf("%s %s owner or admin of %s. Nothing is sent for them: role, seat and name stay, and removing the entry removes nobody.", inWords(people), be, host))
}

// addFailure maps error codes of adding a member (Reseller API §4.16) to attributes.
func addFailure(email, host, unchanged string, address, names path.Path) diagnostic.APIFailure {
	return diagnostic.APIFailure{
		Summary:   SummaryAdd,
		Object:    host,
		Failed:    email + " was not added to " + host,
		Unchanged: unchanged,
		Remedies: map[string]diagnostic.Remedy{
			client.CodeSeatQuotaReached: {At: path.Root("private_label_id")},
			client.CodeInvalidEmail:     {At: address},
			client.CodeInvalidName:      {At: names},
			client.CodeInvalidRequest:   {At: names, Advice: "A value is longer than its field; the API documentation gives no lengths. Shorten the names."},
			client.CodeInvalidTarget:    session.NotALabel,
		},
	}
}

// notListed is the error of a list of members that could not be read.
func notListed(ctx context.Context, s *session.Session, label string, err error) diag.Diagnostics {
	return s.NotOfLabel(ctx, diagnostic.SummaryListMembers, label, "The members list of "+s.HostOf(ctx, label), err)
}

func inviteFailure(host, user string, err error) diagnostic.APIFailure {
	again := "in five minutes"
	if answer, ok := errors.AsType[*transport.Error](err); ok && answer.RetryAfter > 0 {
		again = "after " + answer.RetryAfter.Round(time.Second).String()
	}
	return diagnostic.APIFailure{
		Summary:   SummaryInvite,
		Object:    host,
		Failed:    fmt.Sprintf("User %s of %s was not sent a set-password email", user, host),
		Unchanged: "This call sent no email",
		Remedies: map[string]diagnostic.Remedy{
			client.CodeTooFrequent:   {Advice: "The API rejects an invitation for five minutes after the last set-password email of a user, including the one sent when the member was added. Invoke the action again " + again + "."},
			client.CodeInternal:      {Advice: "The API could not send the email. Invoke the action again after five minutes; the failed attempt counts."},
			client.CodeUserNotFound:  {At: path.Root("user_id")},
			client.CodeInvalidTarget: session.NotALabel,
		},
	}
}

// setReport describes what the API calls of an apply did, and whether the state has it.
func setReport(op *setOperation) string {
	by := map[string][]string{}
	for _, s := range op.Done {
		if !op.released[s.Name] {
			by[s.Verb] = append(by[s.Verb], s.Name)
		}
	}
	var done []string
	if len(by[verbRemove]) > 0 {
		done = append(done, "removed "+inWords(by[verbRemove]))
	}
	if len(by[verbAdd]) > 0 {
		done = append(done, "added "+inWords(by[verbAdd]))
	}
	switch {
	case len(done) == 0:
		return "Nothing was changed."
	case op.Creates():
		return fmt.Sprintf("Before that, this apply %s. The next apply adds the rest without another email to them.", strings.Join(done, " and "))
	default:
		return fmt.Sprintf("Before that, this apply %s, which is in state. Apply again for the rest.", strings.Join(done, " and "))
	}
}
