package member

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

var (
	// Emailed and SignedOut are what a plan announces of a member.
	Emailed   = effect.Effect{Kind: effect.Email, What: "set-password email to a member"}
	SignedOut = effect.Effect{Kind: effect.Removed, What: "member signed out and removed"}
	left      = effect.Effect{Kind: effect.Forgotten, What: "member stays and is no longer managed"}
	leftSet   = effect.Effect{Kind: effect.Forgotten, What: "members stay and are no longer managed"}
)

// on is an effect on each of some people.
func on(e effect.Effect, people ...string) []effect.Effect {
	out := make([]effect.Effect, 0, len(people))
	for _, email := range people {
		e.Subject = email
		out = append(out, e)
	}
	return out
}

// announcement is what a step announces about one person or many, whom the texts name before the private label.
type announcement struct {
	verb           string
	topic          effect.Topic
	singular, many string
	effect         effect.Effect
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
		"%s of %s will not be removed: the API does not allow removing owners and admins. The seat stays, and the person is no longer managed.",
		"%s of %s will not be removed: the API does not allow removing owners and admins. The seats stay, and they are no longer managed.",
		effect.Effect{Kind: effect.Forgotten, What: "owner or admin is no longer managed"},
	}
	// present are the people to add who are members when the plan is made.
	present = announcement{
		singular: "%s is a member of %s already: no email is sent unless the member is removed before the apply.",
		many:     "%s are members of %s already: no email is sent unless they are removed before the apply.",
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

// Announce announces who is emailed and who is signed out.
func (kind) Announce(v view, todo []*effect.Step) effect.Notices {
	if v.Want == nil {
		return effect.Notices{destroyed(v, todo)}
	}
	if v.Was != nil {
		return nil
	}
	m, host := v.Want, v.Names.Host(v.Want.PrivateLabelID.ValueString())
	n := effect.Notice{Topic: TopicAddingMember, At: path.Root("email"), Effects: on(Emailed, effect.SubjectOf(m.Email))}
	n.Detail = adding.detail(host, effect.NameOf(m.Email, m.unknownPerson()))
	if v.Live != nil {
		n.Detail = alreadyMember(m, host, v.Live)
	}
	return effect.Notices{n}
}

// unknownPerson names a member by what the configuration has besides the email address.
func (m *model) unknownPerson() string {
	if name := strings.TrimSpace(m.FirstName.ValueString() + " " + m.LastName.ValueString()); name != "" {
		return name + ", whose email address is known after apply,"
	}
	return "A member whose email address is known after apply"
}

// destroyed announces a removal.
func destroyed(v view, todo []*effect.Step) effect.Notice {
	name, subject, host := v.Was.name(), effect.SubjectOf(v.Was.Email), v.Names.Host(v.Was.PrivateLabelID.ValueString())
	if now := v.Live; now != nil && !v.Was.Email.IsNull() && client.FoldEmail(now.Email) != client.FoldEmail(v.Was.Email.ValueString()) {
		name += fmt.Sprintf(" (now %s)", printable.OneLine(printable.Text(now.Email))) // the user ID decides who is removed
	}
	if len(todo) == 0 {
		detail := fmt.Sprintf("%s stays a member of %s with a seat; no API call is made. To manage the member again, import it.", name, host)
		return effect.Notice{Topic: TopicLeavingMembers, Detail: detail, Effects: on(left, subject)}
	}
	return effect.Notice{Topic: TopicRemovingMember, Detail: removing.detail(host, name), Effects: on(SignedOut, subject)}
}

// Announce announces who is emailed, who is signed out, and who is no longer managed.
func (setKind) Announce(v setView, todo []*effect.Step) (out effect.Notices) {
	switch {
	case v.Want == nil:
		host := v.Names.Host(v.Was.PrivateLabelID.ValueString())
		return effect.Notices{{
			Topic: TopicLeavingMembers, Effects: on(leftSet, strings.TrimPrefix(host, "private label ")),
			Detail: fmt.Sprintf("All members of %s keep their seats: nobody is removed or signed out. The set is removed from state. To manage it again, import it.", host),
		}}
	case v.Want.Members.IsUnknown():
		return effect.Notices{setUnknown(v)}
	}
	people, members, others := map[string][]string{}, map[string][]string{}, map[string][]string{}
	for _, s := range todo {
		people[s.Verb] = append(people[s.Verb], s.Name)
		if _, member := findPerson(v.Live, person{id: s.ID, email: s.Name}); s.Verb == verbAdd && member {
			members[s.Verb] = append(members[s.Verb], s.Name)
		} else {
			others[s.Verb] = append(others[s.Verb], s.Name)
		}
	}
	host := v.Names.Host(v.Want.PrivateLabelID.ValueString())
	for _, a := range []announcement{removing, releasing, adding} { // in the order of the steps
		if len(people[a.verb]) > 0 {
			detail := strings.TrimSpace(a.detail(host, others[a.verb]...) + " " + present.detail(host, members[a.verb]...))
			out = append(out, effect.Notice{Topic: a.topic, At: path.Root("members"), Detail: detail, Effects: on(a.effect, people[a.verb]...)})
		}
	}
	return out
}

// setUnknown announces a create of people who are known after apply.
func setUnknown(v setView) effect.Notice {
	perhapsEmailed := Emailed
	perhapsEmailed.If = "members adds one"
	return effect.Notice{
		Topic: TopicAddingMember, At: path.Root("members"), Effects: on(perhapsEmailed, effect.KnownAfterApply),
		Detail: fmt.Sprintf("members is known after apply: each person that is added to %s receives a set-password email and uses one seat.",
			v.Names.Host(v.Want.PrivateLabelID.ValueString())),
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

func (kind) Drift(was, now *model) []string {
	switch {
	case now == nil:
		return []string{"no longer a member"}
	case now.Role.ValueString() != was.Role.ValueString():
		return []string{fmt.Sprintf("role changed from %s to %s", was.Role.ValueString(), now.Role.ValueString())}
	default:
		return nil
	}
}

// Drift names who joined, left, or became an owner or admin.
func (setKind) Drift(was, now *setModel) (out []string) {
	if now == nil {
		return []string{"private label no longer in the list"}
	}
	before, after := fwtype.SortedKeys(was.people()), fwtype.SortedKeys(now.people())
	above, aboveNow := fwtype.SortedKeys(was.ownersAndAdminsInState()), fwtype.SortedKeys(now.ownersAndAdminsInState())
	say := func(what string, people []string, except ...string) {
		for _, email := range people {
			if !slices.Contains(except, email) {
				out = append(out, what+email)
			}
		}
	}
	say("a member joined: ", after, slices.Concat(before, aboveNow)...)
	say("a member left: ", before, slices.Concat(after, aboveNow)...)
	say("a member became owner or admin: ", aboveNow, above...)
	say("an owner or admin left: ", above, slices.Concat(before, aboveNow)...)
	return out
}
