package inventory

import (
	"context"
	"strings"
	"sync"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// Members are all members of a label (§4.17), indexed. They are shared: nothing in
// them may be changed.
type Members struct {
	list    []client.Member
	byID    map[string]*client.Member
	byEmail map[string]*client.Member
}

func newMembers(list []client.Member) *Members {
	m := &Members{list: list, byID: make(map[string]*client.Member, len(list)), byEmail: make(map[string]*client.Member, len(list))}
	for i := range list {
		m.byID[list[i].ID] = &list[i]
		m.byEmail[strings.ToLower(list[i].Email)] = &list[i]
	}
	return m
}

// All members in the API's order: the owner first.
func (m *Members) All() []client.Member { return m.list }

// ByID finds a member by their user id.
func (m *Members) ByID(id string) (*client.Member, bool) {
	member, ok := m.byID[id]
	return member, ok
}

// ByEmail finds a member by their address, without case.
func (m *Members) ByEmail(email string) (*client.Member, bool) {
	member, ok := m.byEmail[strings.ToLower(email)]
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
	members := newMembers(list)
	i.mu.Lock()
	defer i.mu.Unlock()
	if writes == i.own.member[tenantID] { // a list that a write overtook may lack it
		i.keepMembers(tenantID, members)
	}
	return members, nil
}

// keepMembers makes a list the known one. The caller holds i.mu.
func (i *Inventory) keepMembers(tenantID string, members *Members) {
	if i.lastMembers == nil {
		i.lastMembers = map[string]*Members{}
	}
	i.lastMembers[tenantID] = members
}

// RecordOwner notes a label that this run has provisioned: its owner is all there is
// (§3.1), so CachedMembers needs no call for it.
func (i *Inventory) RecordOwner(tenantID string, owner client.Member) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keepMembers(tenantID, newMembers([]client.Member{owner}))
}

// CachedMembers is the newest list of this run together with this run's own writes,
// which costs no call for each of many members that are added.
func (i *Inventory) CachedMembers(ctx context.Context, tenantID string) (*Members, error) {
	if last, ok := i.KnownMembers(tenantID); ok {
		return last, nil
	}
	return i.Members(ctx, tenantID)
}

// KnownMembers is the newest list of this run together with this run's own writes, without a call. It is false where
// this run has not read any.
func (i *Inventory) KnownMembers(tenantID string) (*Members, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	last, ok := i.lastMembers[tenantID]
	return last, ok
}

// RefreshMembers reads the members of a private label again, for all readers.
func (i *Inventory) RefreshMembers(ctx context.Context, tenantID string) (*Members, error) {
	i.members.invalidate(tenantID)
	return i.Members(ctx, tenantID)
}

// Members of a label. Its readers share one call until a write.
func (i *Inventory) Members(ctx context.Context, tenantID string) (*Members, error) {
	return i.members.get(ctx, tenantID)
}

// BeginMemberWrite is called before a call that adds or removes members of a
// label, and the function that it returns after it; see BeginWrite. Lists and
// details count members, so they are invalidated, too.
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

// MembersAfterWrites are the members once no write of this process to the label's
// members is under way. So one call reads ten members that were added at a time.
func (i *Inventory) MembersAfterWrites(ctx context.Context, tenantID string) (*Members, error) {
	if members, ok := i.members.peek(tenantID); ok {
		return members, nil
	}
	return i.settledMembers.get(ctx, tenantID)
}

// listSettled waits for the writes first, and again for those that begin while it waits for the limit: all of them are
// in one list.
func (i *Inventory) listSettled(ctx context.Context, tenantID string) (*Members, error) {
	reserved, release, err := i.reserveSettled(ctx, tenantID)
	if err != nil {
		return nil, err
	}
	defer release()
	i.settledMembers.invalidate(tenantID) // later readers may have written after this list
	return i.members.get(reserved, tenantID)
}

// reserveSettled reserves a place for the list of a label whose members no write changes.
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

// writers counts the writes that are under way, by label.
type writers struct {
	mu    sync.Mutex
	count map[string]int
	idle  map[string]chan struct{} // closed when the last one leaves
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
