package assignment

import (
	"cmp"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
)

// This file computes what an apply of an assignment does. It is pure: no calls, no Terraform requests. The plan announces
// the steps and the apply executes them, so that they cannot differ.

// holding is what a private label has: a package with its add-ons, or nothing.
type holding client.Assignment

func (h holding) none() bool { return h.PackageID == "" }

// addon finds an attached add-on by its code, without case.
func (h holding) addon(code string) (client.AttachedAddon, bool) {
	i := slices.IndexFunc(h.Addons, func(a client.AttachedAddon) bool { return sameCode(a.Code, code) })
	if i < 0 {
		return client.AttachedAddon{}, false
	}
	return h.Addons[i], true
}

// normal returns the common spelling of codes that differ in case.
func normal(code string) string { return fwtype.CodeKind{}.Normal(code) }

func sameCode(a, b string) bool { return normal(a) == normal(b) }

// sorted returns the add-ons in the order of their codes, so that calls and texts have the same order in every run.
func (h holding) sorted() []client.AttachedAddon {
	return slices.SortedFunc(slices.Values(h.Addons), func(a, b client.AttachedAddon) int { return cmp.Compare(a.Code, b.Code) })
}

// changesPackage reports whether the package of a private label changes, or may change.
func (m *model) changesPackage(have holding) bool {
	switch {
	case have.none():
		return false
	case m.PackageID.IsUnknown():
		return m.mayChangePackage() // otherwise a change is rejected once it is known
	default:
		return m.PackageID.ValueString() != have.PackageID
	}
}

// stepKind is one of the four API calls that write.
type stepKind string

const (
	stepDetach stepKind = "detach"
	stepRemove stepKind = "remove"
	stepAssign stepKind = "assign"
	stepAttach stepKind = "attach"
)

// step is one API call of an apply that writes.
type step struct {
	kind           stepKind
	id, code       string // of the package or the add-on; both empty where they are known after apply
	subscriptionID string // of an add-on to detach
	quantity       float64
	unknown        bool   // the quantity is known after apply
	condition      string // what a value that is known after apply has to be; empty for a step that is certain
}

func (s *step) isPackage() bool { return s.kind == stepRemove || s.kind == stepAssign }

// done is what the step did: "attached".
func (s *step) done() string { return strings.TrimSuffix(string(s.kind), "e") + "ed" }

// adds reports whether the step reduces the allowance.
func (s *step) adds() bool { return s.kind == stepAssign || s.kind == stepAttach }

// steps returns the API calls that change a private label from what it has to what is wanted, in order; nil is a destroy.
func steps(have holding, want *model) []*step {
	switch {
	case want == nil:
		return removal(have)
	case !have.none() && !want.changesPackage(have):
		return addonSteps(have, want)
	}
	out := append(removal(have), &step{kind: stepAssign, id: want.PackageID.ValueString()})
	out = append(out, want.attachments()...)
	for _, s := range out {
		switch {
		case have.none() || !want.PackageID.IsUnknown():
		case s.isPackage() || !want.managesAddons():
			s.condition = otherPackageID
		case s.condition == "":
			s.condition = otherPackageID + " or " + otherAddon
		}
	}
	return out
}

const (
	otherPackageID = "package_id is another package"
	otherAddon     = "addons changes it"
)

func removal(have holding) []*step {
	if have.none() {
		return nil
	}
	return append(registration.Each(have.sorted(), detach), &step{kind: stepRemove, id: have.PackageID, code: have.PackageCode})
}

func detach(a client.AttachedAddon) *step {
	return &step{kind: stepDetach, id: a.AddonID, code: a.Code, subscriptionID: a.SubscriptionAddonID, quantity: a.Quantity}
}

// attachments returns the steps that attach the wanted add-ons to a private label without add-ons.
func (m *model) attachments() []*step {
	if m.Addons.IsUnknown() {
		return []*step{{kind: stepAttach, unknown: true, condition: "addons lists any"}}
	}
	listed := m.wanted()
	return registration.Each(fwtype.SortedKeys(listed), func(code string) *step { return listed[code] })
}

// addonSteps changes the add-ons of a package that stays. The API cannot change a quantity, so a change needs a detach
// and an attach call.
func addonSteps(have holding, want *model) []*step {
	if !want.managesAddons() {
		return nil
	}
	var out []*step
	listed := want.wanted()
	for _, a := range have.sorted() {
		old, attach := detach(a), listed[normal(a.Code)]
		if want.Addons.IsUnknown() || attach != nil && attach.unknown {
			old.condition = otherAddon
		}
		switch {
		case attach == nil:
			out = append(out, old)
		case attach.unknown || attach.quantity != a.Quantity:
			attach.condition = old.condition
			out = append(out, old, attach)
		}
	}
	return append(out, slices.DeleteFunc(want.attachments(), func(s *step) bool {
		_, there := have.addon(s.code)
		return there
	})...)
}

// after returns what a private label has after a step.
func (h holding) after(s *step) holding {
	switch s.kind {
	case stepDetach:
		h.Addons = slices.DeleteFunc(slices.Clone(h.Addons), func(a client.AttachedAddon) bool { return sameCode(a.Code, s.code) })
	case stepRemove:
		h = holding{}
	case stepAssign:
		h = holding{PackageID: s.id, PackageCode: s.code}
	case stepAttach:
		h.Addons = append(slices.Clone(h.Addons), client.AttachedAddon{AddonID: s.id, Code: s.code, Quantity: s.quantity})
	}
	return h
}

// inEffect reports whether a private label already has what a step adds.
func (s *step) inEffect(now holding) bool {
	if s.kind == stepAssign {
		return !now.none() && now.PackageID == s.id
	}
	a, there := now.addon(s.code)
	return there && a.Quantity == s.quantity
}

// Key says what a step does to what. The configuration has the ID of a package to assign, and not its code.
func (s *step) Key() string {
	switch s.kind {
	case stepAssign:
		return "assign package " + s.id
	case stepRemove:
		return "remove package " + cmp.Or(s.code, s.id)
	default:
		return string(s.kind) + " add-on " + normal(s.code) + " (" + s.amount() + ")"
	}
}

// conflicts returns the add-ons of a private label that a configuration would change or remove, and that are not
// announced: the state does not know them, or a package change drops add-ons that are not managed.
func (m *model) conflicts(have, known holding) []client.AttachedAddon {
	changing, listed := m.changesPackage(have), m.wanted()
	if !changing && (m.Addons.IsNull() || m.Addons.IsUnknown()) {
		return nil
	}
	return slices.DeleteFunc(have.sorted(), func(a client.AttachedAddon) bool {
		before, isKnown := known.addon(a.Code)
		wanted, keep := listed[normal(a.Code)]
		return m.managesAddons() && isKnown && before.Quantity == a.Quantity ||
			keep && !changing && (wanted.unknown || wanted.quantity == a.Quantity)
	})
}

// lost returns the steps that add again what an interrupted apply removed from a private label and should have kept. An
// add-on that is no longer wanted is lost only if the package change that drops it did not happen.
func lost(before, now holding, want *model) (out []*step) {
	if now.none() {
		out = append(out, &step{kind: stepAssign, id: before.PackageID, code: before.PackageCode})
	}
	aborted, listed := want.changesPackage(before) && now.PackageID != want.PackageID.ValueString(), want.wanted()
	for _, a := range before.sorted() {
		_, stays := listed[normal(a.Code)]
		if _, there := now.addon(a.Code); !there && (stays || aborted) {
			out = append(out, &step{kind: stepAttach, id: a.AddonID, code: a.Code, quantity: a.Quantity})
		}
	}
	return out
}

// restoration returns what to restore of what is lost: the package with its add-ons, if a package change did not reach
// the new package, and an add-on whose new quantity was rejected.
func restoration(before, now holding, want *model) []*step {
	if now.PackageID == before.PackageID || now.none() && want.changesPackage(before) {
		return lost(before, now, want)
	}
	return nil
}
