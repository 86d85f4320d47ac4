package inventory

import (
	"context"
	"sync"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// Members is an index of all members of a private label (Reseller API §4.17). It is shared and immutable.
type Members struct {
	list    []client.Member
	byID    map[string]*client.Member
	byEmail map[string]*client.Member
}

// NewMembers returns the index of a list.
func NewMembers(list []client.Member) *Members {
	m := &Members{list: list, byID: make(map[string]*client.Member, len(list)), byEmail: make(map[string]*client.Member, len(list))}
	for i := range list {
		m.byID[list[i].ID] = &list[i]
		m.byEmail[client.FoldEmail(list[i].Email)] = &list[i]
	}
	return m
}

// All returns all members in the API's order, the owner first.
func (m *Members) All() []client.Member { return m.list }

// ByID returns the member with a user ID.
func (m *Members) ByID(id string) (*client.Member, bool) {
	member, ok := m.byID[id]
	return member, ok
}

// ByEmail returns the member with an email address, compared as client.FoldEmail does.
func (m *Members) ByEmail(email string) (*client.Member, bool) {
	member, ok := m.byEmail[client.FoldEmail(email)]
	return member, ok
}

func (i *Inventory) listMembers(ctx context.Context, tenantID string) (*Members, error) {
	i.mu.Lock()
	writes := i.own.member[tenantID]
	i.mu.Unlock()
	list, err := i.api.ListMembers(ctx, tenantID)
	if err != nil {
		return nil, err
	}
	members := NewMembers(list)
	i.mu.Lock()
	defer i.mu.Unlock()
	if writes == i.own.member[tenantID] { // a list read during a write may lack its effect
		i.keepMembers(tenantID, members)
	}
	return members, nil
}

// keepMembers stores a list as the newest. The caller holds i.mu.
func (i *Inventory) keepMembers(tenantID string, members *Members) {
	if i.lastMembers == nil {
		i.lastMembers = map[string]*Members{}
	}
	i.lastMembers[tenantID] = members
}

// RecordOwner records the owner of a private label that this run provisioned. The owner is its only member (§3.1), so
// that CachedMembers needs no API call for it.
func (i *Inventory) RecordOwner(tenantID string, owner client.Member) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keepMembers(tenantID, NewMembers([]client.Member{owner}))
}

// CachedMembers returns the newest list of this run together with this run's own writes. So adding many members does
// not cost one call each.
func (i *Inventory) CachedMembers(ctx context.Context, tenantID string) (*Members, error) {
	i.mu.Lock()
	last, ok := i.lastMembers[tenantID]
	i.mu.Unlock()
	if ok {
		return last, nil
	}
	return i.Members(ctx, tenantID)
}

// RefreshMembers reads the members of a private label again. Later readers share the response.
func (i *Inventory) RefreshMembers(ctx context.Context, tenantID string) (*Members, error) {
	i.members.invalidate(tenantID)
	return i.Members(ctx, tenantID)
}

// Members returns the members of a private label. Its readers share one call until a write.
func (i *Inventory) Members(ctx context.Context, tenantID string) (*Members, error) {
	return i.members.get(ctx, tenantID)
}

// BeginMemberWrite is called before a call that adds or removes members of a private label, and the returned function
// after it; see BeginWrite. The list and the detail of the private label count its members, so they are invalidated,
// too.
func (i *Inventory) BeginMemberWrite(tenantID string) (done func()) {
	writing := i.BeginWrite(tenantID)
	i.members.invalidate(tenantID)
	i.writers.enter(tenantID)
	return func() {
		writing()
		i.members.invalidate(tenantID)
		i.writers.leave(tenantID)
	}
}

// MembersAfterWrites returns the members once no write of this process to them is in flight. So one call reads all
// members that were added concurrently.
func (i *Inventory) MembersAfterWrites(ctx context.Context, tenantID string) (*Members, error) {
	if members, ok := i.members.peek(tenantID); ok {
		return members, nil
	}
	return i.settledMembers.get(ctx, tenantID)
}

// listSettled waits for the writes in flight, then for a place of the rate limit, then for the writes that began in that
// time. One list shows all of them.
func (i *Inventory) listSettled(ctx context.Context, tenantID string) (*Members, error) {
	reserved, release, err := i.reserveSettled(ctx, tenantID)
	if err != nil {
		return nil, err
	}
	defer release()
	i.settledMembers.invalidate(tenantID) // a later reader's write may not be in this list
	return i.members.get(reserved, tenantID)
}

// reserveSettled reserves a place for the list of a private label without a member write in flight.
func (i *Inventory) reserveSettled(ctx context.Context, tenantID string) (reserved context.Context, release func(), err error) {
	for {
		if err := i.writers.wait(ctx, tenantID); err != nil {
			return nil, nil, err
		}
		reserved, _, release, err := i.api.Reserve(ctx, client.BucketConsole)
		if err != nil || !i.writers.busy(tenantID) {
			return reserved, release, err
		}
		release()
	}
}

// writers counts the writes in flight of each private label.
type writers struct {
	mu    sync.Mutex
	count map[string]int
	idle  map[string]chan struct{} // closed when the count is 0
}

func (w *writers) enter(key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.count == nil {
		w.count, w.idle = map[string]int{}, map[string]chan struct{}{}
	}
	if w.count[key] == 0 {
		w.idle[key] = make(chan struct{})
	}
	w.count[key]++
}

func (w *writers) leave(key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count[key]--
	if w.count[key] == 0 {
		close(w.idle[key])
		delete(w.idle, key)
	}
}

func (w *writers) busy(key string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.count[key] > 0
}

func (w *writers) wait(ctx context.Context, key string) error {
	w.mu.Lock()
	idle := w.idle[key]
	w.mu.Unlock()
	if idle == nil {
		return nil
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-idle:
		return nil
	}
}

// MembersOf returns the members of a private label, not older than age.
func (i *Inventory) MembersOf(ctx context.Context, labelID string, age Age) (*Members, error) {
	switch age {
	case Cached:
		return i.CachedMembers(ctx, labelID)
	case Fresh:
		return i.RefreshMembers(ctx, labelID)
	default:
		return i.MembersAfterWrites(ctx, labelID)
	}
}
