package inventory

import (
	"context"
	"sync"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// Members returns the members of a private label. A list that is not Fresh is read once no write of this run to them is
// under way. So one call reads all members that were added concurrently.
func (i *Inventory) Members(ctx context.Context, labelID string, age Age) (*Members, error) {
	if age == Fresh {
		return i.members.getBy(ctx, labelID, age, atOnce(i.listNow))
	}
	return i.members.get(ctx, labelID, age)
}

func (i *Inventory) listNow(ctx context.Context, labelID string) (*Members, error) {
	list, err := i.api.ListMembers(ctx, labelID)
	if err != nil {
		return nil, err
	}
	return NewMembers(list), nil
}

// listMembers waits for the writes under way, then for a place of the rate limit, then for the writes that began in that
// time. One list shows all of them.
func (i *Inventory) listMembers(ctx context.Context, labelID string, send func()) (*Members, error) {
	for {
		if idle := i.writers.idle(labelID); idle != nil {
			<-idle
		}
		reserved, _, release, err := i.api.Reserve(ctx, client.BucketConsole)
		if err != nil {
			return nil, err
		}
		if i.writers.idle(labelID) == nil {
			send()
			return i.listReserved(reserved, labelID, release)
		}
		release()
	}
}

func (i *Inventory) listReserved(ctx context.Context, labelID string, release func()) (*Members, error) {
	defer release()
	return i.listNow(ctx, labelID)
}

// RecordOwner records the owner of a private label that this run provisioned. The owner is its only member (§3.1), so
// that the cached list needs no API call.
func (i *Inventory) RecordOwner(labelID string, owner client.Member) {
	i.members.mu.Lock()
	defer i.members.mu.Unlock()
	i.members.put(labelID, NewMembers([]client.Member{owner}), &response[*Members]{readers: map[reader]*reader{}})
}

// RecordMemberAdded adds a member to the cached list. So adding many members does not cost one call each.
func (i *Inventory) RecordMemberAdded(labelID string, member client.Member) {
	i.members.amend(labelID, func(last *Members) *Members { return NewMembers(append(last.without(member.ID), member)) })
}

// RecordMemberRemoved removes a member from the cached list.
func (i *Inventory) RecordMemberRemoved(labelID, userID string) {
	i.members.amend(labelID, func(last *Members) *Members { return NewMembers(last.without(userID)) })
}

// BeginMemberWrite is called before a call that adds or removes members of a private label, and the returned function
// after it; see BeginWrite. The list and the detail of the private label count its members, so they are invalidated,
// too.
func (i *Inventory) BeginMemberWrite(labelID string) (done func()) {
	writing, end := i.BeginWrite(labelID), i.writers.begin(labelID)
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
	under map[string]*underWay
}

type underWay struct {
	writes int
	ended  chan struct{} // closed when there is none
}

func (w *writers) begin(labelID string) (end func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.under[labelID] == nil {
		w.under[labelID] = &underWay{ended: make(chan struct{})}
	}
	u := w.under[labelID]
	u.writes++
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		u.writes--
		if u.writes == 0 {
			close(u.ended)
			delete(w.under, labelID)
		}
	}
}

// idle returns what is closed when no write is under way, nil if none is.
func (w *writers) idle(labelID string) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if u := w.under[labelID]; u != nil {
		return u.ended
	}
	return nil
}
