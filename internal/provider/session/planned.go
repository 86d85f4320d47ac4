package session

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// Object is a live object: its type, its ID in the API, and the name by which a create finds it. What is not known is
// "". A member and a set of members that holds the user have the same object.
type Object struct{ Type, ID, Name string }

// Doing is what a plan does with a live object. An import creates: it makes a resource address have the object.
type Doing int

const (
	Creates Doing = iota + 1
	Keeps
	Destroys
	Activates // a catalog item
)

// Claim is what one resource does with one live object.
type Claim struct {
	Does Doing
	Object
	// Origin distinguishes one import from another. The private state of what an import has stored has it, too.
	Origin string
	// Called names the object where the resource has more than one.
	Called string
}

// Others are what other resources of the same plan do with an object.
type Others struct {
	// Renamed: one creates or imports it, and another one destroys it. Applying the plan would remove what the first one
	// has just stored.
	Renamed bool
	// Split: one keeps it, and another one destroys it.
	Split bool
	// Twice: another type of resource creates or keeps it, too.
	Twice bool
	// By is the type of the other resource.
	By string
}

// Planned are the live objects that a plan creates, keeps and destroys. A request has no resource address, so the error of
// a rename is the one that is based on what a process has planned; an apply clears it. Planned also has what the current
// apply has stored. It is safe for concurrent use.
//
// `terraform test` may make all its walks in one process, some of which are never applied. So in a process that has
// validated all blocks before a plan, two claims are of one plan only if its requests say so: Terraform reads an object
// before it plans its destroy, unless it cleans up after a test, and validates all blocks before it plans any.
type Planned struct {
	mu    sync.Mutex
	marks map[string][]*mark // by ID and by name

	// read are the objects that were read and not planned since, by ID: the number of requests before each read.
	read    map[string][]int
	applied bool // this process has applied a plan
	// pending are the validations that no plan has followed, after each request since the last apply.
	pending []int

	stored map[string]bool // objects that the current apply has created or updated, by ID

	deactivated map[string]bool     // catalog items, by name
	left        map[string][]string // host names of the private labels whose package it is no longer, by its name
}

// mark is a claim in a plan.
type mark struct {
	Claim
	by       string // type of the resource
	from, at int    // number of requests before it was read, and before the claim
	read     bool   // the object was read for this plan
	rejected Claim  // the other half of a rename
}

// NewPlanned returns a plan without changes.
func NewPlanned() *Planned {
	return &Planned{
		marks: map[string][]*mark{}, read: map[string][]int{}, pending: []int{0},
		stored: map[string]bool{}, deactivated: map[string]bool{}, left: map[string][]string{},
	}
}

func (o Object) byID() string   { return o.Type + " " + o.ID }
func (o Object) byName() string { return o.Type + " named " + o.Name }

// keys are what the marks of an object are found by.
func (o Object) keys() (keys []string) {
	if o.ID != "" {
		keys = append(keys, o.byID())
	}
	if o.Name != "" {
		keys = append(keys, o.byName())
	}
	return keys
}

// Record records a claim, and returns what other resources of the plan do with the object.
func (p *Planned) Record(by string, c Claim) Others {
	p.mu.Lock()
	defer p.mu.Unlock()
	here := p.mark(by, c)
	found := p.others(here)
	if reads := p.read[c.byID()]; (c.Does == Keeps || c.Does == Destroys) && len(reads) > 0 {
		p.read[c.byID()] = reads[1:]
	}
	for _, key := range c.keys() {
		again := func(m *mark) bool { return m.Does == c.Does && m.by == by && m.ID == c.ID }
		if c.Does == Destroys && slices.ContainsFunc(p.marks[key], func(m *mark) bool { return again(m) && m.rejected != (Claim{}) }) {
			// `terraform test` destroys after a plan that was rejected, in the same process.
			found.Renamed = false
			p.drop(key, Creates)
		}
		p.marks[key] = append(slices.DeleteFunc(p.marks[key], again), here)
	}
	return found
}

// Beside returns what other resources of the plan do with an object, without recording the claim.
func (p *Planned) Beside(by string, c Claim) Others {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.others(p.mark(by, c))
}

func (p *Planned) mark(by string, c Claim) *mark {
	m := &mark{Claim: c, by: by, at: len(p.pending) - 1}
	m.from = m.at
	if reads := p.read[c.byID()]; len(reads) > 0 {
		m.from, m.read = reads[0], true
	}
	return m
}

func (p *Planned) others(here *mark) (found Others) {
	for _, key := range here.keys() {
		for _, m := range p.marks[key] {
			if m.ID != "" && here.ID != "" && m.ID != here.ID {
				continue
			}
			o := p.beside(here, m, p.imports(key, here))
			if o == (Others{}) || !p.together(m, here, o.Renamed) {
				continue
			}
			if o.Renamed {
				here.rejected, m.rejected = m.Claim, here.Claim
			}
			found = Others{found.Renamed || o.Renamed, found.Split || o.Split, found.Twice || o.Twice, m.by}
		}
	}
	return found
}

// beside returns what two claims of one object are, if they are of one plan.
func (p *Planned) beside(here, m *mark, imported bool) Others {
	does, other := here.Does, m.Does
	if does == Keeps && imported {
		does = Creates // unless the destroy has said so
		if other == Destroys && m.rejected != (Claim{}) && m.rejected != here.Claim {
			return Others{}
		}
	}
	return Others{
		Renamed: does == Destroys && other == Creates || does == Creates && other == Destroys,
		Split:   does == Destroys && other == Keeps || does == Keeps && other == Destroys,
		Twice:   does != Destroys && (other == Creates || other == Keeps) && m.by != here.by,
	}
}

// together reports whether two claims are of one plan; inDoubt is its answer if nothing shows it.
func (p *Planned) together(before, now *mark, inDoubt bool) bool {
	if before.Origin != "" && before.Origin == now.Origin {
		return false // the object that this import has stored, in a later plan
	}
	if p.pending[len(p.pending)-1] == 0 { // no walk of this process has validated all blocks
		return inDoubt || !p.applied
	}
	for _, m := range []*mark{before, now} {
		if m.Does == Destroys && !m.read {
			return false
		}
	}
	// Otherwise, blocks were validated in between, and not planned.
	from := max(now.from, before.at)
	return slices.Min(p.pending[from:]) <= slices.Min(p.pending[before.at:from+1])
}

// imports reports whether the plan has imported the object that a resource keeps.
func (p *Planned) imports(key string, here *mark) bool {
	return here.Origin != "" && slices.ContainsFunc(p.marks[key], func(m *mark) bool { return m.Does == Creates && m.Origin == here.Origin && m.by == here.by })
}

func (p *Planned) claims(key string, does Doing) bool {
	return slices.ContainsFunc(p.marks[key], func(m *mark) bool { return m.Does == does })
}

func (p *Planned) drop(key string, does Doing) {
	p.marks[key] = slices.DeleteFunc(p.marks[key], func(m *mark) bool { return m.Does == does })
}

// Read records that an object was read: a refresh of the current plan.
func (p *Planned) Read(o Object) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.read[o.byID()] = append(p.read[o.byID()], len(p.pending)-1)
}

// Gone drops the destroy of an object that a refresh has found to be gone: an earlier plan of this process destroyed it,
// and was rejected.
func (p *Planned) Gone(o Object) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, key := range o.keys() {
		p.drop(key, Destroys)
	}
}

// Provides reports whether the plan creates or activates a catalog item. Terraform may plan it later.
func (p *Planned) Provides(o Object) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.claims(o.byName(), Creates) || p.claims(o.byName(), Activates)
}

// Deactivate records that the plan deactivates a catalog item, and returns the host names of the private labels whose
// package change could then not restore it. Terraform may plan more of them later.
func (p *Planned) Deactivate(o Object) (left []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.deactivated[o.byName()] = true
	return p.left[o.byName()]
}

// Leave records that the plan assigns another package to the private label with a host name, and reports whether the plan
// deactivates the old one. Terraform may plan that later.
func (p *Planned) Leave(o Object, host string) (deactivated bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.left[o.byName()], host) {
		p.left[o.byName()] = append(p.left[o.byName()], host)
	}
	return p.deactivated[o.byName()]
}

// NotRestorable warns about a package change that leaves no package if the API rejects the new one.
func NotRestorable(at path.Path, host, code string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(at, SummaryNotRestorable,
		fmt.Sprintf("%s: this plan replaces package %[2]s, which is inactive now, or which this plan deactivates. "+
			"If the API rejects the new package, %[2]s could not be restored, and the private label would have no package. "+
			"To keep a way back, change the package first, and deactivate %[2]s in a later apply.", host, code))
}

// CreatesBeside returns how many objects of a type the plan creates beside one of them. It is for texts: Terraform may
// plan more of them later.
func (p *Planned) CreatesBeside(o Object) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for key, marks := range p.marks {
		if key == o.byName() || !strings.HasPrefix(key, Object{Type: o.Type}.byName()) {
			continue
		}
		if slices.ContainsFunc(marks, func(m *mark) bool { return m.Does == Creates && m.Origin == "" }) {
			n++
		}
	}
	return n
}

// Validated records that a block was validated, which Terraform does before it plans any, and again before it plans it.
func (p *Planned) Validated() { p.request(1) }

// Proposed records that a create or an update is planned, right after its validation.
func (p *Planned) Proposed() { p.request(-1) }

func (p *Planned) request(n int) {
	if p == nil {
		return // before Configure
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pending = append(p.pending, p.pending[len(p.pending)-1]+n)
}

// Walk records that a walk reads, imports or plans a destroy, which an apply does not: the apply before it has ended.
func (p *Planned) Walk() {
	if p == nil {
		return // before Configure
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.stored)
}

// Clear drops the plan: an apply has begun, so the next plan is another one.
func (p *Planned) Clear() {
	if p == nil {
		return // before Configure
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.marks)
	clear(p.read)
	clear(p.deactivated)
	clear(p.left)
	p.applied, p.pending = true, p.pending[len(p.pending)-1:]
}

// Store records an object that the current apply has created or updated.
func (p *Planned) Store(o Object) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stored[o.byID()] = o.ID != ""
}

// Stored reports whether the current apply has created or updated an object.
func (p *Planned) Stored(o Object) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stored[o.byID()]
}

// Renamed is the error of an object that one plan creates or imports, and destroys. object names it in a sentence, such as
// "the package of sign.acme.example"; the types of both resources have the provider's prefix.
func Renamed(typeName, other, object string) diag.Diagnostic {
	consequence := "remove what is still configured"
	if isSigningType(typeName) {
		consequence = "repeat what cannot be undone"
	}
	if typeName != other {
		return diag.NewErrorDiagnostic(SummaryRenamed, fmt.Sprintf(retyped, typeName, other, object, consequence))
	}
	return diag.NewErrorDiagnostic(SummaryRenamed, fmt.Sprintf(renamed, typeName, object, consequence))
}

// Split is the warning of an object that one plan destroys at one resource address and keeps at another.
func Split(other, object string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(SummarySplit, fmt.Sprintf(split, object, other))
}

// HeldTwice is the warning of an object that two types of resources have.
func HeldTwice(typeName, other, object string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(SummaryHeldTwice, fmt.Sprintf(heldTwice, object, typeName, other))
}

// ReplacesItself is the error of a replacement whose create finds the object that it removes.
func ReplacesItself(object string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(SummaryReplacesItself, fmt.Sprintf(replacesItself, object))
}

// StoredElsewhere is the error of a destroy of what the same apply has stored at another resource address.
func StoredElsewhere(object string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(SummaryStoredElsewhere, fmt.Sprintf(storedElsewhere, object))
}
