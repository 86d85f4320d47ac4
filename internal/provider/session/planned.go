package session

import (
	"fmt"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// Planned are the live objects that a plan creates, destroys and activates, by type and name. One that it creates and
// destroys has a new resource address without a moved block: applying the plan would remove what the other resource has
// just stored. A request has no resource address, so this is the one error that is based on what a process has planned;
// an apply clears it. Planned is safe for concurrent use.
type Planned struct {
	mu      sync.Mutex
	objects map[string]planned
}

// planned is what a plan does with one object.
type planned struct{ creates, destroys, activates bool }

// NewPlanned returns a plan without changes.
func NewPlanned() *Planned { return &Planned{objects: map[string]planned{}} }

// with returns what the plan does with an object, after a change of that.
func (p *Planned) with(typeName, name string, change func(*planned)) planned {
	p.mu.Lock()
	defer p.mu.Unlock()
	does := p.objects[typeName+"/"+name]
	change(&does)
	p.objects[typeName+"/"+name] = does
	return does
}

// Create records the create of an object, and reports whether the plan destroys it, too. Whichever of the two Terraform
// plans second gets true.
func (p *Planned) Create(typeName, name string) (renamed bool) {
	return p.with(typeName, name, func(does *planned) { does.creates = true }).destroys
}

// Destroy records the destroy of an object, and reports whether the plan creates it, too. An object that is destroyed
// again belongs to another plan: `terraform test` destroys after a plan that was rejected, in the same process.
func (p *Planned) Destroy(typeName, name string) (renamed bool) {
	return p.with(typeName, name, func(does *planned) {
		does.creates = does.creates && !does.destroys
		does.destroys = true
	}).creates
}

// Gone drops the destroy of an object that a refresh has found to be gone: an earlier plan of this process destroyed it,
// and was rejected.
func (p *Planned) Gone(typeName, name string) {
	p.with(typeName, name, func(does *planned) { does.destroys = false })
}

// Destroys reports whether the plan destroys an object.
func (p *Planned) Destroys(typeName, name string) bool {
	return p.with(typeName, name, func(*planned) {}).destroys
}

// Activate records that the plan activates a catalog item.
func (p *Planned) Activate(typeName, code string) {
	p.with(typeName, code, func(does *planned) { does.activates = true })
}

// Provides reports whether the plan creates or activates a catalog item. Terraform may plan it later.
func (p *Planned) Provides(typeName, code string) bool {
	does := p.with(typeName, code, func(*planned) {})
	return does.creates || does.activates
}

// CreatesBeside returns how many objects of a type the plan creates beside one of them. It is for texts: Terraform may
// plan more of them later.
func (p *Planned) CreatesBeside(typeName, name string) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for key, does := range p.objects {
		if does.creates && strings.HasPrefix(key, typeName+"/") && key != typeName+"/"+name {
			n++
		}
	}
	return n
}

// Clear drops the changes: an apply has begun, so the next plan is another one.
func (p *Planned) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.objects)
}

// Renamed is the error of an object that one plan creates and destroys. object names it in a sentence, such as "the
// package of sign.acme.example"; typeName is that of the resource, with the provider's prefix.
func Renamed(typeName, object string) diag.Diagnostic {
	consequence := "remove what is still configured"
	if isSigningType(typeName) {
		consequence = "repeat what cannot be undone"
	}
	return diag.NewErrorDiagnostic(SummaryRenamed,
		fmt.Sprintf("This plan creates a %[1]s for %[2]s and destroys another one for the same object, so its resource address changed. "+
			"Applying both would %[3]s. Nothing was changed.\n\n"+
			"To keep the object, add a moved block with both addresses and plan again:\n\n"+
			"moved {\n  from = %[1]s.OLD\n  to   = %[1]s.NEW\n}\n\n"+
			"An address in a module or with a for_each key is written in full, such as module.clients.%[1]s.NAME[\"key\"]. "+
			"If the old resource belongs to another state, use a removed block with destroy = false there instead, and import the object here.",
			typeName, object, consequence))
}
