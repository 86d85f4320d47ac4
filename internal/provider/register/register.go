package register

import (
	"maps"
	"slices"
	"sync"

	"github.com/privatelabels/terraform-provider-reseller/internal/walk"
)

// Register has the claims of the current plan, and what the current apply has stored. A request has no resource address, so
// an error of two claims is the one kind of error that is based on what a process has planned before. The first apply of
// the process ends such errors: what it plans afterwards is another plan. It is safe for concurrent use.
type Register struct {
	process *walk.Process

	mu       sync.Mutex
	moment   walk.Moment // of the contents
	claims   map[string][]*Claim
	imported map[string]bool     // instances that the plan imports
	told     map[string]returned // the most harmful conflict that was returned, by the keys of its object
	inState  map[string]bool     // objects that the plan has found in state, by ID
	read     map[string]bool     // instances, or keys of objects, that were read and not planned since

	rejected    map[string]Role     // what the plan has rejected, by the keys of the object
	activated   map[string]bool     // catalog items
	deactivated map[string]bool     // catalog items
	left        map[string][]string // host names of the private labels that lose a package, by the package

	stored map[string]string // instances by the keys of what the current apply has stored

	// Of the process:
	gone    map[string]bool // names of the objects that are proven to be absent
	created map[string]bool // IDs of the objects that it created
}

// New returns an empty register of a process.
func New(process *walk.Process) *Register {
	return &Register{
		process: process,
		claims:  map[string][]*Claim{}, imported: map[string]bool{}, told: map[string]returned{},
		inState: map[string]bool{}, read: map[string]bool{}, rejected: map[string]Role{}, activated: map[string]bool{},
		deactivated: map[string]bool{}, left: map[string][]string{}, stored: map[string]string{}, gone: map[string]bool{}, created: map[string]bool{},
	}
}

// lock drops what belongs to an earlier plan or apply.
func (r *Register) lock() {
	r.mu.Lock()
	now := r.process.Now()
	if now.Applies != r.moment.Applies {
		r.forget()
	}
	if now.Ended != r.moment.Ended {
		clear(r.stored)
	}
	r.moment = now
}

// forget drops a plan.
func (r *Register) forget() {
	clear(r.claims)
	clear(r.imported)
	clear(r.told)
	clear(r.inState)
	clear(r.read)
	clear(r.rejected)
	clear(r.activated)
	clear(r.deactivated)
	clear(r.left)
}

// Record records a claim, and returns its most harmful conflict with the others of the plan, and the other claim. The
// conflict of an object is returned once, and a more harmful one after it.
func (r *Register) Record(c Claim) (Conflict, Claim) {
	r.lock()
	defer r.mu.Unlock()
	c = r.inThisPlan(c)
	conflict, other := r.conflict(c)
	r.record(c)
	return conflict, other
}

// RecordAlone records claims if none of them has a conflict, and reports whether it did.
func (r *Register) RecordAlone(claims []Claim) bool {
	r.lock()
	defer r.mu.Unlock()
	for i := range claims {
		claims[i] = r.inThisPlan(claims[i])
		if conflict, _ := r.worst(claims[i]); conflict != None {
			return false
		}
	}
	for _, c := range claims {
		r.record(c)
	}
	return true
}

// Ask returns the conflict that a claim would have, without recording it.
func (r *Register) Ask(c Claim) (Conflict, Claim) {
	r.lock()
	defer r.mu.Unlock()
	return r.conflict(c)
}

// inThisPlan is a claim with what the plan has imported.
func (r *Register) inThisPlan(c Claim) Claim {
	if r.imported[c.Instance] && c.Role == Keeps {
		c.Role = Imports
	}
	return c
}

func (r *Register) record(c Claim) {
	if c.Role == Imports {
		r.imported[c.Instance] = true
	}
	for _, key := range c.keys() {
		r.claims[key] = append(slices.DeleteFunc(r.claims[key], c.isOfInstance), &c)
	}
}

// isOfInstance reports whether an earlier claim was made for the same resource instance.
func (c Claim) isOfInstance(earlier *Claim) bool {
	return c.Instance != "" && earlier.Instance == c.Instance
}

// returned is a conflict and the resource instance to which it was returned, if any.
type returned struct {
	conflict Conflict
	instance string
}

// conflict returns the most harmful conflict of a claim, unless one as harmful was returned before: a warning hides no error.
func (r *Register) conflict(c Claim) (Conflict, Claim) {
	worst, other := r.worst(c)
	if worst == None {
		return None, Claim{}
	}
	told := None
	for _, key := range c.keys() {
		before := r.told[key].conflict
		told = max(told, before)
		if worst > before {
			r.told[key] = returned{conflict: worst, instance: c.Instance}
		}
	}
	if worst <= told {
		return None, Claim{}
	}
	return worst, other
}

func (r *Register) worst(c Claim) (worst Conflict, other Claim) {
	if r.moment.Applies > 0 {
		return None, Claim{}
	}
	for _, key := range c.keys() {
		for _, earlier := range r.claims[key] {
			if c.Like(earlier.Object) != Same {
				continue // another object that had the name
			}
			if found := Between(c, *earlier); found > worst {
				worst = found
				other = *earlier
			}
		}
	}
	return worst, other
}

// Refresh records that a resource instance is read that is in state. If the plan has imported it, this is a later plan: an
// import that changes nothing is not applied. It comes before the claims of that plan, as far as requests at the same time
// have an order. If this plan has planned it, Terraform drops what that returned, and plans again.
func (r *Register) Refresh(instance string) {
	r.lock()
	defer r.mu.Unlock()
	if r.imported[instance] {
		r.forget()
	}
	maps.DeleteFunc(r.told, func(_ string, to returned) bool { return to.instance != "" && to.instance == instance })
}

// Withdraw drops what a plan has claimed for a resource instance before a refresh has found its object absent.
func (r *Register) Withdraw(instance string) {
	r.lock()
	defer r.mu.Unlock()
	for key, claims := range r.claims {
		r.claims[key] = slices.DeleteFunc(claims, Claim{Instance: instance}.isOfInstance)
	}
}

// Hold records that an object is refreshed or planned that is in state.
func (r *Register) Hold(o Object) {
	r.lock()
	defer r.mu.Unlock()
	r.inState[o.byID()] = true
}

// InState reports whether an object is known to be in state. Terraform may refresh and plan it later.
func (r *Register) InState(o Object) bool {
	r.lock()
	defer r.mu.Unlock()
	return o.ID != "" && r.inState[o.byID()]
}

// Read records that a resource instance was read, or the object where the state has no instance.
func (r *Register) Read(o Object, instance string) {
	r.lock()
	defer r.mu.Unlock()
	for _, key := range readKeys(o, instance) {
		r.read[key] = true
	}
}

// WasRead reports whether a resource instance was read since it was last planned. An apply plans again without a read.
func (r *Register) WasRead(o Object, instance string) (was bool) {
	r.lock()
	defer r.mu.Unlock()
	for _, key := range readKeys(o, instance) {
		was = was || r.read[key]
		delete(r.read, key)
	}
	return was
}

func readKeys(o Object, instance string) []string {
	if instance != "" {
		return []string{"instance/" + instance}
	}
	return o.keys()
}

// Store records that the current apply has stored an object as a resource instance.
func (r *Register) Store(o Object, instance string) {
	r.lock()
	defer r.mu.Unlock()
	if id := o.byID(); id != "" {
		r.stored[id] = instance
	}
}

// StoredElsewhere reports whether the current apply has stored an object as another resource instance than this one: at
// another address, or in place of a deposed object.
func (r *Register) StoredElsewhere(o Object, instance string) bool {
	r.lock()
	defer r.mu.Unlock()
	stored, found := r.stored[o.byID()]
	return found && stored != instance
}

// RecordGone records that an object is proven to be absent, or that this process has removed it.
func (r *Register) RecordGone(o Object) {
	r.lock()
	defer r.mu.Unlock()
	r.gone[o.byName()] = true
}

// IsGone reports whether this process knows that an object of this name no longer exists.
func (r *Register) IsGone(o Object) bool {
	r.lock()
	defer r.mu.Unlock()
	return r.gone[o.byName()]
}

// RecordCreated records that this process has created an object, and reports whether it had before, for another resource.
func (r *Register) RecordCreated(o Object) (before bool) {
	r.lock()
	defer r.mu.Unlock()
	before = r.created[o.byID()]
	r.created[o.byID()] = true
	return before
}

// Provides reports whether the plan creates or activates a catalog item. Terraform may plan that later.
func (r *Register) Provides(item Object) bool {
	r.lock()
	defer r.mu.Unlock()
	return r.activated[item.byName()] || slices.ContainsFunc(r.claims[item.byName()], func(c *Claim) bool { return c.Role == Creates || c.Role == Imports })
}

// Activate records that the plan activates a catalog item.
func (r *Register) Activate(item Object) {
	r.lock()
	defer r.mu.Unlock()
	r.activated[item.byName()] = true
}

// Deactivate records that the plan deactivates a catalog item, and returns the host names of the private labels whose
// package change could then not restore it. Terraform may plan more of them later.
func (r *Register) Deactivate(item Object) (left []string) {
	r.lock()
	defer r.mu.Unlock()
	r.deactivated[item.byName()] = true
	return r.left[item.byName()]
}

// Leave records that the plan assigns another package to the private label with a host name, and reports whether the plan
// deactivates the old one. Terraform may plan that later.
func (r *Register) Leave(item Object, host string) (deactivated bool) {
	r.lock()
	defer r.mu.Unlock()
	name := item.byName()
	if !slices.Contains(r.left[name], host) {
		r.left[name] = append(r.left[name], host)
	}
	return r.deactivated[name]
}

// Reject records that the plan has an error of its own for what a resource does with an object.
func (r *Register) Reject(o Object, role Role) {
	r.lock()
	defer r.mu.Unlock()
	for _, key := range o.keys() {
		r.rejected[key] = role
	}
}

// Rejected reports whether the plan has rejected what another resource does with an object. One event has one message.
func (r *Register) Rejected(o Object, role Role) bool {
	r.lock()
	defer r.mu.Unlock()
	return r.moment.Applies == 0 && slices.ContainsFunc(o.keys(), func(key string) bool { return r.rejected[key] == role })
}

// CreatesBeside returns how many objects of a type the plan creates beside one of them. It is for texts: Terraform may
// plan more of them later.
func (r *Register) CreatesBeside(o Object) int {
	r.lock()
	defer r.mu.Unlock()
	others := map[string]bool{}
	for _, claims := range r.claims {
		for _, c := range claims {
			if c.Role == Creates && c.Type == o.Type && c.Name != "" && c.Name != o.Name {
				others[c.Name] = true
			}
		}
	}
	return len(others)
}
