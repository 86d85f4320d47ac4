package assignment

import (
	"cmp"
	"slices"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// This file computes what an apply of an assignment does. It is pure: no calls, no Terraform requests. The plan announces
// the steps and the apply executes them, so that they cannot differ.

// heldAddon is an add-on attached to a private label.
type heldAddon struct {
	subscriptionID, id, code, name string
	quantity                       float64
}

// holding is what a private label has: a package with its add-ons, or nothing.
type holding struct {
	packageID, packageCode string // packageID is empty for nothing
	addons                 []heldAddon
}

func (h holding) none() bool { return h.packageID == "" }

// addon finds an attached add-on by its code, without case.
func (h holding) addon(code string) (heldAddon, bool) {
	i := slices.IndexFunc(h.addons, func(a heldAddon) bool { return sameCode(a.code, code) })
	if i < 0 {
		return heldAddon{}, false
	}
	return h.addons[i], true
}

func sameCode(a, b string) bool { return fwtype.CodeKind{}.Normal(a) == fwtype.CodeKind{}.Normal(b) }

// equal compares packages, codes and quantities. IDs of attachments do not count.
func (h holding) equal(o holding) bool {
	if h.packageID != o.packageID || len(h.addons) != len(o.addons) {
		return false
	}
	for _, a := range h.addons {
		if b, ok := o.addon(a.code); !ok || a.quantity != b.quantity {
			return false
		}
	}
	return true
}

// sorted returns the add-ons in the order of their codes, so that calls and texts have the same order in every run.
func (h holding) sorted() []heldAddon {
	return slices.SortedFunc(slices.Values(h.addons), func(a, b heldAddon) int { return cmp.Compare(a.code, b.code) })
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
	id       string // empty if the catalog does not show it (yet)
	quantity float64
	unknown  bool // the quantity is known after apply
}

// target is what the configuration requires of a private label.
type target struct {
	nothing bool // a destroy

	packageID, packageCode string // packageID is empty if it is known after apply
	allowPackageChange     bool

	addons addonManagement
	listed map[string]targetAddon // by normal code
}

// given resolves a target for what a private label has: a package change attaches unmanaged add-ons again with their
// quantities.
func (t target) given(have holding) target {
	if t.addons != addonsUnmanaged || t.nothing || have.none() || !t.changesPackage(have) {
		return t
	}
	t.addons, t.listed = addonsListed, map[string]targetAddon{}
	for _, a := range have.addons {
		t.listed[fwtype.CodeKind{}.Normal(a.code)] = targetAddon{id: a.id, quantity: a.quantity}
	}
	return t
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

// maybeMovesAddons reports whether unmanaged add-ons move to another package, which is known after apply.
func (t target) maybeMovesAddons(have holding) bool {
	return t.addons == addonsUnmanaged && t.packageID == "" && t.changesPackage(have)
}

// stepKind is one of the four API calls that write.
type stepKind int

const (
	stepDetach stepKind = iota
	stepRemove
	stepAssign
	stepAttach
)

// step is one API call of an apply that writes.
type step struct {
	kind           stepKind
	id, code       string // of the package or the add-on; both empty where they are known after apply
	subscriptionID string // of an add-on to detach
	quantity       float64
	unknown        bool // the quantity is known after apply
	conditional    bool // whether the step is taken is known after apply
	restores       bool // restores what the private label had before this apply: the only step with unlimited consent
}

func (s step) isPackage() bool { return s.kind == stepRemove || s.kind == stepAssign }

// adds reports whether the step reduces the allowance.
func (s step) adds() bool { return s.kind == stepAssign || s.kind == stepAttach }

// steps returns the API calls that change a private label from what it has to a target, in order.
func steps(have holding, want target) []step {
	want = want.given(have)
	switch {
	case want.nothing:
		return removal(have, false)
	case have.none():
		return append([]step{want.assign(false)}, want.attachments(false)...)
	case want.changesPackage(have):
		conditional := want.packageID == ""
		out := append(removal(have, conditional), want.assign(conditional))
		return append(out, want.attachments(conditional)...)
	default:
		return addonSteps(have, want)
	}
}

// Placeholders for add-ons that neither the state nor the plan shows.
var (
	someDetached = step{kind: stepDetach, unknown: true, conditional: true}
	someAttached = step{kind: stepAttach, unknown: true, conditional: true}
)

// announced returns the steps that a plan announces. If neither the state nor the plan shows the add-ons of the private
// label, the apply may find other ones.
func (t target) announced(have holding, todo []step, inState bool) []step {
	if inState || len(todo) == 0 {
		return todo
	}
	moves := t.maybeMovesAddons(have)
	if _, _, known := t.kept(have); moves || !known {
		todo = append([]step{someDetached}, todo...)
	}
	if moves {
		todo = append(todo, someAttached)
	}
	return todo
}

func removal(have holding, conditional bool) []step {
	if have.none() {
		return nil
	}
	out := make([]step, 0, len(have.addons)+1)
	for _, a := range have.sorted() {
		out = append(out, a.detach(conditional))
	}
	return append(out, step{kind: stepRemove, id: have.packageID, code: have.packageCode, conditional: conditional})
}

func (a heldAddon) detach(conditional bool) step {
	return step{kind: stepDetach, id: a.id, code: a.code, subscriptionID: a.subscriptionID, quantity: a.quantity, conditional: conditional}
}

func (a heldAddon) restore() step {
	return step{kind: stepAttach, id: a.id, code: a.code, quantity: a.quantity, restores: true}
}

func (t target) assign(conditional bool) step {
	return step{kind: stepAssign, id: t.packageID, code: t.packageCode, conditional: conditional}
}

func (t target) attach(code string, conditional bool) step {
	a := t.listed[code]
	return step{kind: stepAttach, id: a.id, code: code, quantity: a.quantity, unknown: a.unknown, conditional: conditional}
}

// attachments returns the steps that attach the target's add-ons to a private label without add-ons.
func (t target) attachments(conditional bool) []step {
	switch t.addons {
	case addonsUnknown:
		return []step{{kind: stepAttach, unknown: true, conditional: true}}
	case addonsListed:
		var out []step
		for _, code := range fwtype.SortedKeys(t.listed) {
			out = append(out, t.attach(code, conditional))
		}
		return out
	case addonsUnmanaged:
	}
	return nil
}

// addonSteps changes the add-ons of a package that stays. The API cannot change a quantity, so a change needs a detach
// and an attach call.
func addonSteps(have holding, want target) []step {
	var out []step
	for _, a := range have.sorted() {
		wanted, keep := want.listed[fwtype.CodeKind{}.Normal(a.code)]
		switch {
		case want.addons == addonsUnmanaged, keep && !wanted.unknown && wanted.quantity == a.quantity:
		case want.addons == addonsUnknown:
			out = append(out, a.detach(true))
		case !keep:
			out = append(out, a.detach(false))
		default:
			out = append(out, a.detach(wanted.unknown), want.attach(fwtype.CodeKind{}.Normal(a.code), wanted.unknown))
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
func (h holding) after(s step) holding {
	switch s.kind {
	case stepDetach:
		h.addons = slices.DeleteFunc(slices.Clone(h.addons), func(a heldAddon) bool { return sameCode(a.code, s.code) })
	case stepRemove:
		h = holding{}
	case stepAssign:
		h = holding{packageID: s.id, packageCode: s.code}
	case stepAttach:
		h.addons = append(slices.Clone(h.addons), heldAddon{id: s.id, code: s.code, quantity: s.quantity})
	}
	return h
}

// inEffect reports whether a private label is already in the state that a step produces.
func (s step) inEffect(now holding) bool {
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
		return there && a.quantity == s.quantity
	}
}

// uncovered returns the steps that were not announced. An announced step that is known after apply covers any value.
func uncovered(announced, todo []step) []step {
	var out []step
	for _, s := range todo {
		if !slices.ContainsFunc(announced, func(a step) bool { return a.covers(s) }) {
			out = append(out, s)
		}
	}
	return out
}

func (s step) covers(o step) bool {
	switch {
	case s.kind != o.kind:
		return false
	case s.isPackage():
		return s.id == o.id || s.id == ""
	default:
		return (s.code == "" || sameCode(s.code, o.code)) && (s.unknown || s.quantity == o.quantity)
	}
}

// restoration returns the steps that restore what an interrupted apply removed from a private label: the package with
// its add-ons, if a package change did not reach the new package, and an add-on whose new quantity was rejected.
func restoration(before, now holding, want target) []step {
	var out []step
	changing := want.changesPackage(before)
	switch {
	case now.none() && changing:
		out = append(out, step{kind: stepAssign, id: before.packageID, code: before.packageCode, restores: true})
	case now.packageID != before.packageID:
		return nil
	}
	for _, a := range before.sorted() {
		_, wanted := want.listed[fwtype.CodeKind{}.Normal(a.code)]
		if _, there := now.addon(a.code); !there && (changing || wanted) {
			out = append(out, a.restore())
		}
	}
	return out
}

// lost returns what an interrupted apply removed from a private label and should have kept. An add-on that the target
// drops is lost only if the package change that drops it did not happen.
func lost(before, now holding, want target) []step {
	var out []step
	want = want.given(before)
	if now.none() && !before.none() && !want.nothing {
		out = append(out, step{kind: stepRemove, id: before.packageID, code: before.packageCode})
	}
	aborted := want.changesPackage(before) && now.packageID != want.packageID
	for _, a := range before.sorted() {
		_, stays := want.listed[fwtype.CodeKind{}.Normal(a.code)]
		if _, there := now.addon(a.code); !there && (stays || aborted) {
			out = append(out, a.detach(false))
		}
	}
	return out
}

// kept splits the add-ons of a private label into those that a target keeps with their quantity, and the others. It
// returns false if that is known after apply, because another package would drop all of them.
func (t target) kept(have holding) (keeps, drops []heldAddon, known bool) {
	t = t.given(have)
	for _, a := range have.sorted() {
		wanted, listed := t.listed[fwtype.CodeKind{}.Normal(a.code)]
		switch {
		case t.addons == addonsUnknown, listed && wanted.unknown:
			return nil, nil, false
		case t.addons == addonsUnmanaged && !t.changesPackage(have), listed && wanted.quantity == a.quantity:
			keeps = append(keeps, a)
		default:
			drops = append(drops, a)
		}
	}
	if t.addons == addonsListed && t.packageID == "" && t.changesPackage(have) && len(keeps) > 0 {
		return nil, nil, false
	}
	return keeps, drops, true
}
