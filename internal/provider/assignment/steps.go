package assignment

import (
	"cmp"
	"slices"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
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
	allocated              *client.Allocated // nil if the API did not show it
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
	quantity float64
	unknown  bool // the quantity is known after apply
}

// target is what the configuration requires of a private label.
type target struct {
	nothing   bool // a destroy
	abandoned bool // a destroy that keeps what the private label has

	packageID          string // empty if it is known after apply
	allowPackageChange bool

	addons addonManagement
	listed map[string]targetAddon // by normal code
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
}

func (s *step) isPackage() bool { return s.kind == stepRemove || s.kind == stepAssign }

// done is what the step did: "attached".
func (s *step) done() string {
	return map[stepKind]string{stepDetach: "detached", stepRemove: "removed", stepAssign: "assigned", stepAttach: "attached"}[s.kind]
}

// adds reports whether the step reduces the allowance.
func (s *step) adds() bool { return s.kind == stepAssign || s.kind == stepAttach }

// steps returns the API calls that change a private label from what it has to a target, in order.
func steps(have holding, want target) []*step {
	switch {
	case want.abandoned:
		return nil
	case want.nothing:
		return removal(have, false)
	case have.none():
		return append([]*step{want.assign(false)}, want.attachments(false)...)
	case want.changesPackage(have):
		conditional := want.packageID == ""
		out := append(removal(have, conditional), want.assign(conditional))
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
	out := make([]*step, 0, len(have.addons)+1)
	for _, a := range have.sorted() {
		out = append(out, a.detach(conditional))
	}
	return append(out, &step{kind: stepRemove, id: have.packageID, code: have.packageCode, conditional: conditional})
}

func (a heldAddon) detach(conditional bool) *step {
	return &step{kind: stepDetach, id: a.id, code: a.code, subscriptionID: a.subscriptionID, quantity: a.quantity, conditional: conditional}
}

func (a heldAddon) restore() *step {
	return &step{kind: stepAttach, id: a.id, code: a.code, quantity: a.quantity}
}

func (t target) assign(conditional bool) *step {
	return &step{kind: stepAssign, id: t.packageID, conditional: conditional}
}

func (t target) attach(code string, conditional bool) *step {
	a := t.listed[code]
	return &step{kind: stepAttach, code: code, quantity: a.quantity, unknown: a.unknown, conditional: conditional}
}

// attachments returns the steps that attach the target's add-ons to a private label without add-ons.
func (t target) attachments(conditional bool) []*step {
	switch t.addons {
	case addonsUnknown:
		return []*step{{kind: stepAttach, unknown: true, conditional: true}}
	case addonsListed:
		var out []*step
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
func addonSteps(have holding, want target) []*step {
	var out []*step
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
func (h holding) after(s *step) holding {
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
		return there && a.quantity == s.quantity
	}
}

// Key says what a step does to what.
func (s *step) Key() string {
	verb := map[stepKind]string{stepDetach: "detach", stepRemove: "remove", stepAssign: "assign", stepAttach: "attach"}[s.kind]
	if s.isPackage() {
		return verb + " package " + named(s.code, s.id)
	}
	return verb + " add-on " + fwtype.CodeKind{}.Normal(s.code) + " (" + s.amount() + ")"
}

// conflicts returns the add-ons of a private label that a target would change or remove, and that are not announced: the
// state does not know them, or a package change drops add-ons that are not managed.
func (t target) conflicts(have, known holding) []heldAddon {
	changing := t.changesPackage(have)
	var out []heldAddon
	for _, a := range have.sorted() {
		k, ok := known.addon(a.code)
		wanted, listed := t.listed[fwtype.CodeKind{}.Normal(a.code)]
		switch {
		case t.addons == addonsUnmanaged && !changing, t.addons == addonsUnknown && !changing:
		case t.addons != addonsUnmanaged && ok && k.quantity == a.quantity:
		case listed && !changing && (wanted.unknown || wanted.quantity == a.quantity):
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
		_, wanted := want.listed[fwtype.CodeKind{}.Normal(a.code)]
		if _, there := now.addon(a.code); !there && (changing || wanted) {
			out = append(out, a.restore())
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
		_, stays := want.listed[fwtype.CodeKind{}.Normal(a.code)]
		if _, there := now.addon(a.code); !there && (stays || aborted) {
			out = append(out, a.detach(false))
		}
	}
	return out
}
