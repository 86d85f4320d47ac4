package review

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// Row is one effect of a plan.
type Row struct {
	Kind    effect.Kind `json:"kind"`
	Address string      `json:"address"`
	What    string      `json:"what"`
	Subject string      `json:"subject"`

	host string // of the private label that the resource belongs to, "" if that is unknown
}

// Review is what a plan does that cannot be undone or reaches people, by kind and then in the order of the plan.
type Review struct {
	Rows    []Row
	Partial bool // changes are left to another plan
	drift   bool // asked for
	// Notices of the resources, by the address of the instance. Their warnings are those of the plan.
	Notices map[string]effect.Notices
}

// reviewer makes the review of one plan.
type reviewer struct {
	known effect.Reviewers
	names effect.Names
	hosts hosts
	out   *Review
}

// of reviews a plan, and what has changed outside of Terraform if that is asked for.
func of(ctx context.Context, p *plan, known effect.Reviewers, drift bool) (*Review, error) {
	r := &reviewer{known: known, names: p.names, out: &Review{Rows: []Row{}, Partial: p.partial, drift: drift, Notices: map[string]effect.Notices{}}}
	r.hosts = newHosts(p)
	review := func(changes []change, row func(context.Context, *change) error) error {
		for i := range changes {
			if err := row(ctx, &changes[i]); err != nil {
				return unreviewable(changes[i].Address, err)
			}
		}
		return nil
	}
	if drift {
		if err := review(p.drift, r.drift); err != nil {
			return nil, err
		}
		for _, address := range slices.Sorted(maps.Keys(p.dns.lost)) {
			if id := p.dns.lost[address]; p.dns.verified[id] {
				host := r.names.Host(id)
				r.add(address, host, effect.Effect{Kind: effect.Drift, What: "DNS no longer verified", Subject: host}, secrets{})
			}
		}
	}
	if err := review(p.changes, r.change); err != nil {
		return nil, err
	}
	for i := range p.invocations {
		if err := r.invocation(&p.invocations[i]); err != nil {
			return nil, unreviewable(p.invocations[i].Address, err)
		}
	}
	r.out.Rows = byKind(r.out.Rows)
	return r.out, nil
}

func unreviewable(address string, err error) error {
	return inputError(fmt.Sprintf("%s of the plan cannot be reviewed: %s.", clean(address), clean(err.Error())))
}

var errUnknownType = errors.New("this version of the provider does not have its type; review with the version that made the plan")

// byKind sorts rows by kind, and keeps the order of the plan within a kind.
func byKind(rows []Row) []Row {
	out := make([]Row, 0, len(rows))
	for _, k := range effect.Kinds() {
		for _, row := range rows {
			if row.Kind == k {
				out = append(out, row)
			}
		}
	}
	return out
}

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
		return outcome{}, fmt.Errorf("its action %q is not known to this version of the provider", clean(joined))
	}
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
	prior, planned, secrets, err := c.values(of.Shape)
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
	notices, err := of.Notices(ctx, prior, planned, r.names)
	if err != nil {
		return err
	}
	address := c.Address
	if c.Deposed != "" {
		address += " (deposed object " + c.Deposed + ")"
	}
	r.out.Notices[address] = notices
	effects := notices.Effects()
	if does.forgets {
		effects = append(effects, effect.Effect{Kind: effect.Forgotten, What: "resource removed from state only", Subject: r.subject(of.Subject, was)})
	}
	host := r.hosts.of(c)
	for _, e := range effects {
		r.add(address, host, e, secrets)
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
	before, after, secrets, err := c.values(of.Shape)
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
	subject, host := r.subject(of.Subject, before), r.hosts.of(c)
	for _, phrase := range phrases {
		r.add(c.Address, host, effect.Effect{Kind: effect.Drift, What: phrase, Subject: subject}, secrets)
	}
	return nil
}

func (c *change) changedAttributes() []string {
	var before, after map[string]json.RawMessage
	if json.Unmarshal(c.Change.Before, &before) != nil || json.Unmarshal(c.Change.After, &after) != nil {
		return nil
	}
	var changed []string
	for _, name := range slices.Sorted(maps.Keys(after)) {
		was, _ := decodeAny(before[name]) // it was decoded before
		if now, _ := decodeAny(after[name]); !reflect.DeepEqual(was, now) {
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
		Kind: e.Kind, Address: address, What: hidden.hide(e.Phrase()), Subject: hidden.hideSubject(e.Subject), host: hidden.hideSubject(host),
	})
}

// values returns the object before and after a change, and which of its values must not be shown.
func (c *change) values(shape tftypes.Type) (prior, planned tftypes.Value, hidden secrets, err error) {
	var parts [5]any
	for i, text := range []json.RawMessage{c.Change.Before, c.Change.After, c.Change.AfterUnknown, c.Change.BeforeSensitive, c.Change.AfterSensitive} {
		if parts[i], err = decodeAny(text); err != nil {
			return prior, planned, hidden, err
		}
	}
	before, after, unknown, beforeSensitive, afterSensitive := parts[0], parts[1], parts[2], parts[3], parts[4]
	if prior, err = toValue(shape, before, nil); err != nil {
		return prior, planned, hidden, fmt.Errorf("before.%w", err)
	}
	if planned, err = toValue(shape, after, unknown); err != nil {
		return prior, planned, hidden, fmt.Errorf("after.%w", err)
	}
	hidden.collect(before, beforeSensitive)
	hidden.collect(after, afterSensitive)
	return prior, planned, hidden, nil
}

// subject names an object in state.
func (r *reviewer) subject(attribute string, object tftypes.Value) string {
	var fields map[string]tftypes.Value
	var name string
	if object.IsNull() || object.As(&fields) != nil || fields[attribute].IsNull() || fields[attribute].As(&name) != nil {
		return effect.KnownAfterApply
	}
	return cmp.Or(r.names.Hosts[name], name)
}

func (r *reviewer) invocation(i *invocation) error {
	at := slices.IndexFunc(r.known.Actions, func(k effect.ActionReviewer) bool { return k.Type == i.Type })
	if at < 0 {
		return errUnknownType
	}
	of := r.known.Actions[at]
	if of.Effect.Kind == "" {
		return nil
	}
	var values map[string]any
	if json.Unmarshal(i.Values, &values) != nil {
		values = nil // all of it is unknown
	}
	e := of.Effect
	user, known := values[of.UserID].(string)
	switch {
	case !known:
		e.Subject = effect.KnownAfterApply
	case isMarked(i.Sensitive, of.UserID):
		e.Subject = hiddenText
	default:
		e.Subject = cmp.Or(r.names.Emails[user], user)
	}
	r.add(i.Address, "", e, secrets{})
	return nil
}
