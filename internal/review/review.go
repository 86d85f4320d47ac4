package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/review/listing"
)

// Row is one effect of a plan.
type Row = listing.Row

// Review is what a plan does that cannot be undone or reaches people, most harmful first and then in the order of the plan.
type Review struct {
	listing.Listing
	// Notices of the resources, by the address of the instance. Their warnings are those of the plan.
	Notices map[string]effect.Notices
}

// reviewer makes the review of one plan.
type reviewer struct {
	known effect.Reviewers
	plan  *plan
	out   *Review
}

const (
	nothing     = "No effects that cannot be undone or that reach people."
	noDrift     = "No drift, and no effects that cannot be undone or that reach people."
	partialNote = "The plan is partial (-target, or deferred changes): effects of what it leaves out are not listed."
)

// reviewPlan reviews a plan, and what has changed outside of Terraform if that is asked for.
func reviewPlan(ctx context.Context, p *plan, known effect.Reviewers, drift bool) (*Review, error) {
	if p.foreign && len(p.invocations) == 0 {
		return nil, errForeign
	}
	r := &reviewer{known: known, plan: p, out: &Review{Notices: map[string]effect.Notices{}, Listing: listing.Listing{
		Title: "Effects of this plan", Nothing: nothing, Noun: "effect", Kinds: effect.Kinds(), Named: effect.Removed,
	}}}
	if drift {
		r.out.Title, r.out.Nothing = "Drift report: what has changed outside of Terraform", noDrift
		for _, address := range slices.Sorted(maps.Keys(p.dns.lost)) {
			id := p.dns.lost[address]
			if host := p.names.Host(id); p.dns.verified[id] {
				r.add(address, host, effect.Effect{Kind: effect.Drift, What: "DNS no longer verified", Subject: host}, secrets{})
			}
		}
	} else {
		p.drift = nil
	}
	for i, c := range slices.Concat(p.drift, p.changes) {
		if err := r.change(ctx, c, i < len(p.drift)); err != nil {
			return nil, unreviewable(c.Address, err)
		}
	}
	for _, i := range p.invocations {
		if err := r.invocation(i); err != nil {
			return nil, unreviewable(i.Address, err)
		}
	}
	r.conflicts()
	r.out.Sort()
	note := func(applies bool, text string) {
		if applies {
			r.out.Notes = append(r.out.Notes, text)
		}
	}
	note(p.imports > 0, fmt.Sprintf("The plan imports %s.", listing.Count(p.imports, "object")))
	note(p.partial, partialNote)
	return r.out, nil
}

func unreviewable(address string, err error) error {
	return inputError(fmt.Sprintf("%s of the plan cannot be reviewed: %s.", listing.Clean(address), listing.Clean(err.Error())))
}

// errForeign stops a pipeline that reviews another plan than it meant to.
var errForeign = inputError("The plan has no resources of this provider. Give the plan of a configuration that has some.")

var errUnknownType = errors.New("this version of the provider does not have its type; review with the version that made the plan")

// outcome says what a plan's actions do with the object before and the one after.
type outcome struct{ prior, planned, forgets bool }

// outcomeOf returns an error for an unknown action, which may have effects.
func outcomeOf(c *change) (outcome, error) {
	actions := slices.Sorted(slices.Values(c.Actions))
	switch joined := strings.Join(actions, ","); joined {
	case "no-op", "read":
		return outcome{}, nil
	case "create":
		return outcome{planned: true}, nil
	case "update":
		return outcome{prior: true, planned: true}, nil
	case "delete":
		return outcome{prior: true}, nil
	case "forget":
		return outcome{forgets: true}, nil
	case "create,forget": // the old object is only removed from state
		return outcome{planned: true, forgets: true}, nil
	case "create,delete":
		// A tainted object is planned as a create; every other replacement as a change of the object.
		return outcome{prior: c.ActionReason != "replace_because_tainted", planned: true}, nil
	default:
		return outcome{}, fmt.Errorf("its action %q is not known to this version of the provider", listing.Clean(joined))
	}
}

// lacks says what a change must have and does not: it would be reviewed as an object without effects.
func (o outcome) lacks(c *change, subject string) error {
	named := func(object any) bool {
		fields, _ := object.(map[string]any)
		return fields[subject] != nil
	}
	switch {
	case (o.prior || o.forgets) && !named(c.Before):
		return fmt.Errorf("its object before the change is null or has no %s", subject)
	case o.planned && !named(c.After) && !c.isUnknown(subject):
		return fmt.Errorf("its planned object is null or has no %s", subject)
	}
	return nil
}

// change adds the rows of a change that the plan makes, or that happened outside of Terraform. A move of an address is none.
func (r *reviewer) change(ctx context.Context, c *change, isDrift bool) error {
	does, err := outcomeOf(c)
	if err != nil || does == (outcome{}) || isDrift && !does.prior {
		return err
	}
	typeReviewer, err := r.reviewerOf(c.Type)
	if err != nil {
		return err
	}
	prior, planned, err := c.objects(typeReviewer.Shape)
	if err != nil {
		return err
	}
	if isDrift {
		return r.drift(ctx, c, typeReviewer, prior, planned)
	}
	if err := does.lacks(c, typeReviewer.Subject); err != nil {
		return err
	}
	if !does.prior {
		prior = tftypes.NewValue(typeReviewer.Shape, nil)
	}
	if !does.planned {
		planned = tftypes.NewValue(typeReviewer.Shape, nil)
	}
	r.out.Notices[c.Address], err = typeReviewer.Notices(ctx, prior, planned, r.plan.names)
	for _, e := range r.out.Notices[c.Address].Effects() {
		r.ofChange(c, e)
	}
	if does.forgets {
		r.ofChange(c, effect.Effect{Kind: effect.Forgotten, What: "resource removed from state only", Subject: r.subject(typeReviewer.Subject, c.Before)})
	}
	return err
}

func (r *reviewer) drift(ctx context.Context, c *change, typeReviewer effect.Reviewer, before, after tftypes.Value) error {
	phrases, err := typeReviewer.Drift(ctx, before, after)
	if err == nil && len(phrases) == 0 {
		phrases = c.changedAttributes()
	}
	for _, phrase := range phrases {
		r.ofChange(c, effect.Effect{Kind: effect.Drift, What: phrase, Subject: r.subject(typeReviewer.Subject, c.Before)})
	}
	return err
}

func (c *change) changedAttributes() []string {
	before, _ := c.Before.(map[string]any)
	after, _ := c.After.(map[string]any)
	var changed []string
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if !reflect.DeepEqual(before[name], after[name]) {
			changed = append(changed, name)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return []string{"changed outside of Terraform: " + strings.Join(changed, ", ")}
}

func (r *reviewer) reviewerOf(typ string) (effect.Reviewer, error) {
	i := slices.IndexFunc(r.known.Resources, func(k effect.Reviewer) bool { return k.Type == typ })
	if i < 0 {
		return effect.Reviewer{}, errUnknownType
	}
	return r.known.Resources[i], nil
}

func (r *reviewer) add(address, host string, e effect.Effect, hidden secrets) {
	r.out.Rows = append(r.out.Rows, Row{
		Kind: e.Kind, Address: address, What: hidden.hide(e.Phrase()), Subject: hidden.hideSubject(e.Subject), Host: hidden.hideSubject(host),
	})
}

// ofChange adds a row to those of the private label that the changed object belongs to.
func (r *reviewer) ofChange(c *change, e effect.Effect) {
	r.add(c.Address, r.plan.labels.labelOf(c).host, e, c.hidden)
}

// objects returns the object before and after a change.
func (c *change) objects(shape tftypes.Type) (prior, planned tftypes.Value, err error) {
	if prior, err = toValue(shape, c.Before, nil); err != nil {
		return prior, planned, fmt.Errorf("before.%w", err)
	}
	if planned, err = toValue(shape, c.After, c.Unknown); err != nil {
		return prior, planned, fmt.Errorf("after.%w", err)
	}
	return prior, planned, nil
}

// subject names an object: a private label by its host name.
func (r *reviewer) subject(attribute string, object any) string {
	name := textOf(object, attribute)
	return cmp.Or(r.plan.names.Hosts[name], name, effect.KnownAfterApply)
}

// invocation reviews an action, and what its failure does to the resource that triggers it.
func (r *reviewer) invocation(i *invocation) error {
	if !isOurs(i.Type) {
		return r.taint(i)
	}
	at := slices.IndexFunc(r.known.Actions, func(k effect.ActionReviewer) bool { return k.Type == i.Type })
	if at < 0 {
		return errUnknownType
	}
	e, userID := r.known.Actions[at].Effect, r.known.Actions[at].UserID
	if e.Kind == "" {
		return r.taint(i)
	}
	user := textOf(i.Values, userID)
	e.Subject = cmp.Or(r.plan.names.Emails[user], user, effect.KnownAfterApply)
	if user != "" && isMarked(i.Sensitive, userID) {
		e.Subject = effect.Sensitive
	}
	if i.Trigger.Address != "" {
		e.What += fmt.Sprintf(" (%s of %s", snake(i.Trigger.Event), i.Trigger.Address)
		if onFailure := snake(strings.TrimPrefix(i.Trigger.OnFailure, "ActionOnFailure")); onFailure != "" {
			e.What += ", on_failure = " + onFailure
		}
		e.What += ")"
	}
	r.add(i.Address, "", e, secrets{})
	return r.taint(i)
}

var capital = regexp.MustCompile("[A-Z]")

// snake is a name of the JSON as a configuration has it: after_create.
func snake(name string) string {
	return strings.TrimPrefix(strings.ToLower(capital.ReplaceAllString(name, "_$0")), "_")
}

// taint reviews an action whose failure taints a resource. Only a create can be tainted. Terraform would replace it, and the
// provider replaces none of these.
func (r *reviewer) taint(i *invocation) error {
	at := slices.IndexFunc(r.plan.changes, func(c *change) bool { return c.Address == i.Trigger.Address })
	if at < 0 || i.Trigger.Event != "AfterCreate" || i.Trigger.OnFailure != "ActionOnFailureTaint" {
		return nil
	}
	c := r.plan.changes[at]
	typeReviewer, err := r.reviewerOf(c.Type)
	if err == nil && typeReviewer.NeverReplaced {
		r.ofChange(c, effect.Effect{
			Kind: effect.Unprotected, Subject: r.subject(typeReviewer.Subject, c.After),
			What: "a failure of " + i.Address + " taints it, so that every later apply is an error until terraform untaint",
		})
	}
	return err
}
