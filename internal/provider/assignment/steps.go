package assignment

import (
	"cmp"
	"slices"
	"sort"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/slice"
)

// This file computes what an apply of an assignment does. It is pure: no calls, no Terraform requests. The plan announces
// the steps and the apply executes them, so that they cannot differ.

// holding is what a private label has: a package with its add-ons, or nothing.
type holding client.Assignment

func (h holding) isEmpty() bool {
	return h.PackageID == ""
}

// addon finds an attached add-on by its code, without case.
func (h holding) addon(code string) (client.AttachedAddon, bool) {
	i := slices.IndexFunc(h.Addons, func(a client.AttachedAddon) bool { return sameCode(a.Code, code) })
	if i < 0 {
		return client.AttachedAddon{}, false
	}
	return h.Addons[i], true
}

// normal returns the common spelling of codes that differ in case.
func normal(code string) string {
	return fwtype.CodeKind{}.Normal(code)
}

func sameCode(a, b string) bool {
	return normal(a) == normal(b)
}

// sorted returns the add-ons in the order of their codes, so that calls and texts have the same order in every run.
func (h holding) sorted() []client.AttachedAddon {
	out := slices.Clone(h.Addons)
	sort.Slice(out, func(i, j int) bool { return out[i].Code < out[j].Code })
	return out
}

// changesPackage reports whether the package of a private label changes, or may change.
func (m *model) changesPackage(have holding) bool {
	switch {
	case have.isEmpty():
		return false
	case m.PackageID.IsUnknown():
		return m.mayChangePackage() // otherwise a change is rejected once it is known
	default:
		return m.PackageID.ValueString() != have.PackageID
	}
}

// The API calls that write: the verbs of the steps.
const (
	stepDetach = "detach"
	stepRemove = "remove"
	stepAssign = "assign"
	stepAttach = "attach"
)

// assign may lack the code of the package: the configuration has the ID.
func assign(id, code string) effect.Step {
	return effect.Step{Key: "assign package " + id, Verb: stepAssign, ID: id, Name: code}
}

func remove(id, code string) effect.Step {
	return effect.Step{Key: "remove package " + cmp.Or(code, id), Verb: stepRemove, ID: id, Name: code}
}

func attach(id, code string, quantity types.Float64) effect.Step {
	return addonStep(stepAttach, id, code, quantity)
}

func detach(a client.AttachedAddon) effect.Step {
	return addonStep(stepDetach, a.AddonID, a.Code, types.Float64Value(a.Quantity))
}

func addonStep(verb, id, code string, quantity types.Float64) effect.Step {
	s := effect.Step{Verb: verb, ID: id, Name: code, Quantity: quantity}
	s.Key = verb + " add-on " + normal(code) + " (" + amount(s) + ")"
	return s
}

func isPackage(s effect.Step) bool {
	return s.Verb == stepRemove || s.Verb == stepAssign
}

// adds reports whether the step reduces the allowance.
func adds(s effect.Step) bool {
	return s.Verb == stepAssign || s.Verb == stepAttach
}

// steps returns the API calls that change a private label from what it has to what is wanted, in order; nil is a destroy.
func steps(have holding, want *model) []effect.Step {
	switch {
	case want == nil && have.AddonsUnproven && !have.isEmpty():
		return append(removal(have), unseenAddons)
	case want == nil:
		return removal(have)
	case !have.isEmpty() && !want.changesPackage(have):
		return addonSteps(have, want)
	}
	out := append(removal(have), assign(want.PackageID.ValueString(), ""))
	out = append(out, want.attachments()...)
	if have.isEmpty() || !want.PackageID.IsUnknown() {
		return out
	}
	return slice.Map(out, func(s effect.Step) effect.Step {
		if isPackage(s) || !want.managesAddons() {
			s.If = otherPackageID
		}
		s.If = cmp.Or(s.If, otherPackageID+" or "+otherAddon)
		return s
	})
}

const (
	otherPackageID = "package_id is another package"
	otherAddon     = "addons changes it"
)

func removal(have holding) []effect.Step {
	if have.isEmpty() {
		return nil
	}
	return append(slice.Map(have.sorted(), detach), remove(have.PackageID, have.PackageCode))
}

// unseenAddons is what the removal of a package also does where no read shows all add-ons. It makes no call of its own.
var unseenAddons = effect.Step{Key: "detach add-ons that no read shows", Verb: stepDetach, Quantity: types.Float64Unknown(), If: "any is attached"}

func isUnseen(s effect.Step) bool {
	return s.Key == unseenAddons.Key
}

// attachments returns the steps that attach the wanted add-ons to a private label without add-ons.
func (m *model) attachments() []effect.Step {
	if m.Addons.IsUnknown() {
		all := attach("", "", types.Float64Unknown())
		all.If = "addons lists any"
		return []effect.Step{all}
	}
	listed := m.wanted()
	return slice.Map(fwtype.SortedKeys(listed), func(code string) effect.Step { return listed[code] })
}

// addonSteps changes the add-ons of a package that stays. The API cannot change a quantity, so a change needs a detach
// and an attach call.
func addonSteps(have holding, want *model) []effect.Step {
	if !want.managesAddons() {
		return nil
	}
	var out []effect.Step
	listed := want.wanted()
	for _, a := range have.sorted() {
		old := detach(a)
		added, stays := listed[normal(a.Code)]
		if want.Addons.IsUnknown() || stays && added.Quantity.IsUnknown() {
			old.If = otherAddon
		}
		switch {
		case !stays:
			out = append(out, old)
		case added.Quantity.IsUnknown() || added.Quantity.ValueFloat64() != a.Quantity:
			added.If = old.If
			out = append(out, old, added)
		}
	}
	return append(out, slices.DeleteFunc(want.attachments(), func(s effect.Step) bool {
		_, there := have.addon(s.Name)
		return there
	})...)
}

// after returns what a private label has after a step.
func (h holding) after(s effect.Step) holding {
	switch s.Verb {
	case stepDetach:
		h.Addons = slices.DeleteFunc(slices.Clone(h.Addons), func(a client.AttachedAddon) bool { return sameCode(a.Code, s.Name) })
	case stepRemove:
		h = holding{}
	case stepAssign:
		h = holding{PackageID: s.ID, PackageCode: s.Name}
	case stepAttach:
		h.Addons = append(slices.Clone(h.Addons), client.AttachedAddon{AddonID: s.ID, Code: s.Name, Quantity: s.Quantity.ValueFloat64()})
	}
	return h
}

// isSame reports whether two private labels have the same package and add-ons.
func (h holding) isSame(other holding) bool {
	return h.PackageID == other.PackageID && len(h.Addons) == len(other.Addons) && !slices.ContainsFunc(h.Addons, func(a client.AttachedAddon) bool {
		b, there := other.addon(a.Code)
		return !there || a.Quantity != b.Quantity
	})
}

// inEffect reports whether a private label already has what a step adds.
func inEffect(s effect.Step, now holding) bool {
	if s.Verb == stepAssign {
		return !now.isEmpty() && now.PackageID == s.ID
	}
	a, there := now.addon(s.Name)
	return there && a.Quantity == s.Quantity.ValueFloat64()
}

// conflicts returns the add-ons of a private label that a configuration would change or remove, and that are not
// announced: the state does not know them, or a package change drops add-ons that are not managed.
func (m *model) conflicts(have, known holding) []client.AttachedAddon {
	changing := m.changesPackage(have)
	listed := m.wanted()
	if !changing && (m.Addons.IsNull() || m.Addons.IsUnknown()) {
		return nil
	}
	return slices.DeleteFunc(have.sorted(), func(a client.AttachedAddon) bool {
		before, isKnown := known.addon(a.Code)
		wanted, keep := listed[normal(a.Code)]
		return m.managesAddons() && isKnown && before.Quantity == a.Quantity ||
			keep && !changing && (wanted.Quantity.IsUnknown() || wanted.Quantity.ValueFloat64() == a.Quantity)
	})
}

// lost returns the steps that add again what an interrupted apply removed from a private label and should have kept. An
// add-on that is no longer wanted is lost only if the package change that drops it did not happen.
func lost(before, now holding, want *model) (out []effect.Step) {
	if now.isEmpty() {
		out = append(out, assign(before.PackageID, before.PackageCode))
	}
	aborted := want.changesPackage(before) && now.PackageID != want.PackageID.ValueString()
	listed := want.wanted()
	for _, a := range before.sorted() {
		_, stays := listed[normal(a.Code)]
		if _, there := now.addon(a.Code); !there && (stays || aborted) {
			out = append(out, attach(a.AddonID, a.Code, types.Float64Value(a.Quantity)))
		}
	}
	return out
}

// restoration returns what to restore of what is lost: the package with its add-ons, if a package change did not reach
// the new package, and an add-on whose new quantity was rejected.
func restoration(before, now holding, want *model) []effect.Step {
	if now.PackageID == before.PackageID || now.isEmpty() && want.changesPackage(before) {
		return lost(before, now, want)
	}
	return nil
}

func (resource) Steps(was, want, live *model) []effect.Step {
	if want == nil && was.isAbandoned() {
		return nil
	}
	have := heldBefore(was, live)
	if want == nil && live == nil && !was.showsAddons() {
		have.AddonsUnproven = true
	}
	return steps(have, want)
}

// heldBefore is what a private label has before a change: as a read found it, or as the state shows it. The list of private
// labels shows the package, but no add-ons.
func heldBefore(was, live *model) holding {
	switch {
	case was != nil && (live == nil || live.fromList):
		return was.holding()
	case live != nil:
		return live.held
	default:
		return holding{}
	}
}
