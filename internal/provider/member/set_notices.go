package member

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
)

type setView = object.View[*setModel, *inventory.Members]

// setNotices announces who is emailed, who is signed out, and who is no longer managed.
func setNotices(v setView, todo []*setStep) effect.Notices {
	switch {
	case v.Want == nil:
		return effect.Notices{setLeft(v)}
	case v.Want.Members.IsUnknown():
		return effect.Notices{setUnknown(v)}
	}
	by := map[setStepKind][]string{}
	for _, s := range todo {
		by[s.kind] = append(by[s.kind], s.person.email)
	}
	host := labelName(v.Names, v.Want.PrivateLabelID)
	var notices effect.Notices
	for _, text := range setTexts {
		if people := by[text.step]; len(people) > 0 {
			notices = append(notices, text.notice(v, people, host))
		}
	}
	return notices
}

// setText is the announcement of all users of one kind of step.
type setText struct {
	step      setStepKind
	topic     effect.Topic
	one, many string // with the users and the private label
	effect    func(email string) effect.Effect
}

// setPresent are the users to add who are members when the plan is made.
var setPresent = setText{
	one:  "%s is a member of %s already: no email is sent unless the member is removed before the apply.",
	many: "%s are members of %s already: no email is sent unless they are removed before the apply.",
}

// setTexts are in the order in which an apply executes the steps.
var setTexts = []setText{
	{
		setRemove, topicRemovingMember,
		"%s will be removed from %s: the member is signed out immediately, cannot sign in, and the seat is free again.",
		"%s will be removed from %s: the members are signed out immediately, cannot sign in, and their seats are free again.",
		removalOf,
	},
	{
		setRelease, topicLeavingMembers,
		"%s of %s will not be removed: the API does not allow removing owners and admins. The seat stays, and the person is no longer managed.",
		"%s of %s will not be removed: the API does not allow removing owners and admins. The seats stay, and they are no longer managed.",
		func(email string) effect.Effect {
			return effect.Effect{Kind: effect.Forgotten, What: "owner or admin is no longer managed", Subject: email}
		},
	},
	{
		setAdd, topicAddingMember,
		"%s will receive a set-password email branded for %s and will use one seat.",
		"%s will each receive a set-password email branded for %s and use one seat.",
		emailTo,
	},
}

func (t setText) notice(v setView, people []string, host string) effect.Notice {
	var present, others []string
	for _, email := range people {
		if _, member := findPerson(v.Live, person{email: email}); member && t.step == setAdd {
			present = append(present, email)
		} else {
			others = append(others, email)
		}
	}
	detail := strings.TrimSpace(t.detail(others, host) + " " + setPresent.detail(present, host))
	return effect.Notice{Topic: t.topic, At: path.Root("members"), Detail: detail, Effects: eachPerson(people, t.effect)}
}

func (t setText) detail(people []string, host string) string {
	switch len(people) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(t.one, people[0], host)
	default:
		return fmt.Sprintf(t.many, inWords(people), host)
	}
}

func perhapsRemoved(email string) effect.Effect {
	e := removalOf(email)
	e.If = "members lacks the address"
	return e
}

func eachPerson(people []string, of func(email string) effect.Effect) []effect.Effect {
	out := make([]effect.Effect, 0, len(people))
	for _, email := range people {
		out = append(out, of(email))
	}
	return out
}

// maxNamed is the maximum number of users that a message names.
const maxNamed = 12

// inWords lists users: "a, b and 3 more".
func inWords(people []string) string {
	named, rest := people, ""
	if len(people) > maxNamed {
		named, rest = people[:maxNamed], fmt.Sprintf("%d more", len(people)-maxNamed)
	} else if last := len(people) - 1; last > 0 {
		named, rest = people[:last], people[last]
	}
	if rest == "" {
		return strings.Join(named, ", ")
	}
	return strings.Join(named, ", ") + " and " + rest
}
