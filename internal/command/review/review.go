package review

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/listing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// Review is what a plan does that cannot be undone or reaches people, most harmful first and then in the order of the plan.
type Review struct {
	listing.Listing
	// Foreign: the plan has changes, and none of this provider.
	Foreign bool
	// Warnings of the resources, by the address of the instance, as their plan has them.
	Warnings map[string]effect.Warnings
}

// reviewer makes the review of one plan.
type reviewer struct {
	known      effect.Reviewers
	plan       *plan
	priceField string // a key of settings; "" for no prices
	out        *Review
	reviewed   []reviewed // what the plan does
}

// What a plan shows beside what its resources announce.
var (
	stateOnly = effect.Forgotten.Event("resource removed from state only")
	taints    = effect.Unprotected.Event("a failure of {after} taints it, " +
		"so that every later apply fails until terraform untaint")
	dnsLost        = effect.HarmLost.Drift("DNS no longer verified")
	changedOutside = effect.Drift.Event("changed outside of Terraform: {attributes}")
)

const (
	nothing     = "No effects that cannot be undone or that reach people."
	noDrift     = "No drift, and no effects that cannot be undone or that reach people."
	partialNote = "The plan is partial (-target, or deferred changes): effects of what it leaves out are not listed."
)

// reviewPlan reviews a plan, and what has changed outside of Terraform if that is asked for.
func reviewPlan(ctx context.Context, p *plan, known effect.Reviewers, o Options) (*Review, error) {
	r := &reviewer{known: known, plan: p, priceField: o.Price, out: &Review{Warnings: map[string]effect.Warnings{}, Listing: listing.Listing{
		Title: "Effects of this plan", Nothing: nothing, Noun: "effect", Kinds: effect.Kinds(), Named: effect.Removed, PriceField: o.Price,
	}}}
	var drift []*change // that is asked for
	if o.Drift {
		drift = p.drift
		r.out.Title = "Drift report: what has changed outside of Terraform"
		r.out.Nothing = noDrift
		for _, address := range slices.Sorted(maps.Keys(p.dns.lost)) {
			id := p.dns.lost[address]
			if p.dns.verified[id] {
				lost := effect.Effect{Event: dnsLost, Address: address, Label: p.names.Label(effect.Label{ID: id}), Before: true, After: false}
				r.add(lost, secrets{})
			}
		}
	}
	for i, c := range slices.Concat(drift, p.changes) {
		if err := r.change(ctx, c, i < len(drift)); err != nil {
			return nil, unreviewable(c.Address, err)
		}
	}
	r.out.Rows = beneath(r.out.Rows)
	totals, err := r.prices()
	if err != nil {
		return nil, err
	}
	r.out.Allowance = r.forecast()
	r.out.Price = totals
	for _, e := range r.reviewed {
		r.out.Rows = append(r.out.Rows, e.row)
	}
	for _, i := range p.invocations {
		if err := r.invocation(i); err != nil {
			return nil, unreviewable(i.Address, err)
		}
	}
	if err := r.conflicts(ctx); err != nil {
		return nil, err
	}
	r.out.Sort()
	r.out.Foreign = p.foreign && len(p.invocations) == 0
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

// beneath lists the drift of a private label that is gone in its row: all of it has one cause.
func beneath(drift []listing.Row) (out []listing.Row) {
	gone := map[listing.Text]*listing.Row{}
	for i := range drift {
		if id := drift[i].PrivateLabelID; drift[i].Harm == effect.HarmGone && id != "" {
			gone[id] = &drift[i]
		}
	}
	for i := range drift {
		if row := gone[drift[i].PrivateLabelID]; row != nil && row != &drift[i] {
			row.Beneath = append(row.Beneath, drift[i].Address+" ("+drift[i].Subject+")")
			row.Before = row.Beneath
			row.Uncertain = row.Uncertain || drift[i].Uncertain
		}
	}
	return slices.DeleteFunc(slices.Clone(drift), func(row listing.Row) bool {
		of := gone[row.PrivateLabelID]
		return of != nil && (of.Address != row.Address || row.Harm != effect.HarmGone)
	})
}

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
		// Where no value asks for the replacement, it is planned as a create; else as a change of the object.
		isCreate := c.ActionReason == "replace_because_tainted" || c.ActionReason == "replace_by_request" || c.ActionReason == "replace_by_triggers"
		return outcome{prior: !isCreate, planned: true}, nil
	default:
		return outcome{}, fmt.Errorf("its action %q is not known to this version of the provider", listing.Clean(joined))
	}
}

// lacks says what a change must have and does not: it would be reviewed as an object without effects.
func (o outcome) lacks(c *change, subject string) error {
	named := func(object any) bool {
		return fieldsOf(object)[subject] != nil
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
	names := r.plan.names
	if does.planned {
		names.NewHost = r.labelOf(c, c.After).Host
		names.NewCode = r.plan.codeOf(c)
	}
	r.out.Warnings[c.Address], err = typeReviewer.Warnings(ctx, prior, planned, names)
	for _, e := range r.out.Warnings[c.Address].Effects() {
		e.Address = c.Address
		r.reviewed = append(r.reviewed, reviewed{e, c.hidden.withoutThem(listing.NewRow(e)), c, r.labelOf(c, c.object())})
	}
	if does.forgets {
		r.add(r.about(stateOnly, c, c.Before), c.hidden)
	}
	return err
}

func (r *reviewer) drift(ctx context.Context, c *change, typeReviewer effect.Reviewer, before, after tftypes.Value) error {
	effects, err := typeReviewer.Drift(ctx, before, after)
	if err == nil && len(effects) == 0 {
		effects = c.changedAttributes()
	}
	for _, e := range effects {
		about := r.about(e.Event, c, c.Before)
		about.Before = e.Before
		about.After = e.After
		about.Quantity = e.Quantity
		if !e.Email.IsNull() || !e.Code.IsNull() || !e.Name.IsNull() {
			about.Email = e.Email
			about.Code = e.Code
			about.Name = e.Name
		}
		r.add(about, c.hidden)
	}
	return err
}

func (c *change) changedAttributes() []effect.Effect {
	before := fieldsOf(c.Before)
	after := fieldsOf(c.After)
	was := map[string]any{}
	is := map[string]any{}
	for name := range after {
		if !reflect.DeepEqual(before[name], after[name]) {
			was[name] = before[name]
			is[name] = after[name]
		}
	}
	if len(is) == 0 {
		return nil
	}
	return []effect.Effect{{Event: changedOutside, Before: was, After: is}}
}

// about returns an event about the object of a change, before or after it.
func (r *reviewer) about(e effect.Event, c *change, object any) effect.Effect {
	typeReviewer, _ := r.reviewerOf(c.Type)
	name := types.StringUnknown()
	if text := textOf(object, typeReviewer.Subject); text != "" {
		name = types.StringValue(text)
	}
	out := effect.About(e, typeReviewer.Subject, name)
	out.Address = c.Address
	out.Label = r.labelOf(c, object).Label
	return out
}

// labelOf returns the private label of an object before or after a change.
func (r *reviewer) labelOf(c *change, object any) label {
	typeReviewer, _ := r.reviewerOf(c.Type)
	return r.plan.labelOf(c, object, typeReviewer.Subject == "domain")
}

func (r *reviewer) reviewerOf(typ string) (effect.Reviewer, error) {
	i := slices.IndexFunc(r.known.Resources, func(k effect.Reviewer) bool { return k.Type == typ })
	if i < 0 {
		return effect.Reviewer{}, errUnknownType
	}
	return r.known.Resources[i], nil
}

// add adds the row of an effect, without secrets.
func (r *reviewer) add(e effect.Effect, hidden secrets) {
	r.out.Rows = append(r.out.Rows, hidden.withoutThem(listing.NewRow(e)))
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

// invocation reviews an action, and what its failure does to the resource that triggers it.
func (r *reviewer) invocation(i *invocation) error {
	if !isOurs(i.Type) {
		return r.taint(i)
	}
	at := slices.IndexFunc(r.known.Actions, func(k effect.ActionReviewer) bool { return k.Type == i.Type })
	if at < 0 {
		return errUnknownType
	}
	known := r.known.Actions[at]
	if known.Event.Kind == "" {
		return r.taint(i)
	}
	user := textOf(i.Values, known.UserID)
	e := effect.Effect{Event: known.Event, Address: i.Address, Label: r.plan.names.Label(effect.Label{ID: textOf(i.Values, labelID)})}
	switch email := r.plan.names.Emails[user]; {
	case user == "":
		e.Email = types.StringUnknown()
	case email == "" || isMarked(i.Sensitive, known.UserID):
		e.Name = types.StringValue(user)
	default:
		e.Email = types.StringValue(email)
	}
	var hidden secrets
	hidden.collect(i.Values, i.Sensitive, true)
	r.add(e, hidden)
	if i.Trigger.Address != "" {
		trigger := fmt.Sprintf(" (%s of %s", snake(i.Trigger.Event), i.Trigger.Address)
		if onFailure := snake(strings.TrimPrefix(i.Trigger.OnFailure, "ActionOnFailure")); onFailure != "" {
			trigger += ", on_failure = " + onFailure
		}
		r.out.Rows[len(r.out.Rows)-1].What += trigger + ")"
	}
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
		tainted := r.about(taints, c, c.After)
		tainted.After = i.Address
		r.add(tainted, c.hidden)
	}
	return err
}
