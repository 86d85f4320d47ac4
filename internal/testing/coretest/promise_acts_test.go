package coretest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// act changes the configuration or, in the console, the simulator. Its numbers choose among the existing objects, so
// that a walk stays valid without any one act: an act that is not possible does nothing.
type act struct {
	kind    string
	a, b, c int
}

// promiseStep is a change of the configuration, its plan, what happens in the console before and after that plan, and
// its apply.
type promiseStep struct {
	edits, before, between []act
	options                planOptions
	replace                []int           // of the addresses in state
	again                  int             // how often an apply that fails is tried again
	other                  bool            // of the other state
	forms                  simulator.Forms // of the API, the same in all steps of a walk
}

// actKind is the frequency of an act and its function, which returns what it did, or nothing if it was not possible.
type actKind struct {
	name   string
	area   area
	weight int
	do     func(*estate, act) string
}

// edit is a kind of act that changes the configuration.
type edit struct {
	name   string
	area   area
	weight int
	do     func(*estate, act)
}

// recorded are edits that return which wishes they changed.
func recorded(edits []edit) (kinds []actKind) {
	for _, k := range edits {
		kinds = append(kinds, actKind{k.name, k.area, k.weight, func(e *estate, a act) string {
			before := e.wants()
			k.do(e, a)
			return fmt.Sprintf("%s %d %d %d: %s", a.kind, a.a, a.b, a.c, strings.Join(differences("", reflect.ValueOf(before), reflect.ValueOf(e.wants())), ", "))
		}})
	}
	return kinds
}

// differences of two values, by their paths: "labels[0].people[1].alias 0 -> 2".
func differences(path string, was, now reflect.Value) (out []string) {
	switch was.Kind() {
	case reflect.Struct:
		for i := range was.NumField() {
			out = append(out, differences(strings.TrimPrefix(path+"."+was.Type().Field(i).Name, "."), was.Field(i), now.Field(i))...)
		}
	case reflect.Slice, reflect.Array:
		for i := range was.Len() {
			out = append(out, differences(fmt.Sprintf("%s[%d]", path, i), was.Index(i), now.Index(i))...)
		}
	default:
		if before, after := fmt.Sprint(was), fmt.Sprint(now); before != after {
			out = append(out, path+" "+before+" -> "+after)
		}
	}
	return out
}

// area is the subject of an act. Three of four acts of a walk have one area, so that they interact.
type area int

const (
	ofLabels area = iota
	ofAssignments
	ofMembers
	ofItems
	ofDocuments
)

var walkAreas = []area{ofLabels, ofAssignments, ofMembers, ofAssignments, ofItems, ofAssignments, ofDocuments}

func pick[T any](from []T, n int) T { return from[n%len(from)] }

// labelOf returns the configured private label of an act, if there is one.
func (e *estate) labelOf(a act) *wantedLabel {
	var declared []*wantedLabel
	for _, l := range e.labels {
		if l.declared {
			declared = append(declared, l)
		}
	}
	if len(declared) == 0 || a.a%8 == 0 {
		declared = e.labels
	}
	return pick(declared, a.a)
}

// editKinds change the configuration.
var editKinds = recorded([]edit{
	{"declare label", ofLabels, 6, (*estate).declareLabel},
	{"drop label", ofLabels, 5, func(e *estate, a act) {
		e.labelOf(a).declared = false
	}},
	{"policy", ofLabels, 4, func(e *estate, a act) {
		e.labelOf(a).policy = a.b % len(promisePolicies)
	}},
	{"suspended", ofLabels, 4, func(e *estate, a act) {
		l := e.labelOf(a)
		l.suspended, l.reason = a.b%len(promiseSuspends), a.c%3
	}},
	{"rename label", ofLabels, 2, func(e *estate, a act) {
		l := e.labelOf(a)
		e.rename(a, l.address, &l.renamed)
	}},
	{"import label", ofLabels, 1, func(e *estate, a act) {
		e.labelOf(a).imported = true
	}},
	{"late label", ofLabels, 2, func(e *estate, a act) {
		l := e.labelOf(a)
		bump(a.b, &l.lateHost, &l.lateOwner)
	}},
	{"create portal's parts first", ofLabels, 1, func(e *estate, a act) {
		l := e.labelOf(a)
		l.brandFirst, l.verifyFirst = a.b%2 == 0, a.c%2 == 0
	}},
	{"second label", ofLabels, 2, func(e *estate, a act) {
		l := e.labelOf(a)
		e.toggle(a, &l.second, "reseller_private_label."+l.secondName(), l.generation)
	}},
	{"second branding", ofLabels, 1, func(e *estate, a act) {
		l := e.labelOf(a)
		e.toggle(a, &l.secondBrand, "reseller_branding."+l.secondName(), 1+a.b%3)
	}},
	{"forget label", ofLabels, 1, func(e *estate, a act) {
		l := e.labelOf(a)
		l.declared = false
		e.forget(l.address())
	}},
	{"brand", ofLabels, 1, func(e *estate, a act) {
		e.labelOf(a).color = a.b % 4
	}},
	{"verify", ofLabels, 1, func(e *estate, a act) {
		e.labelOf(a).verified = a.b%2 == 0
	}},
	{"assign", ofAssignments, 7, func(e *estate, a act) {
		l := e.labelOf(a)
		l.assigned, l.pkg = true, pick(e.ofType("reseller_package"), a.b)
		e.need(l.pkg)
	}},
	{"drop assignment", ofAssignments, 3, func(e *estate, a act) {
		e.labelOf(a).assigned = false
	}},
	{"assignment policy", ofAssignments, 3, func(e *estate, a act) {
		e.labelOf(a).assignmentPolicy = a.b % len(removePolicies)
	}},
	{"rename assignment", ofAssignments, 2, func(e *estate, a act) {
		l := e.labelOf(a)
		e.rename(a, l.assignmentAddress, &l.assignmentName)
	}},
	{"forget assignment", ofAssignments, 1, func(e *estate, a act) {
		l := e.labelOf(a)
		l.assigned = false
		e.forget(l.assignmentAddress())
	}},
	{"second assignment", ofAssignments, 3, func(e *estate, a act) {
		l := e.labelOf(a)
		pkg := l.pkg
		if a.b%4 == 0 {
			pkg = pick(e.ofType("reseller_package"), a.b/4)
		}
		e.toggle(a, &l.secondAssignment, "reseller_assignment."+l.secondName(), pkg)
	}},
	{"add-on", ofAssignments, 7, func(e *estate, a act) {
		l, i := e.labelOf(a), pick(e.ofType("reseller_addon"), a.b)
		l.manages = true
		delete(l.addons, i)
		if n := a.c % 4; n > 0 {
			l.addons[i] = n
			e.need(i)
		}
	}},
	{"manage add-ons", ofAssignments, 3, func(e *estate, a act) {
		e.labelOf(a).manages = a.b%3 == 0
	}},
	{"consent", ofAssignments, 5, func(e *estate, a act) {
		l := e.labelOf(a)
		l.consent, l.mayChange = a.b%len(promiseConsents), a.c%4 > 0
	}},
	{"late assignment", ofAssignments, 5, func(e *estate, a act) {
		l := e.labelOf(a)
		bump(a.b, &l.lateLabel, &l.latePackage, &l.lateCount, &l.lateAll)
	}},
	{"add member", ofMembers, 5, func(e *estate, a act) {
		e.personOf(a).declared = true
	}},
	{"create members first", ofMembers, 3, func(e *estate, a act) {
		l := e.labelOf(a)
		if l.hasTeam() && a.c%2 == 0 {
			l.teamFirst = !l.teamFirst
			return
		}
		p := e.personOf(a)
		if p.first = !p.first || a.a%2 == 1; p.first && a.c%4 > 1 {
			p.alias = a.c % 3
		}
	}},
	{"read the label late", ofMembers, 3, func(e *estate, a act) {
		l := e.labelOf(a)
		l.readLate = a.b%4 > 0
		l.policy = a.c % 4
	}},
	{"second member", ofMembers, 3, func(e *estate, a act) {
		l, p := e.labelOf(a), e.personOf(a)
		e.toggle(a, &p.second, "reseller_member."+l.secondMember(a.b%3), p.alias)
	}},
	{"member beside set", ofMembers, 3, func(e *estate, a act) {
		p := &e.teamLabel().people[a.b%3]
		p.beside = !p.beside
		if a.c%2 == 0 {
			p.declared = true
		}
	}},
	{"second set", ofMembers, 2, func(e *estate, a act) {
		l := e.teamLabel()
		e.toggle(a, &l.secondTeam, "reseller_members."+l.secondName(), a.b%6)
	}},
	{"forget set", ofMembers, 1, func(e *estate, _ act) {
		l := e.teamLabel()
		l.team = false
		e.forget(l.teamAddress())
	}},
	{"drop member", ofMembers, 3, func(e *estate, a act) {
		e.personOf(a).declared = false
	}},
	{"exchange member", ofMembers, 2, func(e *estate, a act) {
		e.personOf(a).alias = a.c % 3
	}},
	{"rename member", ofMembers, 1, func(e *estate, a act) {
		e.personOf(a).name++
	}},
	{"member policy", ofMembers, 2, func(e *estate, a act) {
		e.personOf(a).policy = a.c % len(removePolicies)
	}},
	{"rename member's block", ofMembers, 2, func(e *estate, a act) {
		e.rename(a, func() string { return e.labelOf(a).memberAddress(a.b % 3) }, &e.personOf(a).address)
	}},
	{"forget member", ofMembers, 1, func(e *estate, a act) {
		l, p := e.labelOf(a), e.personOf(a)
		p.declared, p.beside = l.hasTeam() && p.declared, false
		e.forget(l.memberAddress(a.b % 3))
	}},
	{"rename set", ofMembers, 1, func(e *estate, a act) {
		l := e.teamLabel()
		e.rename(a, l.teamAddress, &l.teamName)
	}},
	{"late member", ofMembers, 2, func(e *estate, a act) {
		bump(0, &e.personOf(a).late)
	}},
	{"set of members", ofMembers, 6, func(e *estate, _ act) {
		e.teamLabel().team = true
	}},
	{"drop set", ofMembers, 1, func(e *estate, _ act) {
		e.teamLabel().team = false
	}},
	{"owner in set", ofMembers, 2, func(e *estate, a act) {
		e.teamLabel().ownerInTeam = a.b%2 == 0
	}},
	{"late set", ofMembers, 1, func(e *estate, _ act) {
		bump(0, &e.teamLabel().lateTeam)
	}},
	{"declare item", ofItems, 4, func(e *estate, a act) {
		pick(e.items, a.a).declared = true
	}},
	{"drop item", ofItems, 2, func(e *estate, a act) {
		pick(e.items, a.a).declared = false
	}},
	{"change item", ofItems, 3, func(e *estate, a act) {
		it := pick(e.items, a.a)
		it.active, it.name = a.b%3, a.c%2
	}},
	{"item policy", ofItems, 2, func(e *estate, a act) {
		pick(e.items, a.a).policy = a.b % len(itemPolicies)
	}},
	{"second item", ofItems, 2, func(e *estate, a act) {
		it := pick(e.items, a.a)
		e.toggle(a, &it.second, it.typ+"."+it.secondName(), 0)
	}},
	{"late item", ofItems, 1, func(e *estate, a act) {
		bump(0, &pick(e.items, a.a).late)
	}},
	{"document", ofDocuments, 3, func(e *estate, a act) {
		d := pick(e.docs, a.a)
		d.declared, d.signers, d.complete, d.late = true, a.b%3, a.c%4 == 0, a.c%2
	}},
	{"drop document", ofDocuments, 1, func(e *estate, a act) {
		pick(e.docs, a.a).declared = false
	}},
	{"sign or mint", ofDocuments, 4, func(e *estate, a act) {
		d := pick(e.docs, a.a)
		d.signed, d.minted = a.b%4 > 0, a.c%2 == 0
	}},
})

// need declares an item that the simulator does not have.
func (e *estate) need(item int) {
	it := e.items[item]
	it.declared = it.declared || e.itemID(it) == ""
}

func (e *estate) personOf(a act) *wantedPerson { return &e.labelOf(a).people[a.b%3] }

// teamLabel is the private label whose members are one set.
func (e *estate) teamLabel() *wantedLabel {
	return e.labels[slices.IndexFunc(e.labels, (*wantedLabel).hasTeam)]
}

// bump makes one of these values unknown in the next plan.
func bump(n int, counters ...*int) { *pick(counters, n)++ }

// declareLabel declares a private label, with another host name if the former one cannot be reused.
func (e *estate) declareLabel(a act) {
	l := pick(e.labels, a.a)
	l.declared = true
	l.policy = a.c % len(promisePolicies)
	if _, live := e.live(l.host()); !live && e.bound(l.host()) {
		l.generation++
		l.imported = false
	}
}

// bound reports whether a host name was ever provisioned.
func (e *estate) bound(host string) bool {
	return slices.ContainsFunc(e.w.Sim.Books(), func(b simulator.Entry) bool {
		return b.Kind == simulator.EntryHostBound && b.Host == host
	})
}

// rename changes a resource address by its version: with a moved block, an import block, or neither.
func (e *estate) rename(a act, address func() string, version *int) {
	from := address()
	*version++
	switch {
	case a.c%6 == 3:
		e.importing[address()] = true
	case a.c%3 > 0:
		e.moved[from] = address()
	}
}

// toggle declares the second address of an object, or takes it away.
func (e *estate) toggle(a act, s *wantedSecond, address string, variant int) {
	if !s.declared {
		*s = wantedSecond{declared: true, policy: a.c % 12, variant: variant}
		return
	}
	s.declared = false
	if a.c%2 == 0 {
		e.forget(address)
	}
}

// forget writes a block that only removes an address from state.
func (e *estate) forget(address string) {
	e.removed[address] = true
}

// moveKinds are out-of-band changes and faults.
var moveKinds = []actKind{
	{"console: attach", ofAssignments, 5, words("attach HOST ADDON NUMBER")},
	{"console: detach", ofAssignments, 3, words("detach HOST ADDON")},
	{"console: assign", ofAssignments, 3, words("assign HOST PACKAGE")},
	{"console: remove package", ofAssignments, 2, onLive(func(e *estate, v simulator.LabelView, _ act) (string, error) {
		return "remove the package", e.w.Sim.RemovePackageInConsole(v.Host)
	})},
	{"console: deactivate", ofAssignments, 4, (*estate).setActive},
	{"platform: suspend", ofLabels, 2, words("suspend HOST -by platform -reason abuse")},
	{"platform: lift", ofLabels, 2, onLive(func(e *estate, v simulator.LabelView, _ act) (string, error) {
		return "lift the suspension (platform)", e.w.Sim.LiftPlatformSuspension(v.Host)
	})},
	{"console: suspend", ofLabels, 2, words("suspend HOST -reason unpaid")},
	{"console: unsuspend", ofLabels, 2, onLive(func(e *estate, v simulator.LabelView, _ act) (string, error) {
		if v.SuspendedBy == "Platform" {
			return "", fmt.Errorf("%s is suspended by the platform", v.Host)
		}
		return "unsuspend", e.w.Sim.UnsuspendInConsole(v.Host)
	})},
	{"customer: DNS", ofLabels, 2, words("dns HOST ok")},
	{"console: make admin", ofMembers, 2, words("member promote HOST EMAIL")},
	{"console: demote", ofMembers, 2, onPerson(func(e *estate, host, email string) (string, error) {
		return "demote " + email, e.w.Sim.DemoteAdmin(host, email)
	})},
	{"console: rename person", ofMembers, 1, onPerson(func(e *estate, host, email string) (string, error) {
		return "rename " + email, e.w.Sim.RenamePerson(host, email, "Re", "Named")
	})},
	{"console: change address", ofMembers, 2, onLive(func(e *estate, v simulator.LabelView, a act) (string, error) {
		from, to := wantedPerson{alias: a.c % 3}, wantedPerson{alias: (a.c + 1 + a.a%2) % 3}
		i := a.b % 3
		return fmt.Sprintf("change the address of %s to %s", from.email(i), to.email(i)), e.w.Sim.ChangeEmailInConsole(v.Host, from.email(i), to.email(i))
	})},
	{"console: remove person", ofMembers, 2, words("member remove HOST EMAIL")},
	{"console: add person", ofMembers, 3, words("member add HOST EMAIL")},
	{"platform: move away", ofLabels, 1, rarely(4, words("move-away HOST"))},
	{"console: deprovision", ofLabels, 1, rarely(3, words("deprovision HOST"))},
	{"console: provision", ofLabels, 1, func(e *estate, a act) string {
		l := e.labelOf(a)
		if _, err := e.w.Sim.AddConsoleLabel(l.host(), ownerEmail); err != nil {
			return ""
		}
		return "console: provision " + l.host()
	}},
	{"console: create item", ofItems, 1, func(e *estate, a act) string {
		it := pick(e.items, a.a)
		add := e.w.Sim.AddPackage
		if it.typ == "reseller_addon" {
			add = e.w.Sim.AddAddon
		}
		if _, err := add(it.code, it.included, true); err != nil {
			return ""
		}
		return "console: create " + it.code
	}},
	{"allowance", ofAssignments, 4, func(e *estate, a act) string {
		n := float64(20 * (a.a % 6))
		if e.w.Sim.SetAllowance(map[string]float64{"documents": n, "seats": n / 5, "templates": 5, "notarizations": 5}) != nil {
			return ""
		}
		return fmt.Sprintf("the allowance is %g documents and %g seats", n, n/5)
	}},
	{"app: sign", ofDocuments, 1, func(e *estate, a act) string {
		docs := e.w.Sim.Documents()
		if len(docs) == 0 {
			return ""
		}
		doc := pick(docs, a.a)
		for _, signer := range doc.Signers {
			if e.w.Sim.SignInApp(doc.ID, signer.Email) == nil {
				return signer.Email + " signs " + doc.Title
			}
		}
		return ""
	}},
}

// words are those of `simulate do` on a private label, with a package, an add-on or a person that the numbers choose.
func words(move string) func(*estate, act) string {
	return onLive(func(e *estate, v simulator.LabelView, a act) (string, error) {
		p := wantedPerson{alias: a.c % 3}
		code := func(typ string) string { return e.items[pick(e.ofType(typ), a.b)].code }
		said := strings.NewReplacer("HOST", v.Host, "PACKAGE", code("reseller_package"), "ADDON", code("reseller_addon"),
			"NUMBER", fmt.Sprint(1+a.c%3), "EMAIL", p.email(a.b%3)).Replace(move)
		err := e.w.Sim.Do(strings.Fields(said)...)
		if err != nil && strings.Contains(err.Error(), "simulate do") {
			panic(err) // these are no words of a move
		}
		return said, err
	})
}

// rarely makes one of n moves.
func rarely(n int, do func(*estate, act) string) func(*estate, act) string {
	return func(e *estate, a act) string {
		if a.b%n > 0 {
			return ""
		}
		return do(e, a)
	}
}

func onLive(do func(*estate, simulator.LabelView, act) (string, error)) func(*estate, act) string {
	return func(e *estate, a act) string {
		live := slices.SortedFunc(slices.Values(e.w.Sim.Labels()), func(a, b simulator.LabelView) int { return strings.Compare(a.Host, b.Host) })
		if len(live) == 0 {
			return ""
		}
		v := pick(live, a.a)
		what, err := do(e, v, a)
		if err != nil {
			return ""
		}
		return "console: " + v.Host + ": " + what
	}
}

// onPerson chooses a member that the configuration may have.
func onPerson(do func(e *estate, host, email string) (string, error)) func(*estate, act) string {
	return onLive(func(e *estate, v simulator.LabelView, a act) (string, error) {
		p := wantedPerson{alias: a.c % 3}
		return do(e, v.Host, p.email(a.b%3))
	})
}

func (e *estate) setActive(a act) string {
	it, active := pick(e.items, a.a), a.b%3 == 0
	set := e.w.Sim.SetPackageActive
	if it.typ == "reseller_addon" {
		set = e.w.Sim.SetAddonActive
	}
	id := e.itemID(it)
	if id == "" || set(id, active) != nil {
		return ""
	}
	return fmt.Sprintf("console: %s active: %t", it.code, active)
}

// struckRoutes are the routes of the calls of an apply.
var struckRoutes = []string{
	providertest.RouteAssign, providertest.RouteAttachAddon, providertest.RouteRemovePackage, providertest.RouteRemoveAddon, providertest.RouteProvision, providertest.RouteSuspend, providertest.RouteAdd, providertest.RouteRemove,
	providertest.RoutePackages, providertest.RoutePackageUpdate, routeAddons, routeAddonUpdate, providertest.RouteUpload, providertest.RouteSign, providertest.RouteMint, providertest.RouteDetail, providertest.RouteDeprovision,
}

// The calls of add-ons.
const (
	routeAddons      = "POST /console/:slug/reseller/billing/addons"
	routeAddonUpdate = "POST /console/:slug/reseller/billing/addons/update"
)

// writers are the types of resources whose creates, and whose other applies, make the calls of a route.
var writers = map[string]struct{ creates, others []string }{
	providertest.RouteAssign:        {[]string{"assignment"}, []string{"assignment"}},
	providertest.RouteAttachAddon:   {[]string{"assignment"}, []string{"assignment"}},
	providertest.RouteRemovePackage: {nil, []string{"assignment"}},
	providertest.RouteRemoveAddon:   {nil, []string{"assignment"}},
	providertest.RouteProvision:     {[]string{"private_label"}, nil},
	providertest.RouteSuspend:       {nil, []string{"private_label"}},
	providertest.RouteDeprovision:   {nil, []string{"private_label"}},
	providertest.RouteDetail:        {[]string{"assignment"}, []string{"private_label", "assignment"}},
	providertest.RouteAdd:           {[]string{"member", "members"}, []string{"members"}},
	providertest.RouteRemove:        {nil, []string{"member", "members"}},
	providertest.RoutePackages:      {[]string{"package"}, nil},
	providertest.RoutePackageUpdate: {nil, []string{"package"}},
	routeAddons:                     {[]string{"addon"}, nil},
	routeAddonUpdate:                {nil, []string{"addon"}},
	providertest.RouteUpload:        {[]string{"document"}, nil},
	providertest.RouteSign:          {[]string{"document_signing"}, nil},
	providertest.RouteMint:          {[]string{"minted_document"}, nil},
}

// aim returns one of the routes that the pending apply may call, if there are any: a trouble elsewhere strikes nothing.
func (e *estate) aim(routes []string, n int) string {
	called := slices.DeleteFunc(slices.Clone(routes), func(route string) bool {
		for address, exists := range e.pending {
			typ, _, _ := strings.Cut(strings.TrimPrefix(address, "reseller_"), ".")
			if exists && slices.Contains(writers[route].others, typ) || !exists && slices.Contains(writers[route].creates, typ) {
				return false
			}
		}
		return true
	})
	if len(called) == 0 {
		return pick(routes, n)
	}
	return pick(called, n)
}

// skips lets some troubles wait for a later call of their route.
func skips(n int) int { return max(0, n%6-3) }

// strike prepares a fault, and what it causes, in the middle of the apply.
func (e *estate) strike(kind string, f simulator.Fault, then func()) string {
	f.Hook = e.struck.count(kind, then)
	e.w.Sim.Inject(f)
	return fmt.Sprintf("%s: fault %d at %s (after it: %t, skipping %d, since %q)", kind, f.Kind, f.Route, f.After, f.Skip, f.Since)
}

// trouble makes a call of the apply fail, or makes an out-of-band change during it.
func (e *estate) trouble(a act) string {
	fault := simulator.Fault{Route: e.aim(struckRoutes, a.a), After: a.b%2 == 0, Skip: skips(a.c)}
	switch a.b % 5 {
	case 0:
		fault.Kind = simulator.FaultServerError
	case 1:
		fault.Kind = simulator.FaultForbidden
		fault.After = false
	case 2:
		fault.Kind = simulator.FaultReset
	default:
		move := pick(moveKinds, a.c)
		return move.name + " by " + e.strike(troubleKind, fault, func() { move.do(e, act{move.name, a.a + a.c, a.b, a.c}) })
	}
	return e.strike(troubleKind, fault, nil)
}

// lethalRoutes are the calls during which the process of an apply is killed.
var lethalRoutes = []string{
	providertest.RouteAssign, providertest.RouteAttachAddon, providertest.RouteRemovePackage, providertest.RouteRemoveAddon, providertest.RouteAdd, providertest.RouteRemove,
	providertest.RouteDetail, providertest.RouteProvision, providertest.RouteDeprovision, providertest.RoutePackages,
}

// killed kills the process of the apply before or after the effect of a call.
func (e *estate) killed(a act) string {
	return e.strike(killKind, simulator.Fault{Route: e.aim(lethalRoutes, a.a), After: a.b%2 == 0, Skip: skips(a.c)}, e.kill.now)
}

// rejected makes each call of a route fail, so that an apply ends after some of its calls.
func (e *estate) rejected(a act) string {
	fault := simulator.Fault{Route: e.aim(lethalRoutes, a.a), After: a.b%3 == 0, Skip: skips(a.c), Times: -1, Kind: simulator.FaultServerError}
	if a.b%2 == 0 {
		fault.Kind, fault.After = simulator.FaultForbidden, false
	}
	return e.strike(refuseKind, fault, nil)
}

// writtenRoutes are the routes of the writes of an apply, each with the reads that show their effect.
var writtenRoutes = map[string][]string{
	providertest.RouteRemovePackage: {providertest.RouteDetail, providertest.RouteList},
	providertest.RouteRemoveAddon:   {providertest.RouteDetail},
	providertest.RouteRemove:        {providertest.RouteMembers},
	providertest.RouteAssign:        {providertest.RouteDetail, providertest.RouteList},
	providertest.RouteAttachAddon:   {providertest.RouteDetail},
	providertest.RouteAdd:           {providertest.RouteMembers},
	providertest.RouteProvision:     {providertest.RouteList, providertest.RouteDetail},
	providertest.RouteDeprovision:   {providertest.RouteList, providertest.RouteDetail},
	providertest.RoutePackages:      {providertest.RoutePackageSearch},
	providertest.RoutePackageUpdate: {providertest.RoutePackageSearch, providertest.RoutePackageGet},
}

// stopped is Ctrl-C while a write is under way. Its response may be lost as well.
func (e *estate) stopped(a act) string {
	if e.stop == nil {
		return ""
	}
	fault := simulator.Fault{Route: e.aim(slices.Sorted(maps.Keys(writtenRoutes)), a.a), After: a.b%3 > 0, Skip: skips(a.c)}
	if a.b%3 == 2 {
		fault.Kind = simulator.FaultServerError
	}
	return e.strike(stopKind, fault, e.stop)
}

// stale makes the first read after a write show what was there before it. The response to the write may be lost as well.
func (e *estate) stale(a act) string {
	write := e.aim(slices.Sorted(maps.Keys(writtenRoutes)), a.a)
	if a.c%3 == 0 {
		defer e.w.Sim.Inject(simulator.Fault{Route: write, After: true, Kind: simulator.FaultServerError})
	}
	return e.strike(staleKind, simulator.Fault{Route: pick(writtenRoutes[write], a.b), Since: write, Kind: simulator.FaultStale, Times: 1}, nil)
}

// What happens in the middle of an apply.
const (
	troubleKind = "trouble"
	killKind    = "kill"
	refuseKind  = "refuse"
	stopKind    = "stop"
	staleKind   = "stale"
)

var troubleKinds = []string{troubleKind, troubleKind, killKind, refuseKind, stopKind, staleKind}

// isTrouble reports whether an act concerns the process or the calls of an apply.
func (a act) isTrouble() bool {
	return slices.Contains(troubleKinds, a.kind)
}

// do executes an act, and returns what it did, or nothing.
func (e *estate) do(a act) string {
	if strike := map[string]func(act) string{
		troubleKind: e.trouble, killKind: e.killed, refuseKind: e.rejected, stopKind: e.stopped, staleKind: e.stale,
	}[a.kind]; strike != nil {
		return strike(a)
	}
	for _, k := range slices.Concat(editKinds, moveKinds) {
		if k.name == a.kind && (!e.second || k.area != ofDocuments) {
			return k.do(e, a)
		}
	}
	return ""
}

// generator draws walks.
type generator struct {
	*rand.Rand
	area area
}

// walkOf returns the walk of a seed.
func walkOf(seed uint64) []promiseStep {
	g := generator{rand.New(rand.NewPCG(seed, 13)), pick(walkAreas, int(seed%uint64(len(walkAreas))))}
	steps := []promiseStep{{edits: []act{
		{"declare label", 0, 0, 0}, g.act(editKinds), g.act(editKinds), g.act(editKinds), g.act(editKinds), g.act(editKinds), g.act(editKinds), g.act(editKinds),
	}}}
	for range 3 + g.IntN(4) {
		steps = append(steps, g.step())
	}
	for i := range steps {
		steps[i].forms = simulator.RandomForms(seed)
	}
	return steps
}

func (g generator) step() promiseStep {
	var s promiseStep
	for range 1 + g.IntN(4) {
		s.edits = append(s.edits, g.act(editKinds))
	}
	if g.IntN(3) == 0 {
		s.before = append(s.before, g.act(moveKinds))
	}
	if g.IntN(2) == 0 {
		for range 1 + g.IntN(3) {
			s.between = append(s.between, g.act(moveKinds))
		}
	}
	if g.IntN(2) == 0 {
		s.between = append(s.between, act{pick(troubleKinds, g.IntN(len(troubleKinds))), g.IntN(100), g.IntN(100), g.IntN(100)})
	}
	s.other, s.again = g.IntN(5) == 0, g.IntN(4)
	refresh := g.IntN(8)
	s.options = planOptions{noRefresh: refresh == 0, minimalRefresh: refresh == 1, destroy: g.IntN(16) == 0, stale: g.IntN(3) == 0, sameProcess: g.IntN(4) == 0}
	if g.IntN(8) == 0 && !s.options.destroy {
		s.replace = []int{g.IntN(100)}
	}
	return s
}

func (g generator) act(kinds []actKind) act {
	total, inArea := 0, g.IntN(4) > 0
	weight := func(k actKind) int {
		if inArea && k.area != g.area {
			return 0
		}
		return k.weight
	}
	for _, k := range kinds {
		total += weight(k)
	}
	n := g.IntN(total)
	for _, k := range kinds {
		if n -= weight(k); n < 0 {
			return act{k.name, g.IntN(100), g.IntN(100), g.IntN(100)}
		}
	}
	return act{}
}

// String describes a step, for a failure.
func (s promiseStep) String() string {
	var out []string
	if s.other {
		out = append(out, "(the other state)")
	}
	if s.options.destroy {
		out = append(out, "-destroy")
	}
	if s.options.noRefresh {
		out = append(out, "-refresh=false")
	}
	if s.options.minimalRefresh {
		out = append(out, "-minimal-refresh")
	}
	if s.options.stale {
		out = append(out, "(removed blocks are planned as stored)")
	}
	if s.options.sameProcess {
		out = append(out, "(one process plans and applies)")
	}
	for _, address := range s.options.replace {
		out = append(out, "-replace="+address)
	}
	if s.again > 0 {
		out = append(out, fmt.Sprintf("(again %d times if it fails)", s.again))
	}
	return strings.Join(out, " ")
}
