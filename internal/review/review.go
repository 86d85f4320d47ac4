package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
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
	r := &reviewer{known: known, plan: p, out: &Review{Notices: map[string]effect.Notices{}, Listing: listing.Listing{
		Title: "Effects of this plan", Nothing: nothing, Noun: "effect", Kinds: effect.Kinds(), Named: effect.Removed,
	}}}
	if drift {
		r.out.Title, r.out.Nothing = "Drift report: what has changed outside of Terraform", noDrift
		if err := r.each(ctx, p.drift, r.drift); err != nil {
			return nil, err
		}
		for _, address := range slices.Sorted(maps.Keys(p.dns.lost)) {
			if id := p.dns.lost[address]; p.dns.verified[id] {
				host := p.names.Host(id)
				r.add(address, host, effect.Effect{Kind: effect.Drift, What: "DNS no longer verified", Subject: host}, secrets{})
			}
		}
	}
	if err := r.each(ctx, p.changes, r.change); err != nil {
		return nil, err
	}
	for i := range p.invocations {
		if err := cmp.Or(r.invocation(&p.invocations[i]), r.taint(&p.invocations[i])); err != nil {
			return nil, unreviewable(p.invocations[i].Address, err)
		}
	}
	r.conflicts()
	r.out.Sort()
	if p.imports > 0 {
		r.out.Notes = append(r.out.Notes, imported(p.imports))
	}
	if p.partial {
		r.out.Notes = append(r.out.Notes, partialNote)
	}
	return r.out, nil
}

func imported(number int) string {
	if number == 1 {
		return "The plan imports 1 object."
	}
	return fmt.Sprintf("The plan imports %d objects.", number)
}

func (r *reviewer) each(ctx context.Context, changes []*change, row func(context.Context, *change) error) error {
	for _, c := range changes {
		if err := row(ctx, c); err != nil {
			return unreviewable(c.Address, err)
		}
	}
	return nil
}

func unreviewable(address string, err error) error {
	return inputError(fmt.Sprintf("%s of the plan cannot be reviewed: %s.", listing.Clean(address), listing.Clean(err.Error())))
}

var errUnknownType = errors.New("this version of the provider does not have its type; review with the version that made the plan")

// outcome says what a plan's actions do with the object before and the one after.
type outcome struct{ prior, planned, forgets bool }

// Actions of a plan that are in two steps, in either order.
const (
	replaces = "create,delete"
	releases = "create,forget" // the old object is only removed from state
)

// outcomeOf returns an error for an unknown action, which may have effects.
func outcomeOf(c *change) (outcome, error) {
	actions := slices.Sorted(slices.Values(c.Change.Actions))
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
	case releases:
		return outcome{planned: true, forgets: true}, nil
	case replaces:
		// A tainted object is planned as a create; every other replacement as a change of the object.
		return outcome{prior: c.ActionReason != "replace_because_tainted", planned: true}, nil
	default:
		return outcome{}, fmt.Errorf("its action %q is not known to this version of the provider", listing.Clean(joined))
	}
}

// lacks says what a change must have and does not: it would be reviewed as an object without effects.
func (o outcome) lacks(c *change, subject string) error {
	switch {
	case (o.prior || o.forgets) && c.before == nil:
		return errors.New("its object before the change is null")
	case o.planned && c.after == nil:
		return errors.New("its planned object is null")
	}
	planned, _ := c.after.(map[string]any)
	unknown, _ := c.unknown.(map[string]any)
	if o.planned && !o.prior && planned[subject] == nil && unknown[subject] == nil && c.unknown != true {
		return fmt.Errorf("its planned object has no %s", subject)
	}
	return nil
}

func (r *reviewer) change(ctx context.Context, c *change) error {
	does, err := outcomeOf(c)
	if err != nil || does == (outcome{}) {
		return err
	}
	of, err := r.reviewerOf(c.Type)
	if err != nil {
		return err
	}
	prior, planned, err := c.values(of.Shape)
	if err == nil {
		err = does.lacks(c, of.Subject)
	}
	if err != nil {
		return err
	}
	was := prior
	if !does.prior {
		prior = tftypes.NewValue(of.Shape, nil)
	}
	if !does.planned {
		planned = tftypes.NewValue(of.Shape, nil)
	}
	notices, err := of.Notices(ctx, prior, planned, r.plan.names)
	if err != nil {
		return err
	}
	r.out.Notices[c.Address] = notices
	effects := notices.Effects()
	if does.forgets {
		effects = append(effects, effect.Effect{Kind: effect.Forgotten, What: "resource removed from state only", Subject: r.subject(of.Subject, was)})
	}
	host := r.plan.labels.of(c).host
	for _, e := range effects {
		r.add(c.Address, host, e, c.hidden)
	}
	return nil
}

// drift reviews a change outside of Terraform. A move of an address is none.
func (r *reviewer) drift(ctx context.Context, c *change) error {
	does, err := outcomeOf(c)
	if err != nil || !does.prior {
		return err
	}
	of, err := r.reviewerOf(c.Type)
	if err != nil {
		return err
	}
	before, after, err := c.values(of.Shape)
	if err != nil {
		return err
	}
	phrases, err := of.Drift(ctx, before, after)
	if err != nil {
		return err
	}
	if len(phrases) == 0 {
		phrases = c.changedAttributes()
	}
	subject, host := r.subject(of.Subject, before), r.plan.labels.of(c).host
	for _, phrase := range phrases {
		r.add(c.Address, host, effect.Effect{Kind: effect.Drift, What: phrase, Subject: subject}, c.hidden)
	}
	return nil
}

func (c *change) changedAttributes() []string {
	before, _ := c.before.(map[string]any)
	after, _ := c.after.(map[string]any)
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

// values returns the object before and after a change.
func (c *change) values(shape tftypes.Type) (prior, planned tftypes.Value, err error) {
	if prior, err = toValue(shape, c.before, nil); err != nil {
		return prior, planned, fmt.Errorf("before.%w", err)
	}
	if planned, err = toValue(shape, c.after, c.unknown); err != nil {
		return prior, planned, fmt.Errorf("after.%w", err)
	}
	return prior, planned, nil
}

// subject names an object in state.
func (r *reviewer) subject(attribute string, object tftypes.Value) string {
	var fields map[string]tftypes.Value
	var name string
	if object.IsNull() || object.As(&fields) != nil || fields[attribute].IsNull() || fields[attribute].As(&name) != nil {
		return effect.KnownAfterApply
	}
	return cmp.Or(r.plan.names.Hosts[name], name)
}

func (r *reviewer) invocation(i *invocation) error {
	if !isOurs(i.Type) {
		return nil
	}
	at := slices.IndexFunc(r.known.Actions, func(k effect.ActionReviewer) bool { return k.Type == i.Type })
	if at < 0 {
		return errUnknownType
	}
	of := r.known.Actions[at]
	if of.Effect.Kind == "" {
		return nil
	}
	e := of.Effect
	user := textOf(decodeAny(i.Values), of.UserID)
	switch {
	case user == "":
		e.Subject = effect.KnownAfterApply
	case isMarked(i.Sensitive, of.UserID):
		e.Subject = effect.Sensitive
	default:
		e.Subject = cmp.Or(r.plan.names.Emails[user], user)
	}
	e.What += i.trigger()
	r.add(i.Address, "", e, secrets{})
	return nil
}

// taint reviews an action whose failure taints a resource. Terraform would replace it, and the provider replaces none of
// these.
func (r *reviewer) taint(i *invocation) error {
	at := slices.IndexFunc(r.plan.changes, func(c *change) bool { return c.Address == i.Trigger.Address })
	if at < 0 || !i.taints() {
		return nil
	}
	c := r.plan.changes[at]
	of, err := r.reviewerOf(c.Type)
	if err != nil || !of.NeverReplaced {
		return err
	}
	_, planned, err := c.values(of.Shape)
	if err != nil {
		return err
	}
	r.add(i.Trigger.Address, r.plan.labels.of(c).host, effect.Effect{
		Kind: effect.Unprotected, Subject: r.subject(of.Subject, planned),
		What: "a failure of " + i.Address + " taints it, so that every later apply is an error until terraform untaint",
	}, c.hidden)
	return nil
}
