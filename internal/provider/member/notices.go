package member

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/slice"
)

// What happens to members.
var (
	Emailed   = effect.Event{Kind: effect.Email, Phrase: "set-password email to a member"}
	SignedOut = effect.Event{Kind: effect.Removed, Phrase: "member signed out and removed"}

	left     = effect.Event{Kind: effect.Forgotten, Phrase: "member stays and is no longer managed"}
	leftSet  = effect.Event{Kind: effect.Forgotten, Phrase: "members stay and are no longer managed"}
	released = effect.Event{Kind: effect.Forgotten, Phrase: "owner or admin is no longer managed"}

	noMember    = effect.Event{Kind: effect.Drift, Phrase: "no longer a member", Harm: effect.HarmLost}
	roleChanged = effect.Event{Kind: effect.Drift, Phrase: "role changed from {before} to {after}"}
	setGone     = effect.Event{Kind: effect.Drift, Phrase: "private label no longer in the list", Harm: effect.HarmLost}
	joined      = effect.Event{Kind: effect.Drift, Phrase: "a member joined"}
	memberLeft  = effect.Event{Kind: effect.Drift, Phrase: "a member left", Harm: effect.HarmLost}
	promoted    = effect.Event{Kind: effect.Drift, Phrase: "a member became owner or admin"}
	adminLeft   = effect.Event{Kind: effect.Drift, Phrase: "an owner or admin left", Harm: effect.HarmLost}
)

// on is an event of each of some people.
func on(e effect.Event, people ...string) []effect.Effect {
	return slice.Map(people, func(email string) effect.Effect { return effect.Effect{Event: e, Email: types.StringValue(email)} })
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
		"%s of %s will not be removed: the API does not allow removing owners and admins. The seat stays, and the person is no longer managed.",
		"%s of %s will not be removed: the API does not allow removing owners and admins. The seats stay, and they are no longer managed.",
		released,
	}
	// adopting is of the people to add who are members when the plan is made.
	adopting = announcement{
		verbAdd, TopicAdoptingMember,
		"%s is already a member of %s. No email is sent unless the member is removed before the apply.",
		"%s are already members of %s. No email is sent unless they are removed before the apply.",
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

// Announce announces who is emailed and who is signed out.
func (kind) Announce(v view, todo []effect.Step) effect.Notices {
	if v.Want == nil {
		return effect.Notices{destroyed(v, todo)}
	}
	if v.Was != nil {
		return nil
	}
	m, host := v.Want, v.Label().String()
	n := effect.Notice{Topic: TopicAddingMember, At: path.Root("email"), Effects: []effect.Effect{{Event: Emailed, Email: effect.Text(m.Email)}}}
	n.Detail = adding.detail(host, effect.NameOf(m.Email, m.unknownPerson()))
	if v.Live != nil {
		n.Topic, n.Detail = TopicAdoptingMember, alreadyMember(m, host, v.Live)
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
func destroyed(v view, todo []effect.Step) effect.Notice {
	name, host := v.Was.name(), v.Label().String()
	about := func(e effect.Event) []effect.Effect {
		return []effect.Effect{{Event: e, Email: effect.Text(v.Was.Email)}}
	}
	if now := v.Live; now != nil && !v.Was.Email.IsNull() && client.FoldEmail(now.address) != client.FoldEmail(v.Was.Email.ValueString()) {
		name += fmt.Sprintf(" (now %s)", printable.OneLine(printable.Text(now.address))) // the user ID decides who is removed
	}
	if len(todo) == 0 {
		detail := fmt.Sprintf("%s stays a member of %s with a seat; no API call is made. To manage the member again, import it.", name, host)
		return effect.Notice{Topic: TopicLeavingMembers, Detail: detail, Effects: about(left)}
	}
	return effect.Notice{Topic: TopicRemovingMember, Detail: removing.detail(host, name), Effects: about(SignedOut)}
}

// Announce announces who is emailed, who is signed out, and who is no longer managed.
func (setKind) Announce(v setView, todo []effect.Step) (out effect.Notices) {
	switch {
	case v.Want == nil:
		host := v.Label().String()
		return effect.Notices{{
			Topic: TopicLeavingMembers, Effects: []effect.Effect{{Event: leftSet}},
			Detail: fmt.Sprintf("All members of %s keep their seats: nobody is removed or signed out. The set is removed from state. To manage it again, import it.", host),
		}}
	case v.Want.Members.IsUnknown():
		return effect.Notices{setUnknown(v)}
	}
	people, members, others := map[string][]string{}, map[string][]string{}, map[string][]string{}
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
		out = append(out, effect.Notice{Topic: a.topic, At: path.Root("members"), Detail: detail, Effects: on(a.event, all...)})
	}
	return out
}

// setUnknown announces a create of people who are known after apply.
func setUnknown(v setView) effect.Notice {
	return effect.Notice{
		Topic: TopicAddingMember, At: path.Root("members"),
		Effects: []effect.Effect{{Event: Emailed, If: "members adds one", Email: types.StringUnknown()}},
		Detail:  fmt.Sprintf("members is known after apply: each person that is added to %s receives a set-password email and uses one seat.", v.Label()),
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

func (kind) Drift(was, now *model) []effect.Effect {
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
func (setKind) Drift(was, now *setModel) (out []effect.Effect) {
	if now == nil {
		return []effect.Effect{{Event: setGone}}
	}
	before, after := fwtype.SortedKeys(was.people()), fwtype.SortedKeys(now.people())
	above, aboveNow := fwtype.SortedKeys(was.ownersAndAdminsInState()), fwtype.SortedKeys(now.ownersAndAdminsInState())
	add := func(e effect.Event, people []string, except ...string) {
		out = append(out, on(e, slices.DeleteFunc(people, func(email string) bool { return slices.Contains(except, email) })...)...)
	}
	add(joined, slices.Clone(after), slices.Concat(before, aboveNow)...)
	add(memberLeft, slices.Clone(before), slices.Concat(after, aboveNow)...)
	add(promoted, slices.Clone(aboveNow), above...)
	add(adminLeft, slices.Clone(above), slices.Concat(before, aboveNow)...)
	return out
}
