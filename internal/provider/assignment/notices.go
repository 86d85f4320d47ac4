package assignment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
)

// unknownHost names a private label that the same apply provisions.
const unknownHost = "a private label known after apply"

// lead begins a sentence about a private label.
func lead(host string) string {
	if host == unknownHost {
		return diagnostic.Capitalize(host) + ": "
	}
	return host + ": "
}

// allowedExcess is `allow_excess`: the maximum by which each item may exceed the allowance.
type allowedExcess struct {
	byItem  map[string]float64
	unknown bool // some of it is known after apply
}

// announce announces the steps of a change.
func announce(v object.View[*model, *live], todo []*step) effect.Notices {
	if v.Want == nil {
		return announceDestroy(v, todo)
	}
	var out effect.Notices
	host, have, want := nameHost(v.Names, v.Want.PrivateLabelID), holding{}, v.Want.target()
	if v.Was != nil {
		host, have = nameHost(v.Names, v.Was.PrivateLabelID), v.Was.holding()
		if v.Was.managesAddons() && !v.Want.managesAddons() {
			out = unmanagedNotices(host, have)
		}
	}
	if len(todo) == 0 {
		return out
	}
	todo = slices.Clone(todo)
	for i, s := range todo {
		if s.kind == stepAssign && s.id != "" {
			todo[i].code = v.Names.Code(s.id)
		}
	}
	n := effect.Notice{Effects: stepEffects(host, have, want, todo)}
	doing := lead(host) + stepsInWords(todo)
	switch {
	case have.none():
		n.Topic = topicBilling
		n.Detail = doing + assigningBills
	case want.changesPackage(have):
		n.Topic, n.At = topicChangingPackage, path.Root("package_id")
		n.Detail = doing + changingPackageBills(named(have.packageCode, have.packageID))
	default:
		n.Topic, n.At = topicChangingAddons, path.Root("addons")
		n.Detail = doing + changingAddonsBills
	}
	if !want.changesPackage(have) {
		n.Detail += inEffectAlready(v.Live, todo)
	}
	if effects := excessEffects(host, todo, v.Want.allowed()); len(effects) > 0 {
		n.Effects = append(n.Effects, effects...)
		n.Detail += " " + excessInWords(v.Want.allowed())
	}
	return append(out, n)
}

// inEffectAlready says which of the announced steps are in effect when the plan is made.
func inEffectAlready(found *live, todo []*step) string {
	now := had(nil, found)
	var names []string
	for _, s := range todo {
		if s.adds() && !now.none() && s.inEffect(now) {
			names = append(names, s.nameWithAmount())
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " In effect already: " + inSeries(names) + ". No API call is made for that unless it is removed before the apply."
}

func announceDestroy(v object.View[*model, *live], todo []*step) effect.Notices {
	host, have := nameHost(v.Names, v.Was.PrivateLabelID), had(v.Was, v.Live)
	switch {
	case wanted(nil, v.Was).abandoned:
		return effect.Notices{kept(v.Was, host)}
	case len(todo) == 0:
		return nil
	}
	if v.Live == nil && !v.Was.showsAddons() {
		todo = append([]*step{someDetached}, todo...)
	}
	billed := bothStayBilled
	if len(todo) == 1 {
		billed = packageStaysBilled
	}
	return effect.Notices{{
		Topic: topicUnassigning, Effects: stepEffects(host, have, target{nothing: true}, todo), Detail: lead(host) + stepsInWords(todo) + billed,
	}}
}

// kept announces an assignment that is only removed from state.
func kept(was *model, host string) effect.Notice {
	code := named(was.PackageCode.ValueString(), was.PackageID.ValueString())
	return effect.Notice{
		Topic:   topicKeptAssignment,
		Detail:  fmt.Sprintf("%spackage %s stays assigned and billed, with its add-ons; no API call is made. To manage it again, import it.", lead(host), code),
		Effects: []effect.Effect{{Kind: effect.Forgotten, What: "package stays assigned to " + host + " and is no longer managed", Subject: code}},
	}
}

// nameHost names the private label of an assignment.
func nameHost(names object.Names, id types.String) string {
	if id.IsUnknown() {
		return unknownHost
	}
	return names.Host(id.ValueString())
}

// unmanagedNotices announces that add-ons stay attached when `addons` is removed from the configuration.
func unmanagedNotices(host string, have holding) effect.Notices {
	if len(have.addons) == 0 {
		return nil
	}
	n := effect.Notice{Topic: topicUnmanagingAddons, At: path.Root("addons")}
	names := make([]string, 0, len(have.addons))
	for _, a := range have.sorted() {
		names = append(names, fmt.Sprintf("%s (quantity %s)", a.code, client.Amount(a.quantity)))
		n.Effects = append(n.Effects, effect.Effect{
			Kind: effect.Forgotten, Subject: a.code,
			What: fmt.Sprintf("add-on no longer managed, stays attached to %s with quantity %s and billed", host, client.Amount(a.quantity)),
		})
	}
	n.Detail = lead(host) + staysAttached(inSeries(names))
	return effect.Notices{n}
}

func stepEffects(host string, have holding, want target, todo []*step) []effect.Effect {
	var out []effect.Effect
	for _, s := range todo {
		subject := s.code
		if subject == "" {
			subject = s.id
		}
		if subject == "" {
			subject = effect.KnownAfterApply
		}
		e := effect.Effect{Kind: effect.Billed, What: s.what(host), If: want.condition(have, s), Subject: subject}
		if s.adds() {
			out = append(out, e)
			continue
		}
		billed := e
		e.Kind, billed.What = effect.Removed, s.stays(host)
		out = append(out, e, billed)
	}
	return out
}

// condition says when a conditional step is taken, by the value that is known after apply.
func (t target) condition(have holding, s *step) string {
	const another = "package_id is another package"
	switch {
	case !s.conditional:
		return ""
	case s.isPackage():
		return another
	case s.code == "" && s.kind == stepDetach:
		return "any is attached"
	case s.code == "" && t.addons == addonsUnknown:
		return "addons lists any"
	case t.addons == addonsUnmanaged:
		return another
	case t.packageID == "" && t.changesPackage(have):
		return another + " or addons changes it"
	default:
		return "addons changes it"
	}
}

// what is the phrase of an effect, without its subject.
func (s *step) what(host string) string {
	switch s.kind {
	case stepDetach:
		return fmt.Sprintf("add-on detached from %s (%s)", host, s.amount())
	case stepRemove:
		return fmt.Sprintf("package removed from %s", host)
	case stepAssign:
		return fmt.Sprintf("package assigned to %s and billed for the entire billing period", host)
	default:
		return fmt.Sprintf("add-on attached to %s (%s) and billed for the entire billing period", host, s.amount())
	}
}

func (s *step) stays(host string) string {
	if s.kind == stepRemove {
		return fmt.Sprintf("removed package of %s stays billed until the end of the billing period", host)
	}
	return fmt.Sprintf("detached add-on of %s (%s) stays billed until the end of the billing period", host, s.amount())
}

func (s *step) amount() string {
	if s.unknown {
		return "quantity known after apply"
	}
	return "quantity " + client.Amount(s.quantity)
}

// subject names the package or add-on of a step in a sentence.
func (s *step) subject() string {
	noun := "add-on "
	if s.isPackage() {
		noun = "package "
	}
	if s.code == "" && s.id == "" {
		if s.isPackage() {
			return "a package known after apply"
		}
		return "add-ons known after apply"
	}
	return noun + named(s.code, s.id)
}

// named is the code of a package or add-on, or its ID where the code is unknown.
func named(code, id string) string {
	if code == "" {
		return id
	}
	return code
}

// stepsInWords is a list of clauses: "package GOLD is assigned and add-on SEATS is attached (quantity 5)".
func stepsInWords(todo []*step) string {
	clauses := make([]string, 0, len(todo))
	for _, s := range todo {
		be := "is"
		switch {
		case s.conditional:
			be = "may be"
		case s.code == "" && s.id == "" && !s.isPackage():
			be = "are"
		}
		clause := fmt.Sprintf("%s %s %s", s.subject(), be, s.done())
		if !s.isPackage() && s.code != "" {
			clause += " (" + s.amount() + ")"
		}
		clauses = append(clauses, clause)
	}
	return inSeries(clauses)
}

// inSeries joins clauses with commas and a final "and".
func inSeries(clauses []string) string {
	last := len(clauses) - 1
	if last < 1 {
		return strings.Join(clauses, "")
	}
	return strings.Join(clauses[:last], ", ") + " and " + clauses[last]
}

// excessEffects of a consent that the steps may use.
func excessEffects(host string, todo []*step, excess allowedExcess) []effect.Effect {
	adds := false
	for _, s := range todo {
		adds = adds || s.adds()
	}
	if !adds {
		return nil
	}
	var out []effect.Effect
	for _, item := range fwtype.SortedKeys(excess.byItem) {
		if most := excess.byItem[item]; most > 0 {
			what := fmt.Sprintf("allowance may be exceeded by %s by up to %s", host, client.Amount(most))
			out = append(out, effect.Effect{Kind: effect.Excess, Subject: item, What: what})
		}
	}
	if excess.unknown {
		what := fmt.Sprintf("allowance may be exceeded by %s by an amount known after apply", host)
		out = append(out, effect.Effect{Kind: effect.Excess, Subject: effect.KnownAfterApply, What: what})
	}
	return out
}

func excessInWords(excess allowedExcess) string {
	var parts []string
	for _, item := range fwtype.SortedKeys(excess.byItem) {
		if most := excess.byItem[item]; most > 0 {
			parts = append(parts, fmt.Sprintf("%s by up to %s", item, client.Amount(most)))
		}
	}
	if excess.unknown {
		parts = append(parts, "further items by amounts known after apply")
	}
	return "allow_excess permits exceeding the allowance: " + inSeries(parts) + "."
}

// What follows the steps of an apply in its announcement.
const (
	packageStaysBilled  = ". It stays billed until the end of the billing period."
	bothStayBilled      = ". Both package and add-ons stay billed until the end of the billing period."
	assigningBills      = ". This reduces the allowance immediately. The larger of allocated and used quantities is billed for the entire billing period, even if you remove them the same day."
	changingAddonsBills = ". What is attached is billed for the entire billing period, and what is detached stays billed until its end. A quantity changes by detaching and attaching, so both quantities are billed."
)

func changingPackageBills(old string) string {
	return fmt.Sprintf(". What is removed and what is assigned are both billed for the entire billing period. If the API rejects the new package, the provider reassigns %s with its add-ons, unless %s is inactive by then.", old, old)
}

func staysAttached(addons string) string {
	return fmt.Sprintf("addons is no longer configured. The provider no longer manages what stays attached and billed: %s. To detach add-ons, set addons to those that are to stay, or to {}.", addons)
}
