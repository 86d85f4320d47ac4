package coretest

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// estate is the wanted reseller of a walk. It is small, so that its parts interact often. A counter in a field named
// late is the version of a built-in resource that the value passes through: each version is unknown in the plan that
// creates it.
type estate struct {
	w      *providertest.TestEnv
	pdf    string
	labels []*wantedLabel
	items  []*wantedItem
	docs   []*wantedDocument
	moved  map[string]string
	// importing are the addresses that have an import block where a moved block belongs.
	importing map[string]bool
	// removed are the addresses with a block that only removes them from state, in the next plan.
	removed map[string]bool
	// second: another state of the same reseller.
	second  bool
	kill    *kill
	stop    func() // Ctrl-C; nil where a walk cannot have it
	struck  *strikes
	pending map[string]bool // whether the addresses of the plan that is to be applied exist in the state
}

// strikes counts the troubles that occurred, by kind: not every one that is prepared meets its call.
type strikes struct {
	mu     sync.Mutex
	byKind map[string]int
}

// count returns a hook that counts a trouble, and then causes it.
func (s *strikes) count(kind string, then func()) func() {
	return func() {
		s.mu.Lock()
		s.byKind[kind]++
		s.mu.Unlock()
		if then != nil {
			then()
		}
	}
}

type wantedLabel struct {
	index, generation, renamed int
	declared, imported         bool
	policy, suspended, reason  int // of the lists below
	lateHost, lateOwner        int
	color                      int // of the branding; 0 is none
	verified                   bool
	readLate                   bool // others have the ID from a data source that depends on the private label
	brandFirst, verifyFirst    bool // create_before_destroy
	second, secondBrand        wantedSecond

	assigned                                   bool
	pkg                                        int // of the packages among the items
	manages                                    bool
	addons                                     map[int]int // quantity by index of the item
	consent                                    int         // of the list below
	mayChange                                  bool
	lateLabel, latePackage, lateCount, lateAll int
	assignmentName                             int  // version
	assignmentPolicy                           int  // of the list below
	assignmentImported                         bool // after a plan that was rejected
	secondAssignment                           wantedSecond

	people             [3]wantedPerson
	team, teamImported bool // for a private label whose members are one set
	teamName           int  // version
	ownerInTeam        bool
	lateTeam           int // of the private label's ID
	teamFirst          bool
	secondTeam         wantedSecond
}

type wantedPerson struct {
	declared    bool
	alias, name int // versions of the email address and of the name
	late        int
	address     int // version
	policy      int // of the list below
	first       bool
	beside      bool // has a resource, too, where the members are one set
	second      wantedSecond
}

// wantedSecond is another address that imports the live object of the first one.
type wantedSecond struct {
	declared bool
	policy   int // of the list of its type
	variant  int // of what it wants: a host name, an email address, a color, a package
}

type wantedItem struct {
	typ, code string
	foreign   bool // created in the console
	imported  bool
	included  map[string]float64
	declared  bool
	active    int // 0 omitted, 1 true, 2 false
	name      int
	late      int
	policy    int // of the list below
	second    wantedSecond
}

type wantedDocument struct {
	declared, signed, minted bool
	label                    int // -1: of a personal account
	signers                  int // after the user of the key
	complete                 bool
	late                     int
}

var (
	promisePolicies = []expression{nil, "PREVENT", "SUSPEND", "ABANDON", "DEPROVISION", "DEPROVISION"}
	promiseSuspends = []expression{nil, true, false}
	removePolicies  = []expression{nil, "REMOVE", "ABANDON", "PREVENT"}
	itemPolicies    = []expression{nil, "DEACTIVATE", "ABANDON", "PREVENT"}
	promiseConsents = []map[string]float64{nil, {"documents": 10}, {"documents": 40, "seats": 2}, {"documents": 1e6, "seats": 1e6, "templates": 1e6, "notarizations": 1e6}}
)

// promiseAllowance is used up by a few packages.
var promiseAllowance = map[string]float64{"documents": 100, "seats": 10, "templates": 5, "notarizations": 5}

func newEstate(w *providertest.TestEnv, dir string) (*estate, error) {
	e := &estate{
		w: w, pdf: filepath.Join(dir, "terms.pdf"), moved: map[string]string{}, removed: map[string]bool{}, importing: map[string]bool{},
		struck: &strikes{byKind: map[string]int{}},
	}
	if err := os.WriteFile(e.pdf, providertest.OnePage("Terms"), 0o600); err != nil {
		return nil, err
	}
	e.items = []*wantedItem{
		{typ: "reseller_package", code: "BASIC", foreign: true, included: map[string]float64{"documents": 20}},
		{typ: "reseller_package", code: "GOLD", foreign: true, included: map[string]float64{"documents": 35, "seats": 3}},
		{typ: "reseller_package", code: "HUGE", included: map[string]float64{"documents": 80}},
		{typ: "reseller_package", code: "TINY", included: map[string]float64{"documents": 5, "seats": 2}},
		{typ: "reseller_addon", code: "DOCS", foreign: true, included: map[string]float64{"documents": 8}},
		{typ: "reseller_addon", code: "SEATS", foreign: true, included: map[string]float64{"seats": 2}},
		{typ: "reseller_addon", code: "EXTRA", included: map[string]float64{"documents": 3}},
	}
	for i := range 3 {
		e.labels = append(e.labels, &wantedLabel{index: i, addons: map[int]int{}, consent: 1, mayChange: true})
	}
	e.docs = []*wantedDocument{{label: 0}, {label: -1}}
	return e, nil
}

// found creates the objects that exist before the first plan.
func (e *estate) found() error {
	if err := e.w.Sim.SetAllowance(promiseAllowance); err != nil {
		return err
	}
	for _, it := range e.items {
		if !it.foreign {
			continue
		}
		add := e.w.Sim.AddPackage
		if it.typ == "reseller_addon" {
			add = e.w.Sim.AddAddon
		}
		if _, err := add(it.code, it.included, true); err != nil {
			return err
		}
	}
	last := e.labels[len(e.labels)-1]
	last.imported = true
	_, err := e.w.Sim.AddConsoleLabel(last.host(), ownerEmail)
	return err
}

const ownerEmail = "ada@acme.example"

func (l *wantedLabel) host() string { return l.hostOf(l.generation) }

func (l *wantedLabel) hostOf(generation int) string {
	if generation == 0 {
		return fmt.Sprintf("sign%d.acme.example", l.index)
	}
	return fmt.Sprintf("sign%d-%d.acme.example", l.index, generation)
}

func (l *wantedLabel) name() string {
	if l.renamed == 0 {
		return fmt.Sprintf("l%d", l.index)
	}
	return fmt.Sprintf("l%d_%d", l.index, l.renamed)
}

// secondName is the name of the second address of an object.
func (l *wantedLabel) secondName() string { return fmt.Sprintf("l%d_second", l.index) }

func (l *wantedLabel) secondMember(i int) string { return fmt.Sprintf("m%d_%d_second", l.index, i) }

func (it *wantedItem) secondName() string { return strings.ToLower(it.code) + "_second" }

func (l *wantedLabel) address() string { return "reseller_private_label." + l.name() }

// versioned is a name that changes with a resource address.
func versioned(name string, version int) string {
	if version == 0 {
		return name
	}
	return fmt.Sprintf("%s_v%d", name, version)
}

func (l *wantedLabel) assignmentAddress() string {
	return "reseller_assignment." + versioned(fmt.Sprintf("a%d", l.index), l.assignmentName)
}

func (l *wantedLabel) memberAddress(i int) string {
	return "reseller_member." + versioned(fmt.Sprintf("m%d_%d", l.index, i), l.people[i].address)
}

func (it *wantedItem) address() string { return it.typ + "." + strings.ToLower(it.code) }

func (p *wantedPerson) email(i int) string { return emailOf(i, p.alias) }

func emailOf(i, alias int) string { return fmt.Sprintf("p%d-%d@acme.example", i, alias) }

// live is a private label in the simulator.
func (e *estate) live(host string) (simulator.LabelView, bool) {
	return labelOn(e.w.Sim.Labels(), host)
}

// labelOn is the private label with a host name.
func labelOn(labels []simulator.LabelView, host string) (simulator.LabelView, bool) {
	i := slices.IndexFunc(labels, func(v simulator.LabelView) bool { return v.Host == host })
	if i < 0 {
		return simulator.LabelView{}, false
	}
	return labels[i], true
}

// itemID is the ID of an item in the simulator; empty for none.
func (e *estate) itemID(it *wantedItem) string {
	list := e.w.Sim.Packages()
	if it.typ == "reseller_addon" {
		list = e.w.Sim.Addons()
	}
	for _, v := range list {
		if v.Code == it.code {
			return v.ID
		}
	}
	return ""
}

func (e *estate) ofType(typ string) []int {
	var out []int
	for i, it := range e.items {
		if it.typ == typ {
			out = append(out, i)
		}
	}
	return out
}

// builder collects the blocks of a configuration.
type builder struct {
	*estate
	out *target
}

// target is the configuration of the estate.
func (e *estate) target() *target {
	b := &builder{e, &target{moved: maps.Clone(e.moved), removed: map[string]bool{}}}
	for _, it := range e.items {
		b.item(it)
		b.secondItem(it)
	}
	for _, l := range e.labels {
		b.label(l)
		b.assignment(l)
		for i := range l.people {
			b.person(l, i)
		}
		b.team(l)
		b.branding(l)
		if l.verified && l.declared {
			b.add("reseller_domain_verification", l.name(), object{"private_label_id": b.readID(l), "timeouts": object{"create": "1m"}}).before = l.verifyFirst
		}
	}
	for i, d := range e.docs {
		b.document(i, d)
	}
	for address := range e.removed {
		b.out.removed[address] = b.out.block(address) == nil
	}
	return b.out
}

func (b *builder) add(typ, name string, attrs object) *block {
	added := &block{typ: typ, name: name, attrs: attrs}
	b.out.blocks = append(b.out.blocks, added)
	return added
}

// late passes a value through a built-in resource.
func (b *builder) late(version int, name string, e expression) expression {
	if version == 0 {
		return e
	}
	added := b.add(lateType, fmt.Sprintf("%s_v%d", name, version), object{"input": e})
	return ref{added.address(), "output"}
}

func (b *builder) item(it *wantedItem) {
	if !it.declared {
		return
	}
	attrs := object{
		"code": b.late(it.late, "code_"+strings.ToLower(it.code), it.code), "name": fmt.Sprintf("%s %d", it.code, it.name), "currency": "EUR",
		"active": []expression{nil, true, false}[it.active], "deletion_policy": itemPolicies[it.policy],
	}
	included := object{}
	for name, n := range it.included {
		included[name] = n
	}
	attrs["settings"] = object{"included": included}
	added := b.add(it.typ, strings.ToLower(it.code), attrs)
	if it.foreign {
		delete(attrs, "settings")
	}
	if it.foreign || it.imported {
		added.imports = it.code
	}
}

func (b *builder) secondItem(it *wantedItem) {
	if !it.second.declared {
		return
	}
	added := b.add(it.typ, it.secondName(), object{
		"code": it.code, "name": fmt.Sprintf("%s %d", it.code, it.name), "currency": "EUR", "deletion_policy": pick(itemPolicies, it.second.policy),
	})
	added.imports = it.code
}

func (b *builder) label(l *wantedLabel) {
	if l.second.declared {
		host := l.hostOf(l.second.variant)
		b.add("reseller_private_label", l.secondName(), object{"domain": host, "deletion_policy": pick(promisePolicies, l.second.policy)}).imports = host
	}
	if !l.declared {
		return
	}
	attrs := object{
		"domain": b.late(l.lateHost, l.name()+"_host", l.host()), "deletion_policy": promisePolicies[l.policy], "suspended": promiseSuspends[l.suspended],
	}
	if l.suspended == 1 && l.reason > 0 {
		attrs["suspend_reason"] = fmt.Sprintf("Reason %d", l.reason)
	}
	if !l.imported {
		attrs["app_name"] = "Acme Sign"
		attrs["owner"] = object{"email": b.late(l.lateOwner, l.name()+"_owner", ownerEmail), "first_name": "Ada", "last_name": "Lovelace"}
	}
	added := b.add("reseller_private_label", l.name(), attrs)
	if l.imported || b.importing[added.address()] {
		added.imports = l.host()
	}
	if l.readLate {
		read := b.add("reseller_private_label", l.name(), object{"domain": l.host()})
		read.isData, read.after = true, []*group{{address: added.address(), instances: []*block{added}}}
	}
}

func (b *builder) branding(l *wantedLabel) {
	if !l.declared {
		return
	}
	color := func(n int) string { return fmt.Sprintf("#%06d", n) }
	domain := ref{l.address(), "domain"}
	if l.readLate {
		domain.address = dataPrefix + l.address()
	}
	if l.color > 0 {
		b.add("reseller_branding", l.name(), object{"domain": domain, "color_primary": color(l.color)}).before = l.brandFirst
	}
	if l.secondBrand.declared {
		b.add("reseller_branding", l.secondName(), object{"domain": l.host(), "color_primary": color(l.secondBrand.variant)}).imports = l.host()
	}
}

// readID is the ID of a private label, which may come from a data source.
func (b *builder) readID(l *wantedLabel) expression {
	if l.declared && l.readLate {
		return ref{dataPrefix + l.address(), "id"}
	}
	return b.labelID(l)
}

// labelID refers to a private label of the configuration, or names one that only the simulator has.
func (b *builder) labelID(l *wantedLabel) expression {
	if l.declared {
		return ref{l.address(), "id"}
	}
	if live, ok := b.live(l.host()); ok {
		return live.ID
	}
	return nil
}

func (b *builder) itemRef(it *wantedItem) expression {
	if it.declared {
		return ref{it.address(), "id"}
	}
	if id := b.itemID(it); id != "" {
		return id
	}
	return nil
}

func (b *builder) assignment(l *wantedLabel) {
	id, pkg := b.labelID(l), b.itemRef(b.items[l.pkg])
	b.secondAssignment(l, id)
	if !l.assigned || id == nil || pkg == nil {
		return
	}
	name := fmt.Sprintf("a%d", l.index)
	attrs := object{
		"private_label_id": b.late(l.lateLabel, name+"_label", id),
		"package_id":       b.late(l.latePackage, name+"_package", pkg),
		"deletion_policy":  removePolicies[l.assignmentPolicy],
	}
	if l.mayChange {
		attrs["allow_package_change"] = true
	}
	l.consents(attrs)
	if l.manages {
		attrs["addons"] = b.addonsOf(l, name)
	}
	added := b.add("reseller_assignment", nameIn(l.assignmentAddress()), attrs)
	if l.assignmentImported || b.importing[added.address()] {
		added.imports = l.host()
	}
}

// consents sets what an assignment may exceed.
func (l *wantedLabel) consents(attrs object) {
	if consent := promiseConsents[l.consent]; consent != nil {
		allowed := object{}
		for item, n := range consent {
			allowed[item] = n
		}
		attrs["allow_excess"] = allowed
	}
}

func (b *builder) secondAssignment(l *wantedLabel, id expression) {
	s := l.secondAssignment
	pkg := b.itemRef(b.items[s.variant])
	if !s.declared || id == nil || pkg == nil {
		return
	}
	attrs := object{"private_label_id": id, "package_id": pkg, "deletion_policy": pick(removePolicies, s.policy), "allow_package_change": true}
	l.consents(attrs)
	b.add("reseller_assignment", l.secondName(), attrs).imports = l.host()
}

// nameIn is the name in a resource address.
func nameIn(address string) string {
	_, name, _ := strings.Cut(address, ".")
	return name
}

func (b *builder) addonsOf(l *wantedLabel, name string) expression {
	out := table{}
	for _, i := range slices.Sorted(maps.Keys(l.addons)) {
		it := b.items[i]
		var key expression = it.code
		if it.declared {
			key = ref{it.address(), "code"}
		} else if b.itemID(it) == "" {
			continue
		}
		out = append(out, row{key, b.late(l.lateCount, fmt.Sprintf("%s_count%d", name, i), l.addons[i])})
	}
	return b.late(l.lateAll, name+"_addons", out)
}

func (b *builder) person(l *wantedLabel, i int) {
	p, id := &l.people[i], b.readID(l)
	if id == nil {
		return
	}
	if p.second.declared {
		email := emailOf(i, p.second.variant)
		b.add("reseller_member", l.secondMember(i), object{
			"private_label_id": b.labelID(l), "email": email, "first_name": fmt.Sprintf("Name %d", p.name), "last_name": "Byte", "deletion_policy": pick(removePolicies, p.second.policy),
		}).imports = l.host() + "/" + email
	}
	if l.hasTeam() && !p.beside || !l.hasTeam() && !p.declared {
		return
	}
	added := b.add("reseller_member", nameIn(l.memberAddress(i)), object{
		"private_label_id": id, "email": b.late(p.late, fmt.Sprintf("m%d_%d_email", l.index, i), p.email(i)),
		"first_name": fmt.Sprintf("Name %d", p.name), "last_name": "Byte", "deletion_policy": removePolicies[p.policy],
	})
	added.before = p.first
	if b.importing[added.address()] {
		added.imports = l.host() + "/" + p.email(i)
	}
}

// hasTeam: the members of every second private label are one set, the others have a resource each.
func (l *wantedLabel) hasTeam() bool { return l.index%2 == 1 }

func (l *wantedLabel) teamAddress() string {
	return "reseller_members." + versioned(fmt.Sprintf("t%d", l.index), l.teamName)
}

func (b *builder) team(l *wantedLabel) {
	id := b.readID(l)
	if !l.hasTeam() || id == nil {
		return
	}
	if l.secondTeam.declared {
		b.add("reseller_members", l.secondName(), object{"private_label_id": b.labelID(l), "members": l.secondPeople()}).imports = l.host()
	}
	if !l.team {
		return
	}
	name := fmt.Sprintf("t%d", l.index)
	people := table{}
	for i := range l.people {
		if p := &l.people[i]; p.declared {
			email := b.late(p.late, fmt.Sprintf("%s_email%d", name, i), p.email(i))
			people = append(people, row{email, object{"first_name": fmt.Sprintf("Name %d", p.name), "last_name": "Byte"}})
		}
	}
	if l.ownerInTeam {
		people = append(people, row{ownerEmail, object{"first_name": "Ada", "last_name": "Lovelace"}})
	}
	added := b.add("reseller_members", nameIn(l.teamAddress()), object{"private_label_id": b.late(l.lateTeam, name+"_label", id), "members": people})
	added.before = l.teamFirst
	if l.teamImported || b.importing[added.address()] {
		added.imports = l.host()
	}
}

// secondPeople are the members of the second set: mostly those of the first one, or without one of them, or everyone.
func (l *wantedLabel) secondPeople() table {
	people := table{}
	for i := range l.people {
		if p := &l.people[i]; p.declared && i != l.secondTeam.variant || l.secondTeam.variant == len(l.people) {
			people = append(people, row{p.email(i), object{"first_name": fmt.Sprintf("Name %d", p.name), "last_name": "Byte"}})
		}
	}
	if l.ownerInTeam {
		people = append(people, row{ownerEmail, object{"first_name": "Ada", "last_name": "Lovelace"}})
	}
	return people
}

func (b *builder) document(i int, d *wantedDocument) {
	title := documentTitle(i)
	var domain expression
	if d.label >= 0 {
		l := b.labels[d.label]
		if _, live := b.live(l.host()); !live {
			return
		}
		domain = l.host()
	}
	if d.declared {
		b.add("reseller_document", fmt.Sprintf("d%d", i), object{
			"domain": domain, "owner_email": ownerEmail, "title": title, "file_path": b.pdf, "signers": b.signers(i, d),
		})
	}
	if d.signed {
		b.signing(i, domain)
	}
	if d.minted {
		b.add("reseller_minted_document", fmt.Sprintf("n%d", i), object{
			"file_path": b.pdf, "unit_name": "TERMS", "asset_name": "Asset " + title, "nft_standard": "ARC3", "store_on_ipfs": false,
		})
	}
}

func documentTitle(i int) string { return fmt.Sprintf("Terms no. %d", i) }

func (b *builder) signers(i int, d *wantedDocument) expression {
	out := list{}
	if d.complete {
		return out
	}
	for n := range 1 + d.signers {
		email := expression(fmt.Sprintf("signer%d@acme.example", n))
		if n == 0 {
			email = b.w.Sim.SigningUserEmail()
		}
		out = append(out, object{
			"email": b.late(d.late, fmt.Sprintf("d%d_signer%d", i, n), email), "first_name": "Some", "last_name": "Body", "sign_order": n + 1,
			"annotations": list{object{"type": "Date", "content": "Date", "is_verified": false, "style": object{"x": 1, "y": 1, "width": 9, "height": 9, "page": 1}}},
		})
	}
	return out
}

// signing signs for the user of the key, after the annotations have IDs.
func (b *builder) signing(i int, domain expression) {
	if domain == nil {
		domain = "personal.portals.example"
	}
	for _, doc := range b.w.Sim.Documents() {
		if doc.Title == documentTitle(i) && len(doc.Signers) > 0 && len(doc.Signers[0].Annotations) > 0 {
			b.add("reseller_document_signing", fmt.Sprintf("s%d", i), object{
				"doc_id": doc.ID, "domain": domain, "annotations": object{doc.Signers[0].Annotations[0].ID: "01-01-2027"},
			})
			return
		}
	}
}
