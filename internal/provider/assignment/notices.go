package assignment

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/slice"
)

// sentencePrefix begins a sentence about a private label.
func sentencePrefix(host string) string {
	if host == effect.NewLabel {
		return diagnostic.Capitalize(host) + ": "
	}
	return host + ": "
}

// Announce announces the steps of a change.
func (kind) Announce(v view, todo []*effect.Step) (out effect.Notices) {
	if v.Want == nil {
		return announceDestroy(v, todo)
	}
	host, have, want := v.Names.Host(v.Want.PrivateLabelID.ValueString()), holding{}, v.Want
	if v.Was != nil {
		host, have = v.Names.Host(v.Was.PrivateLabelID.ValueString()), v.Was.holding()
		if v.Was.managesAddons() && !want.managesAddons() && len(have.Addons) > 0 {
			out = effect.Notices{unmanagedNotice(host, have)}
		}
	}
	if len(todo) == 0 {
		return out
	}
	for _, s := range todo {
		if s.Verb == stepAssign && s.ID != "" {
			s.Name = v.Names.Code(s.ID)
		}
	}
	n := effect.Notice{Effects: stepEffects(host, todo)}
	doing, already := sentencePrefix(host)+stepsInWords(todo), inEffectAlready(v.Live, todo)
	switch {
	case have.isEmpty():
		n.Topic = TopicBilling
		n.Detail = doing + ". This reduces the allowance immediately. The larger of allocated and used quantities is billed for the entire billing period, even if you remove them the same day." + already
	case want.changesPackage(have):
		n.Topic, n.At = TopicChangingPackage, path.Root("package_id")
		n.Detail = fmt.Sprintf("%s. What is removed and what is assigned are billed for the entire billing period, up to both. If the API rejects the new package, the provider reassigns %[2]s with its add-ons. An inactive package could not be restored.",
			doing, cmp.Or(have.PackageCode, have.PackageID))
	default:
		n.Topic, n.At = TopicChangingAddons, path.Root("addons")
		n.Detail = doing + ". What is attached is billed for the entire billing period, and what is detached stays billed until its end. A quantity changes by detaching and attaching, so up to both quantities are billed." + already
	}
	if effects, detail := announceExcess(host, want); len(effects) > 0 && slices.ContainsFunc(todo, adds) {
		n.Effects = append(n.Effects, effects...)
		n.Detail += " " + detail
	}
	return append(out, n)
}

const labelAlready = "In effect already"

// inEffectAlready says which of the announced steps are in effect when the plan is made.
func inEffectAlready(found *live, todo []*effect.Step) string {
	now := heldBefore(nil, found)
	already := slices.DeleteFunc(slices.Clone(todo), func(s *effect.Step) bool { return !adds(s) || !inEffect(s, now) })
	if len(already) == 0 {
		return ""
	}
	return " " + labelAlready + ": " + named(already) + ". No API call is made for that unless it is removed before the apply."
}

func announceDestroy(v view, todo []*effect.Step) effect.Notices {
	host, have := v.Names.Host(v.Was.PrivateLabelID.ValueString()), heldBefore(v.Was, v.Live)
	if v.Was.isAbandoned() {
		code := cmp.Or(have.PackageCode, have.PackageID)
		return effect.Notices{{
			Topic:   TopicKeptAssignment,
			Detail:  fmt.Sprintf("%spackage %s stays assigned and billed, with its add-ons; no API call is made. To manage it again, import it.", sentencePrefix(host), code),
			Effects: []effect.Effect{{Kind: effect.Forgotten, What: "package stays assigned to " + host + " and is no longer managed", Subject: code}},
		}}
	}
	if v.Live == nil && !v.Was.showsAddons() { // the state does not show what is attached
		todo = append([]*effect.Step{{Verb: stepDetach, Quantity: types.Float64Unknown(), If: "any is attached"}}, todo...)
	}
	billed := ". Both package and add-ons stay billed until the end of the billing period."
	if len(todo) == 1 {
		billed = ". It stays billed until the end of the billing period."
	}
	return effect.Notices{{
		Topic: TopicUnassigning, Effects: stepEffects(host, todo), Detail: sentencePrefix(host) + stepsInWords(todo) + billed,
	}}
}

// unmanagedNotice announces that add-ons stay attached when `addons` is removed from the configuration.
func unmanagedNotice(host string, have holding) effect.Notice {
	return effect.Notice{
		Topic: TopicUnmanagingAddons, At: path.Root("addons"),
		Detail: fmt.Sprintf("%saddons is no longer configured. The provider no longer manages what stays attached and billed: %s. To detach add-ons, set addons to those that are to stay, or to {}.",
			sentencePrefix(host), addonsInWords(have.sorted())),
		Effects: slice.Map(have.sorted(), func(a client.AttachedAddon) effect.Effect {
			const what = "add-on no longer managed, stays attached to %s with quantity %s and billed"
			return effect.Effect{Kind: effect.Forgotten, Subject: a.Code, What: fmt.Sprintf(what, host, printable.Number(a.Quantity))}
		}),
	}
}

func stepEffects(host string, todo []*effect.Step) (out []effect.Effect) {
	for _, s := range todo {
		add := func(kind effect.Kind, what string, args ...any) {
			out = append(out, effect.Effect{
				Kind: kind, What: fmt.Sprintf(what, args...), If: s.If, Subject: cmp.Or(s.Name, s.ID, effect.KnownAfterApply),
			})
		}
		switch s.Verb {
		case stepDetach:
			add(effect.Removed, "add-on detached from %s (%s)", host, amount(s))
			add(effect.Billed, "detached add-on of %s (%s) stays billed until the end of the billing period", host, amount(s))
		case stepRemove:
			add(effect.Removed, "package removed from %s", host)
			add(effect.Billed, "removed package of %s stays billed until the end of the billing period", host)
		case stepAssign:
			add(effect.Billed, "package assigned to %s and billed for the entire billing period", host)
		case stepAttach:
			add(effect.Billed, "add-on attached to %s (%s) and billed for the entire billing period", host, amount(s))
		}
	}
	return out
}

func amount(s *effect.Step) string {
	if s.Quantity.IsUnknown() {
		return "quantity known after apply"
	}
	return "quantity " + printable.Number(s.Quantity.ValueFloat64())
}

// subject names the package or add-on of a step in a sentence.
func subject(s *effect.Step) string {
	noun, unknown := "add-on ", "add-ons known after apply"
	if isPackage(s) {
		noun, unknown = "package ", "the configured package"
	}
	if name := cmp.Or(s.Name, s.ID); name != "" {
		return noun + printable.OneLine(name)
	}
	return unknown
}

func nameWithAmount(s *effect.Step) string { return subject(s) + ofAmount(s) }

// named is a list such as "package GOLD and add-on SEATS (quantity 2)".
func named(them []*effect.Step) string {
	return effect.Series("and", slice.Map(them, nameWithAmount))
}

// ofAmount follows the name of an add-on: " (quantity 2)".
func ofAmount(s *effect.Step) string {
	if isPackage(s) || s.Name == "" {
		return ""
	}
	return " (" + amount(s) + ")"
}

// stepsInWords is a list of clauses: "package GOLD is assigned and add-on SEATS is attached (quantity 5)".
func stepsInWords(todo []*effect.Step) string {
	return effect.Series("and", slice.Map(todo, func(s *effect.Step) string {
		be := "is"
		if s.If != "" {
			be = "may be"
		}
		return fmt.Sprintf("%s %s %s%s", subject(s), be, participle(s), ofAmount(s))
	}))
}

// announceExcess announces the consent that steps may use.
func announceExcess(host string, want *model) (effects []effect.Effect, detail string) {
	var parts []string
	add := func(subject, amount, part string) {
		parts = append(parts, part)
		effects = append(effects, effect.Effect{
			Kind: effect.Excess, Subject: subject, What: fmt.Sprintf("allowance may be exceeded by %s by %s", host, amount),
		})
	}
	byItem, unknown := want.allowed()
	for _, item := range fwtype.SortedKeys(byItem) {
		if most := byItem[item]; most > 0 {
			upTo := "up to " + printable.Number(most)
			add(item, upTo, item+" by "+upTo)
		}
	}
	if unknown {
		add(effect.KnownAfterApply, "an amount known after apply", "further items by amounts known after apply")
	}
	return effects, "allow_excess permits exceeding the allowance: " + effect.Series("and", parts) + "."
}

// Drift says what the console has changed. Add-ons are in state only where `addons` is configured or was imported.
func (kind) Drift(was, now *model) (out []string) {
	if now == nil {
		return []string{"package removed in the console"}
	}
	if now.PackageID.ValueString() != was.PackageID.ValueString() {
		out = append(out, fmt.Sprintf("package changed in the console from %s to %s", was.PackageCode.ValueString(), now.PackageCode.ValueString()))
	}
	before, after := was.holding(), now.holding()
	for _, a := range after.sorted() {
		if b, attached := before.addon(a.Code); !attached {
			out = append(out, "add-on attached in the console: "+a.Code)
		} else if a.Quantity != b.Quantity {
			out = append(out, fmt.Sprintf("quantity of an add-on changed in the console: %s, from %s to %s",
				a.Code, printable.Number(b.Quantity), printable.Number(a.Quantity)))
		}
	}
	for _, b := range before.sorted() {
		if _, stays := after.addon(b.Code); !stays {
			out = append(out, "add-on removed in the console: "+b.Code)
		}
	}
	return out
}
