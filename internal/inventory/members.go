package inventory

import (
	"context"
	"sync"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// Members returns the members of a private label. A list that is not Fresh is read once no write of this run to them is
// under way. So one call reads all members that were added concurrently.
func (i *Inventory) Members(ctx context.Context, labelID string, freshness Freshness) (*Members, error) {
	members, err := i.members.get(ctx, i.walk, labelID, freshness)
	return members, i.late(labelID, err)
}

// readMembers reads a list until it shows what it must.
func (i *Inventory) readMembers(api client.Reads) call[*Members] {
	return i.newMembers.reading(func(ctx context.Context, labelID string) (*Members, error) {
		list, err := api.ListMembers(ctx, labelID)
		if err != nil {
			return nil, err
		}
		return NewMembers(list), nil
	})
}

// beforeMembers waits for the writes under way, then for a place of the rate limit, then for the writes that began in that
// time. One list shows all of them.
func (i *Inventory) beforeMembers(ctx context.Context, labelID string) (reading call[*Members], done func(), err error) {
	for {
		i.writers.wait(labelID)
		place, err := i.api.Reserve(ctx, client.BucketConsole)
		if err != nil || i.writers.idle(labelID) {
			return i.readMembers(place), place.Release, err
		}
		place.Release()
	}
}

// RecordOwner records the owner of a private label that this run provisioned. The owner is its only member (§3.1), so
// that the cached list needs no API call.
func (i *Inventory) RecordOwner(labelID string, owner client.Member) {
	i.members.mu.Lock()
	defer i.members.mu.Unlock()
	i.members.put(labelID, NewMembers([]client.Member{owner}), &response[*Members]{})
}

// RecordMemberAdded adds a member to the cached list. So adding many members does not cost one call each.
func (i *Inventory) RecordMemberAdded(labelID string, member client.Member) {
	i.members.amend(labelID, func(last *Members) *Members { return NewMembers(append(last.without(member.ID), member)) })
}

// BeginMemberWrite is called before a call that adds or removes members of a private label, and the returned function
// after it; see BeginWrite. The list and the detail of the private label count its members, so they are invalidated,
// too.
func (i *Inventory) BeginMemberWrite(labelID string) (done func()) {
	writing := i.BeginWrite(labelID)
	end := i.writers.begin(labelID)
	i.members.invalidate(labelID)
	return func() {
		writing()
		i.members.invalidate(labelID)
		end()
	}
}

// writers counts the writes under way to the members of each private label.
type writers struct {
	mu    sync.Mutex
	ended sync.Cond // a write has ended
	count map[string]int
}

func newWriters() *writers {
	w := &writers{count: map[string]int{}}
	w.ended.L = &w.mu
	return w
}

func (w *writers) begin(labelID string) (end func()) {
	w.add(labelID, 1)
	return func() { w.add(labelID, -1) }
}

func (w *writers) add(labelID string, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count[labelID] += n
	w.ended.Broadcast()
}

// wait waits until no write is under way.
func (w *writers) wait(labelID string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.count[labelID] > 0 {
		w.ended.Wait()
	}
}

func (w *writers) idle(labelID string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.count[labelID] == 0
}
