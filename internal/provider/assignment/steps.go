package assignment

import (
	"cmp"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// This file computes what an apply of an assignment does. It is pure: no calls, no Terraform requests. The plan announces
// the steps and the apply executes them, so that they cannot differ.

// holding is what a private label has: a package with its add-ons, or nothing.
type holding struct {
	packageID, packageCode string // packageID is empty for nothing
	addons                 []client.AttachedAddon
	allocated              *client.Allocated // nil if the API did not show it
}

func (h holding) none() bool { return h.packageID == "" }

// addon finds an attached add-on by its code, without case.
func (h holding) addon(code string) (client.AttachedAddon, bool) {
	i := slices.IndexFunc(h.addons, func(a client.AttachedAddon) bool { return sameCode(a.Code, code) })
	if i < 0 {
		return client.AttachedAddon{}, false
	}
	return h.addons[i], true
}

// normal returns the common spelling of codes that differ in case.
func normal(code string) string { return fwtype.CodeKind{}.Normal(code) }

func sameCode(a, b string) bool { return normal(a) == normal(b) }

// sorted returns the add-ons in the order of their codes, so that calls and texts have the same order in every run.
func (h holding) sorted() []client.AttachedAddon {
	return slices.SortedFunc(slices.Values(h.addons), func(a, b client.AttachedAddon) int { return cmp.Compare(a.Code, b.Code) })
}

// addonManagement says what `addons` asks for.
type addonManagement int

const (
	addonsUnmanaged addonManagement = iota // not configured: attached add-ons are not changed
	addonsUnknown                          // known after apply
	addonsListed                           // exactly these
)

// targetAddon is an add-on that the configuration requires.
type targetAddon struct {
	spelled  string // its code in the configuration
	quantity float64
	unknown  bool // the quantity is known after apply
}

// target is what the configuration requires of a private label.
type target struct {
	nothing bool // a destroy

	packageID          string // empty if it is known after apply
	allowPackageChange bool

	addons addonManagement
	listed map[string]targetAddon // by normal code; nil unless addonsListed
}

// changesPackage reports whether the package of a private label changes, or may change.
func (t target) changesPackage(have holding) bool {
	switch {
	case have.none(), t.nothing:
		return false
	case t.packageID == "":
		return t.allowPackageChange // otherwise a change is rejected once it is known
	default:
		return t.packageID != have.packageID
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
	unknown        bool // the quantity is known after apply
	conditional    bool // whether the step is taken is known after apply
}

func (s *step) isPackage() bool { return s.kind == stepRemove || s.kind == stepAssign }

// done is what the step did: "attached".
func (s *step) done() string { return strings.TrimSuffix(string(s.kind), "e") + "ed" }

// adds reports whether the step reduces the allowance.
func (s *step) adds() bool { return s.kind == stepAssign || s.kind == stepAttach }

// steps returns the API calls that change a private label from what it has to a target, in order.
func steps(have holding, want target) []*step {
	switch {
	case want.nothing:
		return removal(have, false)
	case have.none(), want.changesPackage(have):
		conditional := !have.none() && want.packageID == ""
		out := append(removal(have, conditional), &step{kind: stepAssign, id: want.packageID, conditional: conditional})
		return append(out, want.attachments(conditional)...)
	default:
		return addonSteps(have, want)
	}
}

// someDetached stands for the add-ons of a destroy that a state does not show.
var someDetached = &step{kind: stepDetach, unknown: true, conditional: true}

func removal(have holding, conditional bool) []*step {
	if have.none() {
		return nil
	}
	out := each(have.sorted(), func(a client.AttachedAddon) *step { return detach(a, conditional) })
	return append(out, &step{kind: stepRemove, id: have.packageID, code: have.packageCode, conditional: conditional})
}

func detach(a client.AttachedAddon, conditional bool) *step {
	return &step{
		kind: stepDetach, id: a.AddonID, code: a.Code, subscriptionID: a.SubscriptionAddonID, quantity: a.Quantity, conditional: conditional,
	}
}

func (t target) attach(code string, conditional bool) *step {
	a := t.listed[code]
	return &step{kind: stepAttach, code: code, quantity: a.quantity, unknown: a.unknown, conditional: conditional}
}

// attachments returns the steps that attach the target's add-ons to a private label without add-ons.
func (t target) attachments(conditional bool) []*step {
	if t.addons == addonsUnknown {
		return []*step{{kind: stepAttach, unknown: true, conditional: true}}
	}
	return each(fwtype.SortedKeys(t.listed), func(code string) *step { return t.attach(code, conditional) })
}

// addonSteps changes the add-ons of a package that stays. The API cannot change a quantity, so a change needs a detach
// and an attach call.
func addonSteps(have holding, want target) []*step {
	var out []*step
	for _, a := range have.sorted() {
		wanted, keep := want.listed[normal(a.Code)]
		switch {
		case want.addons == addonsUnmanaged, keep && !wanted.unknown && wanted.quantity == a.Quantity:
		case want.addons == addonsUnknown:
			out = append(out, detach(a, true))
		case !keep:
			out = append(out, detach(a, false))
		default:
			out = append(out, detach(a, wanted.unknown), want.attach(normal(a.Code), wanted.unknown))
		}
	}
	for _, s := range want.attachments(false) {
		if _, there := have.addon(s.code); !there || s.code == "" {
			out = append(out, s)
		}
	}
	return out
}

// after returns what a private label has after a step.
func (h holding) after(s *step) holding {
	switch s.kind {
	case stepDetach:
		h.addons = slices.DeleteFunc(slices.Clone(h.addons), func(a client.AttachedAddon) bool { return sameCode(a.Code, s.code) })
	case stepRemove:
		h = holding{}
	case stepAssign:
		h = holding{packageID: s.id, packageCode: s.code}
	case stepAttach:
		h.addons = append(slices.Clone(h.addons), client.AttachedAddon{AddonID: s.id, Code: s.code, Quantity: s.quantity})
	}
	return h
}

// inEffect reports whether a private label is already in the state that a step produces.
func (s *step) inEffect(now holding) bool {
	switch s.kind {
	case stepDetach:
		_, there := now.addon(s.code)
		return !there
	case stepRemove:
		return now.none()
	case stepAssign:
		return now.packageID == s.id
	default:
		a, there := now.addon(s.code)
		return there && a.Quantity == s.quantity
	}
}

// Key says what a step does to what.
func (s *step) Key() string {
	if s.isPackage() {
		return string(s.kind) + " package " + cmp.Or(s.code, s.id)
	}
	return string(s.kind) + " add-on " + normal(s.code) + " (" + s.amount() + ")"
}

// conflicts returns the add-ons of a private label that a target would change or remove, and that are not announced: the
// state does not know them, or a package change drops add-ons that are not managed.
func (t target) conflicts(have, known holding) []client.AttachedAddon {
	changing := t.changesPackage(have)
	var out []client.AttachedAddon
	for _, a := range have.sorted() {
		k, ok := known.addon(a.Code)
		wanted, listed := t.listed[normal(a.Code)]
		switch {
		case t.addons == addonsUnmanaged && !changing, t.addons == addonsUnknown && !changing:
		case t.addons != addonsUnmanaged && ok && k.Quantity == a.Quantity:
		case listed && !changing && (wanted.unknown || wanted.quantity == a.Quantity):
		default:
			out = append(out, a)
		}
	}
	return out
}

// restoration returns the steps that restore what an interrupted apply removed from a private label: the package with
// its add-ons, if a package change did not reach the new package, and an add-on whose new quantity was rejected.
func restoration(before, now holding, want target) []*step {
	var out []*step
	changing := want.changesPackage(before)
	switch {
	case now.none() && changing:
		out = append(out, &step{kind: stepAssign, id: before.packageID, code: before.packageCode})
	case now.packageID != before.packageID:
		return nil
	}
	for _, a := range before.sorted() {
		_, wanted := want.listed[normal(a.Code)]
		if _, there := now.addon(a.Code); !there && (changing || wanted) {
			out = append(out, &step{kind: stepAttach, id: a.AddonID, code: a.Code, quantity: a.Quantity})
		}
	}
	return out
}

// lost returns what an interrupted apply removed from a private label and should have kept. An add-on that the target
// drops is lost only if the package change that drops it did not happen.
func lost(before, now holding, want target) []*step {
	var out []*step
	if now.none() && !before.none() && !want.nothing {
		out = append(out, &step{kind: stepRemove, id: before.packageID, code: before.packageCode})
	}
	aborted := want.changesPackage(before) && now.packageID != want.packageID
	for _, a := range before.sorted() {
		_, stays := want.listed[normal(a.Code)]
		if _, there := now.addon(a.Code); !there && (stays || aborted) {
			out = append(out, detach(a, false))
		}
	}
	return out
}
