package coretest

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/document"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// applied is the record of one apply: what its plan announced, and what happened according to the simulator's books.
type applied struct {
	announced               providertest.Diagnostics // warnings of the plan
	said                    providertest.Diagnostics // what the apply said
	entries                 []simulator.Entry
	before, after           []simulator.LabelView
	hosts                   map[string]string             // host name by address, as the configuration has it
	titles                  map[string]string             // of documents, by ID
	consent                 map[string]map[string]float64 // allow_excess by host name
	wanted                  map[string]wantedAddons       // by host name, if an assignment is declared
	movedTo                 func(string) string           // new address of a moved block
	forgot                  map[string]bool               // by removed blocks
	atPlan                  []simulator.LabelView
	moves                   []simulator.Entry // between plan and apply
	stateBefore, stateAfter map[string]map[string]any
	replaced                []string // by -replace
	repeats                 *applied // the failed apply that this one repeats, with the same configuration
	replacing               map[string]bool
	testRun                 bool // of the plan
}

// wantedAddons are the add-ons that a configuration keeps on a private label.
type wantedAddons struct {
	managed bool
	codes   map[string]bool
}

// violation is a promise that an apply broke.
type violation struct {
	rule string // a kind of effect that was not announced, or another rule
	text string
}

// Rules in addition to the kinds of effects.
const (
	ruleConsent    = "confirmed beyond allow_excess"
	rulePackage    = "left without a package"
	ruleAddon      = "lost an add-on"
	ruleTwice      = "emailed twice"
	rulePlanWrites = "a plan wrote"
	ruleBug        = "bug"
	ruleConverge   = "does not converge"
	ruleRename     = "a rename"
	ruleProtected  = "destroyed under PREVENT"
	ruleDuplicate  = "in effect twice"
	ruleState      = "state of what is not there"
	ruleDenial     = "denies what is in effect"
	ruleGone       = "gone, and shown later"
	ruleHeld       = "removed, and in state"
	ruleAwaits     = "an object that waits was replaced"

	ruleTwoAddresses = "one object at two addresses"
)

// announces reports whether a topic may announce a kind. A mutation removes one.
type announces func(effect.Topic, effect.Kind) bool

func asDeclared(t effect.Topic, k effect.Kind) bool { return t.Announces(k) }

// judge compares the books of an apply with what its plan announced.
func (a *applied) violations(says announces) []violation {
	j := &judgment{applied: a, says: says, start: holdings(a.before), now: holdings(a.before), mailed: map[string]int{}, taken: map[string]bool{}, exceeded: map[string]float64{}}
	for _, e := range a.entries {
		j.entry(e)
	}
	j.kept()
	j.forgotten()
	j.unprotected()
	j.guarded()
	j.stated()
	j.denied()
	j.repeated()
	j.held()
	j.awaited()
	return j.out
}

// holding is the assignment of a private label.
type holding struct {
	pkg    string
	addons map[string]float64
}

func holdings(labels []simulator.LabelView) map[string]*holding {
	out := map[string]*holding{}
	for _, l := range labels {
		h := &holding{pkg: l.Package, addons: map[string]float64{}}
		for _, a := range l.Addons {
			h.addons[a.Code] = a.Quantity
		}
		out[l.Host] = h
	}
	return out
}

func heldBy(byHost map[string]*holding, host string) *holding {
	if byHost[host] == nil {
		byHost[host] = &holding{addons: map[string]float64{}}
	}
	return byHost[host]
}

func (h *holding) book(e simulator.Entry) {
	switch {
	case e.Kind == simulator.EntryBilled && e.Item == simulator.ItemPackage:
		h.pkg = e.Code
	case e.Kind == simulator.EntryBilled:
		h.addons[e.Code] = e.Quantity
	case e.Kind == simulator.EntryItemRemoved && e.Item == simulator.ItemPackage:
		h.pkg = ""
	case e.Kind == simulator.EntryItemRemoved:
		delete(h.addons, e.Code)
	}
}

type judgment struct {
	*applied
	says       announces
	start, now map[string]*holding // at the beginning, and after the entries so far
	mailed     map[string]int
	taken      map[string]bool    // host names and codes whose package or add-on was removed in the console
	assigned   string             // host name and code, if nothing but the removal of a package follows a billing in the console
	exceeded   map[string]float64 // confirmed so far, by host name and item of the allowance
	out        []violation
}

func (j *judgment) violate(rule, format string, values ...any) {
	j.out = append(j.out, violation{rule, fmt.Sprintf(format, values...)})
}

// kindOf maps the kind of an entry to the kind of an effect.
var kindOf = map[simulator.EntryKind]effect.Kind{
	simulator.EntryHostBound:       effect.Permanent,
	simulator.EntryCodeCreated:     effect.Permanent,
	simulator.EntryDocumentSent:    effect.Permanent,
	simulator.EntryDocumentSigned:  effect.Permanent,
	simulator.EntryDocumentMinted:  effect.Permanent,
	simulator.EntryDeprovisioned:   effect.Destroyed,
	simulator.EntryBilled:          effect.Billed,
	simulator.EntryExcessConfirmed: effect.Excess,
	simulator.EntryEmailed:         effect.Email,
	simulator.EntrySuspended:       effect.Suspended,
	simulator.EntryUnsuspended:     effect.Suspended,
	simulator.EntryMemberRemoved:   effect.Removed,
	simulator.EntryItemRemoved:     effect.Removed,
	simulator.EntryItemDeactivated: effect.Deactivated,
}

func (j *judgment) entry(e simulator.Entry) {
	start, now := heldBy(j.start, e.Host), heldBy(j.now, e.Host)
	// The console assigned or attached something while the call that removes the package was under way: the call names
	// none, and the add-ons of a package go with it.
	if e.Kind == simulator.EntryItemRemoved && e.Host+" "+e.Code == j.assigned {
		j.taken[j.assigned] = true
		now.book(e)
		return
	}
	if e.Console || e.Kind != simulator.EntryItemRemoved || e.Item != simulator.ItemPackage {
		j.assigned = ""
	}
	if e.Console {
		if e.Kind == simulator.EntryBilled {
			j.assigned = e.Host + " " + e.Code
		}
		if e.Kind == simulator.EntryItemRemoved {
			j.taken[e.Host+" "+e.Code] = true
		}
		start.book(e)
		now.book(e)
		return
	}
	if e.Kind == simulator.EntryBilled && (e.Item == simulator.ItemPackage && now.pkg != "" || e.Item == simulator.ItemAddon && now.addons[e.Code] > 0) {
		j.violate(ruleDuplicate, "%s: %s was there already", e.Host, entryText(e))
	}
	// Package and add-ons of the beginning are restored under the same package, and not billed again.
	restored := e.Code == start.pkg
	if e.Item == simulator.ItemAddon {
		restored = now.pkg == start.pkg && start.addons[e.Code] == e.Quantity
	}
	defer now.book(e)
	switch e.Kind {
	case simulator.EntryBilled:
		if restored {
			return
		}
	case simulator.EntryExcessConfirmed:
		if restored {
			return
		}
		key := e.Host + " " + e.Allowance
		j.exceeded[key] += e.Excess
		if most := j.consent[e.Host][e.Allowance]; j.exceeded[key] > most {
			j.violate(ruleConsent, "%s: %g %s confirmed up to %s %s, and allow_excess is %g", e.Host, j.exceeded[key], e.Allowance, e.Item, e.Code, most)
		}
	case simulator.EntryEmailed:
		key := strings.Join([]string{e.Host, e.Person, e.Document, e.Subject}, " ")
		j.mailed[key]++
		if j.mailed[key] == 2 {
			j.violate(ruleTwice, "%s: %s got %q twice", e.Host, e.Person, e.Subject)
		}
	default:
	}
	if kind := kindOf[e.Kind]; !j.announced(kind, e) && !j.announced(kind, j.asPlanned(e)) && !j.detachesAny(e) {
		j.violate(string(kind), "%s was not announced", entryText(e))
	}
}

// detachesAny reports whether a warning announces that a removal of the package takes add-ons that no read shows.
func (j *judgment) detachesAny(e simulator.Entry) bool {
	return e.Kind == simulator.EntryItemRemoved && e.Item == simulator.ItemAddon && slices.ContainsFunc(j.applied.announced, func(f providertest.Diagnostic) bool {
		return f.Summary == unassigning && strings.Contains(f.Detail, e.Host) && strings.Contains(f.Detail, "any other add-on may be detached")
	})
}

// asPlanned returns a removal of a member with the address that this member had at plan: a live object is its ID.
func (j *judgment) asPlanned(e simulator.Entry) simulator.Entry {
	if e.Kind != simulator.EntryMemberRemoved {
		return e
	}
	then, _ := labelOn(j.atPlan, e.Host)
	now, _ := labelOn(j.before, e.Host)
	for _, was := range then.People {
		if slices.ContainsFunc(now.People, func(p simulator.PersonView) bool { return p.ID == was.ID && p.Email == e.Person }) {
			e.Person = was.Email
			return e
		}
	}
	return e
}

func entryText(e simulator.Entry) string {
	text := string(e.Kind)
	for _, part := range []string{e.Host, e.Item, e.Code, e.Person, e.Subject, e.Allowance} {
		if part != "" {
			text += " " + part
		}
	}
	if e.Quantity > 0 {
		text += fmt.Sprintf(" x%g", e.Quantity)
	}
	if e.Console {
		text += " (console)"
	}
	return text
}

// Placeholders for a subject that is unknown in the plan.
var (
	unknownPerson  = regexp.MustCompile(`(email address|email|signers|members)( of \S+)?( is| are)? known after apply`)
	unknownCode    = regexp.MustCompile(`(code( of \S+ "[^"]*")?|package|add-ons?)( is| are)? known after apply|the configured package`)
	unknownPackage = regexp.MustCompile(`package( is)? known after apply|the configured package`)
	unknownAddon   = regexp.MustCompile(`add-ons?( is| are)? known after apply`)
)

// A text announces each package and add-on of a private label in a clause with what happens to it.
var (
	clause = regexp.MustCompile(`, | and |\. |: `)
	adds   = regexp.MustCompile(`\b(assigned|attached)\b`)
	takes  = regexp.MustCompile(`\b(removed|detached)\b`)
)

// saysItem reports whether a clause says what an entry did with a package or an add-on, and names its quantity.
func saysItem(text string, e simulator.Entry) bool {
	verb, unknown, known := adds, unknownPackage, regexp.MustCompile(`\b`+regexp.QuoteMeta(strings.ToLower(e.Code))+`\b`)
	if e.Kind == simulator.EntryItemRemoved {
		verb = takes
	}
	if e.Item == simulator.ItemAddon {
		unknown = unknownAddon
		known = regexp.MustCompile(known.String() + fmt.Sprintf(`.*quantity (%g\b|known after apply)`, e.Quantity))
	}
	return verb.MatchString(text) && (known.MatchString(text) || unknown.MatchString(text))
}

// topicOf returns the topic of a warning; false for one that announces nothing.
func topicOf(f providertest.Diagnostic, host string) (effect.Topic, bool) {
	for _, t := range effect.Topics() {
		if f.Summary == t.Summary || f.Summary == t.ForHost(host).Summary {
			return t, true
		}
	}
	return effect.Topic{}, false
}

// topicOf returns the topic of a warning by its summary; empty for one that announces nothing.
func (a *applied) topicOf(f providertest.Diagnostic) string {
	for _, l := range a.before {
		if topic, ok := topicOf(f, l.Host); ok {
			return topic.Summary
		}
	}
	topic, _ := topicOf(f, "")
	return topic.Summary
}

// announced reports whether a warning of a topic that may carry the kind names the subjects of an entry.
func (j *judgment) announced(kind effect.Kind, e simulator.Entry) bool {
	return slices.ContainsFunc(j.applied.announced, func(f providertest.Diagnostic) bool { return j.announces(f, kind, e) })
}

func (j *judgment) announces(f providertest.Diagnostic, kind effect.Kind, e simulator.Entry) bool {
	topic, ok := topicOf(f, e.Host)
	return ok && j.says(topic, kind) && j.names(f, e)
}

func (j *judgment) names(f providertest.Diagnostic, e simulator.Entry) bool {
	text := strings.ToLower(f.Summary + " " + f.Detail)
	names := func(subject string) bool { return subject != "" && strings.Contains(text, strings.ToLower(subject)) }
	or := func(subject string, unknown *regexp.Regexp) bool {
		return subject == "" || names(subject) || unknown.MatchString(text)
	}
	switch {
	case e.Document != "" && e.Kind != "" && f.Summary == document.TopicSigning.Summary: // only the simulator knows whom it emails next
		return names(e.Document)
	case e.Document != "":
		return (names(e.Document) || names(j.titles[e.Document])) && or(e.Person, unknownPerson)
	case e.Kind == simulator.EntryDocumentMinted:
		return names(e.Subject)
	case e.Host != "" && !names(e.Host) && !j.ownHost(f.Address, e.Host, text):
		return false
	case e.Kind == simulator.EntryBilled || e.Kind == simulator.EntryItemRemoved:
		return slices.ContainsFunc(clause.Split(text, -1), func(c string) bool { return saysItem(c, e) })
	default:
		return or(e.Code, unknownCode) && or(e.Person, unknownPerson) && (e.Allowance == "" || names(e.Allowance))
	}
}

// ownHost: a warning that names no host name is about the private label of its own resource, whose host name may be
// known after apply.
func (j *judgment) ownHost(address, host, text string) bool {
	for _, other := range j.hosts {
		if strings.Contains(text, other) {
			return false
		}
	}
	return j.hosts[address] == host
}

// kept: no private label loses its package, or an add-on that stays wanted, unless that was announced.
func (j *judgment) kept() {
	end := holdings(j.after)
	for _, host := range slices.Sorted(maps.Keys(j.start)) {
		was, current := j.start[host], end[host]
		if current == nil { // absent, which the books show
			continue
		}
		if was.pkg != "" && current.pkg == "" && !j.taken[host+" "+was.pkg] && !j.unassigned(host, was.pkg) && !j.lost(host, was.pkg) {
			j.violate(rulePackage, "%s had %s", host, was.pkg)
			continue
		}
		want, declared := j.wanted[host]
		for _, code := range slices.Sorted(maps.Keys(was.addons)) {
			// A process that is killed while it removes a package has removed add-ons before.
			lost := current.addons[code] < was.addons[code] && !j.taken[host+" "+code] && !j.unassigned(host, was.pkg)
			if declared && lost && current.pkg != "" && (!want.managed || want.codes[code]) && !want.changes(code, current.addons[code]) && !j.saidOf(host, code) {
				j.violate(ruleAddon, "%s had %g of %s, has %g", host, was.addons[code], code, current.addons[code])
			}
		}
	}
}

// lost: the apply said that it could not restore a package, or its process was killed. The next plan assigns the
// configured one.
func (j *judgment) lost(host, code string) bool {
	return slices.ContainsFunc(j.said, func(f providertest.Diagnostic) bool {
		unknown := f.Summary == diagnostic.SummaryOutcomeUnknown && strings.Contains(f.Detail, "to remove the package") // no read succeeded
		return f.Summary == summaryKilled || strings.Contains(f.Detail, host) && (unknown || strings.Contains(f.Detail, "Lost: package "+code))
	})
}

// changes reports whether a smaller quantity is the wanted one.
func (w wantedAddons) changes(code string, now float64) bool {
	return w.managed && w.codes[code] && now > 0
}

// unassigned: a warning announces the removal of the package, without another one.
func (j *judgment) unassigned(host, code string) bool {
	e := simulator.Entry{Kind: simulator.EntryItemRemoved, Host: host, Item: simulator.ItemPackage, Code: code}
	return slices.ContainsFunc(j.applied.announced, func(f providertest.Diagnostic) bool {
		return f.Summary == unassigning && j.names(f, e)
	})
}

// saidOf: the apply named what was lost.
func (j *judgment) saidOf(host, code string) bool {
	return slices.ContainsFunc(j.said, func(f providertest.Diagnostic) bool {
		return strings.Contains(f.Detail, host) && strings.Contains(f.Detail, code)
	})
}

// forgotten: objects that left the state, or are no longer managed, and still exist were announced.
func (j *judgment) forgotten() {
	for _, address := range slices.Sorted(maps.Keys(j.stateBefore)) {
		typ, _, _ := strings.Cut(address, ".")
		was, current := j.stateBefore[address], j.stateAfter[address]
		if current != nil {
			j.unmanaged(address, was, current)
			j.released(address, was, current)
			continue
		}
		if j.forgot[j.movedTo(address)] {
			continue // the CLI does not ask the provider
		}
		if j.gone(address) || slices.Contains(j.replaced, j.movedTo(address)) {
			continue // creating it again failed; the provider does not see that -replace destroys it before
		}
		e, leaves := subjectOf(typ, was)
		if typ == "reseller_members" || text(was, "deletion_policy") == "ABANDON" && text(was, "private_label_id") != "" {
			e.Host, leaves = j.hostOf(text(was, "private_label_id"))
			e.Person = text(was, "email")
			leaves = leaves && j.stillThere(typ, e.Host, was)
		}
		if leaves && j.leftState(typ, was) && !j.announcedAt(j.movedTo(address), effect.Forgotten, e) {
			j.violate(string(effect.Forgotten), "%s left the state and was not announced", address)
		}
	}
}

// gone reports whether the plan's refresh did not find an object.
func (j *judgment) gone(address string) bool {
	return slices.ContainsFunc(j.applied.announced, func(f providertest.Diagnostic) bool {
		return f.Address == j.movedTo(address) && strings.Contains(f.Summary, notFound)
	})
}

// stillThere reports whether a private label still has the assignment or the member of a state.
func (j *judgment) stillThere(typ, host string, was map[string]any) bool {
	now, _ := labelOn(j.after, host)
	switch typ {
	case "reseller_assignment":
		return now.Package != ""
	case "reseller_member":
		return slices.ContainsFunc(now.People, func(p simulator.PersonView) bool { return p.ID == text(was, "id") })
	default:
		return true
	}
}

// guarded: what PREVENT protects in state stays, unless it is gone or a block removes it from state.
func (j *judgment) guarded() {
	for _, address := range slices.Sorted(maps.Keys(j.stateBefore)) {
		typ, _, _ := strings.Cut(address, ".")
		was := j.stateBefore[address]
		if text(was, "deletion_policy") != "PREVENT" || j.forgot[j.movedTo(address)] || j.stateAfter[j.movedTo(address)] != nil {
			continue
		}
		switch typ {
		case "reseller_assignment", "reseller_member":
			host, ok := hostIn(j.atPlan, text(was, "private_label_id"))
			before := judgment{applied: &applied{after: j.atPlan}}
			if ok && before.stillThere(typ, host, was) {
				j.violate(ruleProtected, "%s left the state", address)
			}
		}
	}
}

// stated: each object in state has an ID, and no member is in state whom this apply has signed out.
func (j *judgment) stated() {
	for _, address := range slices.Sorted(maps.Keys(j.stateAfter)) {
		current := j.stateAfter[address]
		if text(current, "id") == "" {
			j.violate(ruleState, "%s has no ID", address)
		}
		host, live := j.hostOf(text(current, "private_label_id"))
		if !live || j.testRun || !strings.HasPrefix(address, "reseller_member.") || j.stillThere("reseller_member", host, current) {
			continue
		}
		if slices.ContainsFunc(j.entries, func(e simulator.Entry) bool {
			return e.Kind == simulator.EntryMemberRemoved && !e.Console && e.Host == host && strings.EqualFold(e.Person, text(current, "email"))
		}) && !slices.ContainsFunc(j.said, func(f providertest.Diagnostic) bool {
			return f.IsError() && f.Address == address || f.Summary == summaryKilled
		}) {
			j.violate(ruleState, "%s has %s, whom the apply has signed out", address, text(current, "email"))
		}
	}
}

// denials say what did not happen.
var denials = regexp.MustCompile(`(?:package |add-on |^|\. )(\S+) was not (removed|detached|deactivated)\b`)

// denied: no error says that something was not removed which this apply has removed, and that is gone. Where another address
// has the assignment too, it may have removed it afterwards.
func (j *judgment) denied() {
	end := holdings(j.after)
	for _, f := range j.said {
		host := j.hosts[f.Address]
		if j.assignedBefore(host) > 1 {
			continue
		}
		for _, m := range denials.FindAllStringSubmatch(f.Detail, -1) {
			removed := slices.ContainsFunc(j.entries, func(e simulator.Entry) bool {
				return !e.Console && e.Kind == simulator.EntryItemRemoved && e.Host == host && e.Code == m[1]
			})
			if now := heldBy(end, host); removed && now.pkg != m[1] && now.addons[m[1]] == 0 {
				j.violate(ruleDenial, "%s: %s", f.Address, m[0])
			}
		}
	}
}

// repeated: a create that failed and is applied again, without a change of what is remaining, exceeds in sum by what its
// consent allows. What was there before an apply is restored by it.
func (j *judgment) repeated() {
	sum := map[string]float64{}
	for latest := j.applied; latest != nil; latest = latest.repeats {
		for _, e := range latest.entries {
			was := heldBy(holdings(latest.before), e.Host)
			restored := e.Code == was.pkg || was.addons[e.Code] > 0
			if e.Kind == simulator.EntryExcessConfirmed && !e.Console && !restored && latest.assignedBefore(e.Host) == 0 {
				sum[e.Host+" "+e.Allowance] += e.Excess
			}
		}
		if len(latest.moves) > 0 {
			return
		}
	}
	for key, n := range sum {
		host, item, _ := strings.Cut(key, " ")
		if most := j.consent[host][item]; j.repeats != nil && n > most {
			j.violate(ruleConsent, "%s: %g %s confirmed in all runs, and allow_excess is %g", host, n, item, most)
		}
	}
}

// assignedBefore is the number of addresses in state that have the assignment of a private label.
func (a *applied) assignedBefore(host string) (n int) {
	for address := range a.stateBefore {
		if strings.HasPrefix(address, "reseller_assignment.") && a.hosts[a.movedTo(address)] == host {
			n++
		}
	}
	return n
}

// subjectOf returns the subject of an object that a destroy only removes from state. A member or an assignment has an
// entry in the books.
func subjectOf(typ string, was map[string]any) (simulator.Entry, bool) {
	switch typ {
	case "reseller_private_label", "reseller_branding", "reseller_domain_verification":
		return simulator.Entry{Host: text(was, "domain")}, true
	case "reseller_package", "reseller_addon":
		return simulator.Entry{Code: text(was, "code")}, true
	case "reseller_document":
		return simulator.Entry{Document: text(was, "id")}, true
	case "reseller_minted_document":
		return simulator.Entry{Kind: simulator.EntryDocumentMinted, Subject: text(was, "asset_name")}, true
	case "reseller_document_signing":
		return simulator.Entry{Document: text(was, "doc_id")}, true
	default:
		return simulator.Entry{}, false
	}
}

// unmanaged: an attribute was removed from the configuration, and what it managed stays.
func (j *judgment) unmanaged(address string, was, current map[string]any) {
	host := j.hosts[address]
	now, live := labelOn(j.after, host)
	if !live {
		return
	}
	// The console may have lifted the suspension before the plan, and suspended again after it.
	suspended := slices.ContainsFunc(j.atPlan, func(v simulator.LabelView) bool { return v.Host == host && v.Status == "Suspended" })
	if suspended && was["suspended"] == true && current["suspended"] == nil && now.Status == "Suspended" && !j.announcedAt(address, effect.Forgotten, simulator.Entry{Host: host}) {
		j.violate(string(effect.Forgotten), "%s: the suspension is no longer managed, and that was not announced", address)
	}
	managed, _ := was["addons"].(map[string]any)
	planned := heldBy(holdings(j.atPlan), host).addons
	for _, a := range now.Addons {
		if managed[a.Code] != nil && planned[a.Code] > 0 && current["addons"] == nil && !j.announcedAt(address, effect.Forgotten, simulator.Entry{Host: host, Code: a.Code}) {
			j.violate(string(effect.Forgotten), "%s: add-on %s is no longer managed, and that was not announced", address, a.Code)
		}
	}
}

// policyLoss ranks deletion_policy by what a destroy loses.
var policyLoss = map[string]int{"ABANDON": 1, "SUSPEND": 1, "REMOVE": 2, "DEACTIVATE": 2, "DEPROVISION": 2}

// unprotected: a deletion_policy under which a destroy loses more than before was announced.
func (j *judgment) unprotected() {
	for _, address := range slices.Sorted(maps.Keys(j.stateBefore)) {
		was, will := text(j.stateBefore[address], "deletion_policy"), text(j.stateAfter[address], "deletion_policy")
		same := text(j.stateBefore[address], "id") == text(j.stateAfter[address], "id") // else another object was created
		if was == "" || !same || policyLoss[will] <= policyLoss[was] {
			continue
		}
		typ, _, _ := strings.Cut(address, ".")
		e, _ := subjectOf(typ, j.stateBefore[address])
		if j.announcedAt(address, effect.Forgotten, e) || j.gone(address) {
			continue // replaced, or gone and created again
		}
		if !j.announcedAt(address, effect.Unprotected, e) {
			j.violate(string(effect.Unprotected), "%s: deletion_policy changed from %s to %s, and that was not announced", address, was, will)
		}
	}
}

// hostOf returns the host name of a private label that still exists.
func (j *judgment) hostOf(id string) (string, bool) { return hostIn(j.after, id) }

func hostIn(labels []simulator.LabelView, id string) (string, bool) {
	i := slices.IndexFunc(labels, func(v simulator.LabelView) bool { return v.ID == id })
	if i < 0 {
		return "", false
	}
	return labels[i].Host, true
}

// released: an owner or admin who was removed from a set keeps the seat, and that was announced.
func (j *judgment) released(address string, was, current map[string]any) {
	host := j.hosts[address]
	before, _ := was["members"].(map[string]any)
	now, _ := current["members"].(map[string]any)
	ownersAndAdmins, _ := was["owners_and_admins"].([]any)
	for email := range before {
		if now[email] != nil || !slices.Contains(ownersAndAdmins, any(email)) || !administers(j.atPlan, host, email) {
			continue
		}
		replaced := slices.ContainsFunc(j.applied.announced, func(f providertest.Diagnostic) bool { // names all members, and none of them
			return f.Address == address && strings.HasPrefix(f.Detail, "All members of "+host)
		})
		if !replaced && !j.announcedAt(address, effect.Forgotten, simulator.Entry{Host: host, Person: email}) {
			j.violate(string(effect.Forgotten), "%s: %s is no longer managed, and that was not announced", address, email)
		}
	}
}

func administers(labels []simulator.LabelView, host, email string) bool {
	return slices.ContainsFunc(labels, func(v simulator.LabelView) bool {
		return v.Host == host && slices.ContainsFunc(v.People, func(p simulator.PersonView) bool { return p.Email == email && p.Role != "member" })
	})
}

// announcedAt: announced by the resource itself. The CLI gives no address for a removed block.
func (j *judgment) announcedAt(address string, kind effect.Kind, e simulator.Entry) bool {
	return slices.ContainsFunc(j.applied.announced, func(f providertest.Diagnostic) bool {
		return (f.Address == "" || f.Address == address) && j.announces(f, kind, e)
	})
}

func text(attributes map[string]any, name string) string {
	out, _ := attributes[name].(string)
	return out
}

// leftState reports whether an object is no longer in state, under any address, and still exists.
func (j *judgment) leftState(typ string, was map[string]any) bool {
	for address, current := range j.stateAfter {
		if strings.HasPrefix(address, typ+".") && text(current, "id") == text(was, "id") {
			return false
		}
	}
	host := text(was, "domain")
	return host == "" ||
		slices.ContainsFunc(j.after, func(v simulator.LabelView) bool { return v.Host == host })
}

// sameBug removes what differs between two occurrences of one bug.
var sameBug = regexp.MustCompile(`"[^"]*"|[0-9a-f]{32}|0x[0-9a-f]+|[0-9]+|\b[A-Z]{4,5}\b`)

// name identifies a rule that was broken; each bug of the provider has its own.
func (v violation) name() string {
	if v.rule != ruleBug {
		return v.rule
	}
	text, _, _ := strings.Cut(v.text, "\n")
	return v.rule + ": " + sameBug.ReplaceAllString(text, "…")
}

// rulesOf lists the rules that were broken, each once.
func rulesOf(vs []violation) []string {
	var out []string
	for _, v := range vs {
		out = append(out, v.name())
	}
	slices.SortFunc(out, cmp.Compare)
	return slices.Compact(out)
}
