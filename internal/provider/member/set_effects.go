package member

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// setFacts is what reads of the API add to prior state and plan. The zero value adds nothing.
type setFacts struct {
	host    string // of the private label in state, "" if unknown
	newHost string // of the planned private label, "" if unknown
}

type setStepKind int

const (
	// setRemove removes a user who is in state and no longer in the map, and signs the user out.
	setRemove setStepKind = iota
	// setRelease stops managing an owner or admin who is no longer in the map, without an API call.
	setRelease
	// setAdopt stores a user who already is a member, with any role, in state, without an API call.
	setAdopt
	// setAdd adds and emails a user.
	setAdd
)

// setStep is what an apply does with one user.
type setStep struct {
	kind   setStepKind
	person person
}

// setSteps compares two sets of users. The plan announces these steps, and the apply executes no others. Removals
// depend on the prior state, which plan and apply share, so that no user is removed who became a member after the plan.
// Adoptions are the known elements of the planned `user_ids`. prior is nil for a create.
func setSteps(prior, planned *setModel) []setStep {
	before, after := prior.people(), planned.people()
	var steps []setStep
	for _, email := range fwtype.SortedKeys(before) {
		p := before[email]
		if _, stays := after[email]; stays {
			continue
		}
		kind := setRemove
		if p.privileged {
			kind = setRelease
		}
		steps = append(steps, setStep{kind, p})
	}
	for _, email := range fwtype.SortedKeys(after) {
		p := after[email]
		if _, stays := before[email]; stays {
			continue
		}
		kind := setAdopt
		if p.id.IsUnknown() {
			kind = setAdd
		}
		steps = append(steps, setStep{kind, p})
	}
	return steps
}

// moves reports whether the plan has another private label than the state. Terraform plans a replacement also for an
// unknown private label.
func (m *setModel) moves(prior *setModel) bool { return !m.PrivateLabelID.Equal(prior.PrivateLabelID) }

// setNotices returns the announced effects of a change of a set. prior is nil for a create, planned for a destroy. It
// makes no API call, so that `review` can use it on a saved plan.
func setNotices(prior, planned *setModel, facts setFacts) effect.Notices {
	switch {
	case prior == nil && planned == nil:
		return nil
	case planned == nil:
		return effect.Notices{setLeft(prior, facts)}
	case prior != nil && planned.moves(prior):
		return append(effect.Notices{setLeft(prior, facts)}, setNotices(nil, planned, setFacts{newHost: facts.newHost})...)
	case planned.Members.IsUnknown():
		return effect.Notices{setUnknown(prior, planned, facts)}
	}
	by := map[setStepKind][]string{}
	for _, s := range setSteps(prior, planned) {
		by[s.kind] = append(by[s.kind], s.person.email)
	}
	host := labelName(facts.newHost, planned.PrivateLabelID)
	var notices effect.Notices
	for _, text := range setTexts {
		if people := by[text.step]; len(people) > 0 {
			notices = append(notices, text.notice(people, host))
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

// setTexts are in the order in which an apply executes the steps.
var setTexts = []setText{
	{
		setRemove, effect.RemovingMember,
		"%s will be removed from %s: the member is signed out immediately, cannot sign in, and the seat is free again.",
		"%s will be removed from %s: the members are signed out immediately, cannot sign in, and their seats are free again.",
		removalOf,
	},
	{
		setRelease, effect.LeavingMembers,
		"%s of %s will not be removed: the API does not allow removing owners and admins. The seat stays, and the person is no longer managed.",
		"%s of %s will not be removed: the API does not allow removing owners and admins. The seats stay, and they are no longer managed.",
		func(email string) effect.Effect {
			return effect.Effect{Kind: effect.Forgotten, What: "owner or admin is no longer managed", Subject: email}
		},
	},
	{
		setAdd, effect.AddingMember,
		"%s will receive a set-password email branded for %s and will use one seat.",
		"%s will each receive a set-password email branded for %s and use one seat.",
		emailTo,
	},
}

func (t setText) notice(people []string, host string) effect.Notice {
	text := t.one
	if len(people) > 1 {
		text = t.many
	}
	return effect.Notice{
		Topic: t.topic, At: path.Root("members"), Detail: fmt.Sprintf(text, inWords(people), host), Effects: eachPerson(people, t.effect),
	}
}

func mayBeRemoved(email string) effect.Effect {
	return effect.Effect{Kind: effect.Removed, What: "member may be signed out and removed", Subject: email}
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
