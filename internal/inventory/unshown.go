package inventory

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// lateFor is how long reads may lack a private label that was just created, or another object that this run has made and
// that no read has shown yet.
const lateFor = 10 * time.Minute

// object is what a write of this run has made; the zero value is none.
type object struct{ kind, id string }

func labelObject(id string) object {
	return object{"private label", id}
}

func assignmentObject(labelID string) object {
	return object{"assignment", labelID}
}

func memberObject(labelID, userID string) object {
	return object{"member", labelID + "/" + userID}
}

// unshown are the objects that this run has made, with the time, until a read shows them.
type unshown struct {
	mu sync.Mutex
	at map[object]time.Time
}

func newUnshown() *unshown {
	return &unshown{at: map[object]time.Time{}}
}

func (u *unshown) add(o object, at time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.at[o] = at
}

func (u *unshown) remove(o object) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.at, o)
}

// has reports whether an object was made after a time and was not shown since.
func (u *unshown) has(o object, after time.Time) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	at, unshown := u.at[o]
	return unshown && at.After(after)
}

// isUnshown reports whether this run has made an object lately that no read has shown yet.
func (i *Inventory) isUnshown(o object) bool {
	return i.unshown.has(o, i.now().Add(-lateFor))
}

// IsUnshownLabel reports whether this run has provisioned a private label that no read has shown yet, however long ago.
func (i *Inventory) IsUnshownLabel(id string) bool {
	return i.unshown.has(labelObject(id), time.Time{})
}

// late marks the rejection of a read of a private label that this run has provisioned and that no read has shown yet.
func (i *Inventory) late(id string, err error) error {
	e, answered := errors.AsType[*transport.Error](err)
	if !answered || !client.MayBeGone(err) || !i.IsUnshownLabel(id) {
		return err
	}
	marked := *e
	marked.NotShown = true
	return &marked
}

// isUnshownHost reports whether a host name is that of a private label that no read has shown yet, of this run or another one.
func (i *Inventory) isUnshownHost(host string) (found bool) {
	i.hosts.Range(func(id, name any) bool {
		label, _ := id.(string)
		named, _ := name.(string)
		found = strings.EqualFold(named, host) && (i.IsUnshownLabel(label) || i.isUnshown(newLabelObject(label)))
		return !found
	})
	return found
}

func (i *Inventory) now() time.Time {
	return i.api.Patience().Clock.Now()
}

// awaited are the writes of this run that the reads of a key have to show.
type awaited[V any] struct {
	api     API
	unshown *unshown

	mu     sync.Mutex
	writes map[string][]write[V]
}

// write is one that a read may not show yet.
type write[V any] struct {
	made  object
	until time.Time // reads that do not show it are made again until then
	shows func(V, error) bool
}

func newAwaited[V any](api API, u *unshown) *awaited[V] {
	return &awaited[V]{api: api, unshown: u, writes: map[string][]write[V]{}}
}

// expect makes the reads of a key wait for what a write has made. It replaces an earlier write of the same object.
func (a *awaited[V]) expect(key string, made object, shows func(V, error) bool) {
	patience := a.api.Patience()
	a.forget(key, made)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.writes[key] = append(a.writes[key], write[V]{made, patience.Clock.Now().Add(patience.Limit()), shows})
}

// forget ends the wait for an object.
func (a *awaited[V]) forget(key string, made object) {
	a.keep(key, func(w write[V]) bool { return w.made != made })
}

func (a *awaited[V]) keep(key string, wanted func(write[V]) bool) (kept []write[V]) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, w := range a.writes[key] {
		if wanted(w) {
			kept = append(kept, w)
		}
	}
	a.writes[key] = kept
	return kept
}

// reading makes a read again, with growing pauses, as long as it lacks a write that it must show soon.
func (a *awaited[V]) reading(read call[V]) call[V] {
	return func(ctx context.Context, key string) (V, error) {
		var wait func(context.Context) (bool, error)
		for {
			value, err := read(ctx, key)
			left := a.lacking(key, value, err)
			if left <= 0 {
				return value, err
			}
			if wait == nil {
				wait = transport.Patience{Clock: a.api.Patience().Clock, MaxWait: left}.Pauses()
			}
			if more, stopped := wait(ctx); !more || stopped != nil {
				return value, err
			}
		}
	}
}

// lacking returns how long a read must be made again, for the writes that it does not show.
func (a *awaited[V]) lacking(key string, value V, err error) (left time.Duration) {
	now := a.api.Patience().Clock.Now()
	for _, w := range a.keep(key, func(w write[V]) bool {
		shown := w.shows(value, err)
		if shown {
			a.unshown.remove(w.made)
		}
		return !shown
	}) {
		left = max(left, w.until.Sub(now))
	}
	return left
}

// answers reports whether a read of a private label is not rejected as one of none.
func answers[V any](_ V, err error) bool {
	return !client.MayBeGone(err)
}

// expectLabel waits for a private label that this run has provisioned.
func (i *Inventory) expectLabel(id string) {
	i.unshown.add(labelObject(id), i.now())
	i.newLabels.expect("", labelObject(id), func(labels *Snapshot, err error) bool { return err == nil && labels.byID[id] != nil })
	i.newDetails.expect(id, labelObject(id), answers)
	i.newMembers.expect(id, object{}, answers)
}

// ExpectAssignment waits for the assignment that this run has given a private label. shows reports whether one is it.
func (i *Inventory) ExpectAssignment(labelID string, shows func(*client.Assignment) bool) {
	made := assignmentObject(labelID)
	i.unshown.add(made, i.now())
	i.newDetails.expect(labelID, made, func(label *client.PrivateLabel, err error) bool {
		return err == nil && (shows(label.Assignment.Value) || !label.Assignment.IsGiven) || err != nil && !client.MayBeGone(err)
	})
}

// AssignmentShown ends the wait for an assignment that a read has shown, or that this run removes.
func (i *Inventory) AssignmentShown(labelID string) {
	i.unshown.remove(assignmentObject(labelID))
	i.newDetails.forget(labelID, assignmentObject(labelID))
}

// ExpectMember waits for a member whom this run has added.
func (i *Inventory) ExpectMember(labelID, userID string) {
	made := memberObject(labelID, userID)
	i.unshown.add(made, i.now())
	i.newMembers.expect(labelID, made, func(members *Members, err error) bool {
		return err == nil && members.byID[userID] != nil || err != nil && !client.MayBeGone(err)
	})
}

// ForgetMember ends the wait for a member whom this run removes.
func (i *Inventory) ForgetMember(labelID, userID string) {
	i.unshown.remove(memberObject(labelID, userID))
	i.newMembers.forget(labelID, memberObject(labelID, userID))
}
