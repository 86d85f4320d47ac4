package assignment

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
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

// consent confirms an excess within the bounds. An item that is not named counts as 0.
func (e allowedExcess) consent() client.Consent {
	return func(warnings []client.Warning) bool {
		for _, w := range warnings {
			if w.Excess > e.byItem[w.ItemCode] {
				return false
			}
		}
		return len(warnings) > 0
	}
}

// notices announces the steps of an apply. It is pure, and both the plan's warnings and the review of a saved plan use
// it.
func notices(host string, have holding, want target, todo []step, excess allowedExcess) effect.Notices {
	if len(todo) == 0 {
		return nil
	}
	n := effect.Notice{Effects: stepEffects(host, have, want, todo)}
	doing := lead(host) + stepsInWords(todo)
	switch {
	case want.nothing:
		n.Topic = effect.Unassigning
		n.Detail = doing + bothStayBilled
		if len(have.addons) == 0 {
			n.Detail = doing + packageStaysBilled
		}
	case have.none():
		n.Topic = effect.Billing
		n.Detail = doing + assigningBills
	case want.changesPackage(have):
		n.Topic, n.At = effect.ChangingPackage, path.Root("package_id")
		n.Detail = doing + changingPackageBills(named(have.packageCode, have.packageID))
	default:
		n.Topic, n.At = effect.ChangingAddons, path.Root("addons")
		n.Detail = doing + changingAddonsBills
	}
	if effects := excessEffects(host, todo, excess); len(effects) > 0 {
		n.Effects = append(n.Effects, effects...)
		n.Detail += " " + excessInWords(excess)
	}
	return effect.Notices{n}
}

// unmanagedNotices announces that add-ons stay attached when `addons` is removed from the configuration.
func unmanagedNotices(host string, have holding) effect.Notices {
	if len(have.addons) == 0 {
		return nil
	}
	n := effect.Notice{Topic: effect.UnmanagingAddons, At: path.Root("addons")}
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

func stepEffects(host string, have holding, want target, todo []step) []effect.Effect {
	var out []effect.Effect
	for _, s := range todo {
		subject := s.code
		if subject == "" {
			subject = s.id
		}
		if subject == "" {
			subject = effect.KnownAfterApply
		}
		kind := effect.Removed
		if s.adds() {
			kind = effect.Billed
		}
		out = append(out, effect.Effect{Kind: kind, What: s.what(host), Subject: subject})
		if !s.adds() && replaced(s, have, want, todo) {
			out = append(out, effect.Effect{Kind: effect.Billed, What: s.stays(host), Subject: subject})
		}
	}
	return out
}

// replaced reports whether another step replaces what a step removes. Then both sides are billed.
func replaced(s step, have holding, want target, todo []step) bool {
	if want.changesPackage(have) {
		return true
	}
	for _, o := range todo {
		if o.kind == stepAttach && s.kind == stepDetach && sameCode(o.code, s.code) {
			return true
		}
	}
	return false
}

// what is the phrase of an effect, without its subject.
func (s step) what(host string) string {
	may := ""
	if s.conditional {
		may = "may be "
	}
	switch s.kind {
	case stepDetach:
		return fmt.Sprintf("add-on %sdetached from %s (%s)", may, host, s.amount())
	case stepRemove:
		return fmt.Sprintf("package %sremoved from %s", may, host)
	case stepAssign:
		return fmt.Sprintf("package %sassigned to %s and billed for the entire billing period", may, host)
	default:
		return fmt.Sprintf("add-on %sattached to %s (%s) and billed for the entire billing period", may, host, s.amount())
	}
}

func (s step) stays(host string) string {
	if s.kind == stepRemove {
		return fmt.Sprintf("removed package of %s stays billed until the end of the billing period", host)
	}
	return fmt.Sprintf("detached add-on of %s (%s) stays billed until the end of the billing period", host, s.amount())
}

func (s step) amount() string {
	if s.unknown {
		return "quantity known after apply"
	}
	return "quantity " + client.Amount(s.quantity)
}

// subject names the package or add-on of a step in a sentence.
func (s step) subject() string {
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
func stepsInWords(todo []step) string {
	clauses := make([]string, 0, len(todo))
	for _, s := range todo {
		verb := map[stepKind]string{stepDetach: "detached", stepRemove: "removed", stepAssign: "assigned", stepAttach: "attached"}[s.kind]
		be := "is"
		switch {
		case s.conditional:
			be = "may be"
		case s.code == "" && s.id == "" && !s.isPackage():
			be = "are"
		}
		clause := fmt.Sprintf("%s %s %s", s.subject(), be, verb)
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
func excessEffects(host string, todo []step, excess allowedExcess) []effect.Effect {
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
