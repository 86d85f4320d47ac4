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
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/slice"
)

// What happens to packages and add-ons.
var (
	packageAssigned = effect.Event{Kind: effect.Billed, Phrase: "package assigned and billed for the entire billing period"}
	packageChanged  = effect.Event{Kind: effect.Billed, Phrase: "{before} becomes {after}, both billed for the period"}
	packageRemoved  = effect.Event{Kind: effect.Removed, Phrase: "package removed"}
	packageStays    = effect.Event{Kind: effect.Billed, Phrase: "removed package stays billed until the end of the billing period"}
	addonAttached   = effect.Event{Kind: effect.Billed, Phrase: "add-on attached with quantity {quantity} and billed for the entire billing period"}
	quantityChanged = effect.Event{Kind: effect.Billed, Phrase: "quantity {before} becomes {after}, both billed for the period"}
	addonAgain      = effect.Event{Kind: effect.Billed, Phrase: "add-on detached and attached again with quantity {quantity}, billed up to twice for the period"}
	addonDetached   = effect.Event{Kind: effect.Removed, Phrase: "add-on detached with quantity {quantity}"}
	addonStays      = effect.Event{Kind: effect.Billed, Phrase: "detached add-on with quantity {quantity} stays billed until the end of the billing period"}
	mayExceed       = effect.Event{Kind: effect.Excess, Phrase: "allowance may be exceeded by up to {quantity}"}
	assignmentLeft  = effect.Event{Kind: effect.Forgotten, Phrase: "package stays assigned and is no longer managed"}
	addonLeft       = effect.Event{Kind: effect.Forgotten, Phrase: "add-on stays attached with quantity {quantity} and billed, and is no longer managed"}

	unassigned      = effect.Event{Kind: effect.Drift, Phrase: "package removed in the console", Harm: effect.HarmLost}
	packageMoves    = effect.Event{Kind: effect.Drift, Phrase: "package changed in the console from {before} to {after}"}
	addonAppears    = effect.Event{Kind: effect.Drift, Phrase: "add-on attached in the console"}
	quantityMoves   = effect.Event{Kind: effect.Drift, Phrase: "quantity of an add-on changed in the console from {before} to {after}"}
	addonDisappears = effect.Event{Kind: effect.Drift, Phrase: "add-on removed in the console", Harm: effect.HarmLost}
)

// sentencePrefix begins a sentence about a private label.
func sentencePrefix(host string) string {
	if host == effect.NewLabel {
		return diagnostic.Capitalize(host) + ": "
	}
	return host + ": "
}

// Announce announces the steps of a change.
func (kind) Announce(v view, todo []effect.Step) (out effect.Notices) {
	todo = withCodes(todo, v.Names)
	if v.Want == nil {
		return announceDestroy(v, todo)
	}
	have, want := holding{}, v.Want
	if v.Was != nil {
		have = v.Was.holding()
		if v.Was.managesAddons() && !want.managesAddons() && len(have.Addons) > 0 {
			out = effect.Notices{unmanagedNotice(v.Label().String(), have)}
		}
	}
	if len(todo) == 0 {
		return out
	}
	n := effect.Notice{Effects: effectsOf(todo)}
	prefix, fresh, adopted := sentencePrefix(v.Label().String()), todo, ""
	if !want.changesPackage(have) {
		fresh, adopted = inEffectAlready(v.Live, todo)
	}
	switch {
	case len(fresh) == 0:
		n.Topic = TopicAdopting
		n.Detail = prefix + adopted
	case have.isEmpty():
		n.Topic = TopicBilling
		n.Detail = prefix + stepsInWords(fresh) + ". This reduces the allowance immediately. The larger of allocated and used quantities is billed for the entire billing period, even if you remove them the same day."
	case want.changesPackage(have):
		n.Topic, n.At = TopicChangingPackage, path.Root("package_id")
		n.Detail = fmt.Sprintf("%s%s. What is removed and what is assigned are billed for the entire billing period, up to both. If the API rejects the new package, the provider reassigns %[3]s with its add-ons. An inactive package could not be restored.",
			prefix, stepsInWords(fresh), cmp.Or(have.PackageCode, have.PackageID))
	default:
		n.Topic, n.At = TopicChangingAddons, path.Root("addons")
		n.Detail = prefix + stepsInWords(fresh) + ". What is attached is billed for the entire billing period, and what is detached stays billed until its end. A quantity changes by detaching and attaching, so up to both quantities are billed."
	}
	if adopted != "" && len(fresh) > 0 {
		n.Detail += " " + diagnostic.Capitalize(adopted)
	}
	if effects, detail := announceExcess(want); len(effects) > 0 && slices.ContainsFunc(todo, adds) {
		n.Effects = append(n.Effects, effects...)
		n.Detail += " " + detail
	}
	return append(out, n)
}

// withCodes returns the steps with the codes of the packages that the configuration has by their IDs.
func withCodes(todo []effect.Step, names object.Names) []effect.Step {
	return slice.Map(todo, func(s effect.Step) effect.Step {
		if s.Verb == stepAssign && s.Name == "" {
			s.Name = names.Code(s.ID)
		}
		return s
	})
}

// inEffectAlready separates the announced steps that are in effect when the plan is made, and says so.
func inEffectAlready(live *model, todo []effect.Step) (fresh []effect.Step, adopted string) {
	now := heldBefore(nil, live)
	var already []effect.Step
	for _, s := range todo {
		if adds(s) && inEffect(s, now) {
			already = append(already, s)
		} else {
			fresh = append(fresh, s)
		}
	}
	if len(already) > 0 {
		adopted = alreadyInWords(already) + ". No API call is made for that unless it is removed before the apply."
	}
	return fresh, adopted
}

// alreadyInWords is a list of clauses: "package GOLD is already assigned".
func alreadyInWords(taken []effect.Step) string {
	return effect.Series("and", slice.Map(taken, func(s effect.Step) string { return subject(s) + " is already " + participle(s) + ofAmount(s) }))
}

func announceDestroy(v view, todo []effect.Step) effect.Notices {
	host, have := v.Label().String(), heldBefore(v.Was, v.Live)
	if v.Was.isAbandoned() {
		code := cmp.Or(have.PackageCode, have.PackageID)
		return effect.Notices{{
			Topic:   TopicKeptAssignment,
			Detail:  fmt.Sprintf("%spackage %s stays assigned and billed, with its add-ons; no API call is made. To manage it again, import it.", sentencePrefix(host), code),
			Effects: []effect.Effect{withCode(assignmentLeft, have.PackageCode, have.PackageID)},
		}}
	}
	if v.Live == nil && !v.Was.showsAddons() { // the state does not show what is attached
		todo = append([]effect.Step{{Verb: stepDetach, Quantity: types.Float64Unknown(), If: "any is attached"}}, todo...)
	}
	billed := ". Both package and add-ons stay billed until the end of the billing period."
	if len(todo) == 1 {
		billed = ". It stays billed until the end of the billing period."
	}
	return effect.Notices{{
		Topic: TopicUnassigning, Effects: effectsOf(todo), Detail: sentencePrefix(host) + stepsInWords(todo) + billed,
	}}
}

// unmanagedNotice announces that add-ons stay attached when `addons` is removed from the configuration.
func unmanagedNotice(host string, have holding) effect.Notice {
	return effect.Notice{
		Topic: TopicUnmanagingAddons, At: path.Root("addons"),
		Detail: fmt.Sprintf("%saddons is no longer configured. The provider no longer manages what stays attached and billed: %s. To detach add-ons, set addons to those that are to stay, or to {}.",
			sentencePrefix(host), addonsInWords(have.sorted())),
		Effects: slice.Map(have.sorted(), func(a client.AttachedAddon) effect.Effect {
			return effect.Effect{Event: addonLeft, Code: types.StringValue(a.Code), Quantity: types.Float64Value(a.Quantity)}
		}),
	}
}

// effectsOf are the effects of steps. What is removed and added again is one effect.
func effectsOf(todo []effect.Step) (out []effect.Effect) {
	for _, s := range todo {
		other, again := counterpart(todo, s)
		switch {
		case s.Verb == stepRemove && !again:
			out = append(out, taken(packageRemoved, s), taken(packageStays, s))
		case s.Verb == stepDetach && !again:
			out = append(out, taken(addonDetached, s), taken(addonStays, s))
		case s.Verb == stepAssign && !again:
			out = append(out, given(packageAssigned, s))
		case s.Verb == stepAttach && !again:
			out = append(out, given(addonAttached, s))
		case adds(s):
			out = append(out, changed(other, s))
		}
	}
	return out
}

// counterpart is the step that adds again, or with another quantity, what a step removes, and the reverse.
func counterpart(todo []effect.Step, s effect.Step) (other effect.Step, found bool) {
	i := slices.IndexFunc(todo, func(o effect.Step) bool {
		return adds(o) != adds(s) && isPackage(o) == isPackage(s) && (isPackage(s) || s.Name != "" && sameCode(o.Name, s.Name))
	})
	if i < 0 {
		return other, false
	}
	return todo[i], true
}

// withCode returns what happens to a package or an add-on, by its ID if its code is not known.
func withCode(e effect.Event, code, id string) effect.Effect {
	switch {
	case code != "":
		return effect.Effect{Event: e, Code: types.StringValue(code)}
	case id != "":
		return effect.Effect{Event: e, Name: types.StringValue(id)}
	default:
		return effect.Effect{Event: e, Code: types.StringUnknown()}
	}
}

// stepEffect has no former and no new value.
func stepEffect(e effect.Event, s effect.Step) effect.Effect {
	out := withCode(e, s.Name, s.ID)
	out.If = s.If
	if !isPackage(s) {
		out.Quantity = s.Quantity
	}
	return out
}

func taken(e effect.Event, s effect.Step) effect.Effect {
	out := stepEffect(e, s)
	out.Before = valueOf(s)
	return out
}

func given(e effect.Event, s effect.Step) effect.Effect {
	out := stepEffect(e, s)
	out.After, out.Allocates = valueOf(s), true
	return out
}

// changed is a step that adds after another one has removed.
func changed(before, s effect.Step) effect.Effect {
	e := quantityChanged
	switch {
	case isPackage(s):
		e = packageChanged
	case before.Quantity.Equal(s.Quantity):
		e = addonAgain
	}
	out := given(e, s)
	out.Before = valueOf(before)
	return out
}

// valueOf is the code of a package or the quantity of an add-on; nil if it is known after apply.
func valueOf(s effect.Step) any {
	if !isPackage(s) {
		return effect.Number(s.Quantity)
	}
	if name := cmp.Or(s.Name, s.ID); name != "" {
		return name
	}
	return nil
}

func amount(s effect.Step) string {
	if s.Quantity.IsUnknown() {
		return "quantity known after apply"
	}
	return "quantity " + printable.Number(s.Quantity.ValueFloat64())
}

// subject names the package or add-on of a step in a sentence.
func subject(s effect.Step) string {
	noun, unknown := "add-on ", "add-ons known after apply"
	if isPackage(s) {
		noun, unknown = "package ", "the configured package"
	}
	if name := cmp.Or(s.Name, s.ID); name != "" {
		return noun + printable.OneLine(name)
	}
	return unknown
}

func nameWithAmount(s effect.Step) string { return subject(s) + ofAmount(s) }

// named is a list such as "package GOLD and add-on SEATS (quantity 2)".
func named(them []effect.Step) string {
	return effect.Series("and", slice.Map(them, nameWithAmount))
}

// ofAmount follows the name of an add-on: " (quantity 2)".
func ofAmount(s effect.Step) string {
	if isPackage(s) || s.Name == "" {
		return ""
	}
	return " (" + amount(s) + ")"
}

// stepsInWords is a list of clauses: "package GOLD is assigned and add-on SEATS is attached (quantity 5)".
func stepsInWords(todo []effect.Step) string {
	return effect.Series("and", slice.Map(todo, func(s effect.Step) string {
		be := "is"
		if s.If != "" {
			be = "may be"
		}
		return fmt.Sprintf("%s %s %s%s", subject(s), be, participle(s), ofAmount(s))
	}))
}

// announceExcess announces the consent that steps may use.
func announceExcess(want *model) (effects []effect.Effect, detail string) {
	var parts []string
	byItem, unknown := want.allowed()
	for _, item := range fwtype.SortedKeys(byItem) {
		if most := byItem[item]; most > 0 {
			parts = append(parts, item+" by up to "+printable.Number(most))
			effects = append(effects, effect.Effect{Event: mayExceed, Code: types.StringValue(item), Quantity: types.Float64Value(most)})
		}
	}
	if unknown {
		parts = append(parts, "further items by amounts known after apply")
		effects = append(effects, effect.Effect{Event: mayExceed, Code: types.StringUnknown(), Quantity: types.Float64Unknown()})
	}
	return effects, "allow_excess permits exceeding the allowance: " + effect.Series("and", parts) + "."
}

// Drift is what the console has changed. Add-ons are in state only where `addons` is configured or was imported.
func (kind) Drift(was, now *model) (out []effect.Effect) {
	if now == nil {
		e := withCode(unassigned, was.PackageCode.ValueString(), was.PackageID.ValueString())
		e.Before = was.PackageCode.ValueString()
		return []effect.Effect{e}
	}
	if now.PackageID.ValueString() != was.PackageID.ValueString() {
		e := withCode(packageMoves, now.PackageCode.ValueString(), now.PackageID.ValueString())
		e.Before, e.After = was.PackageCode.ValueString(), now.PackageCode.ValueString()
		out = append(out, e)
	}
	add := func(e effect.Event, a client.AttachedAddon, before, after any) {
		out = append(out, effect.Effect{
			Event: e, Code: types.StringValue(a.Code), Quantity: types.Float64Value(a.Quantity), Before: before, After: after,
		})
	}
	before, after := was.holding(), now.holding()
	for _, a := range after.sorted() {
		if b, attached := before.addon(a.Code); !attached {
			add(addonAppears, a, nil, a.Quantity)
		} else if a.Quantity != b.Quantity {
			add(quantityMoves, a, b.Quantity, a.Quantity)
		}
	}
	for _, b := range before.sorted() {
		if _, stays := after.addon(b.Code); !stays {
			add(addonDisappears, b, b.Quantity, nil)
		}
	}
	return out
}
