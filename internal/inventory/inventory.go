// Package inventory knows what the reseller has. It is read once a run, with one
// list for many readers, and invalidated by each write.
package inventory

import (
	"context"
	"strings"
	"sync"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// API is what the inventory reads.
type API interface {
	Slug(ctx context.Context) (string, error)
	ListPrivateLabels(ctx context.Context, period string) (*client.PrivateLabelList, error)
	GetPrivateLabel(ctx context.Context, tenantID string) (*client.PrivateLabel, error)
	GetAssignment(ctx context.Context, tenantID string) (*client.Assignment, error)
	ListMembers(ctx context.Context, tenantID string) ([]client.Member, error)
	SearchItems(ctx context.Context, k client.Kind, query string) ([]client.Item, error)
	GetItem(ctx context.Context, k client.Kind, id string) (*client.Item, error)
	Reserve(ctx context.Context, buckets ...client.Bucket) (reserved context.Context, bucket client.Bucket, release func(), err error)
}

// Inventory is safe for concurrent use. One belongs to one configured provider.
type Inventory struct {
	api API

	labels  cache[*Snapshot] // by period
	absence cache[*Snapshot] // a list read to prove an absence
	details cache[*client.PrivateLabel]
	members cache[*Members] // by tenant id

	settledMembers cache[*Members] // of members, those who wait for writes; keeps none

	assignments  cache[assignmentRead] // by tenant id
	packageReads *packageReads

	writers writers // to a label's members

	packages, addons catalogCache

	mu      sync.Mutex
	last    newest[*Snapshot] // of the default period
	retired map[string]bool   // hosts whose label is gone, lower case

	own ownWrites

	lastMembers map[string]*Members // by tenant id, kept past writes
	hosts       map[string]string   // of every label that a list showed, by tenant ID
}

// New returns an empty inventory. It makes no call.
func New(api API) *Inventory {
	i := &Inventory{api: api, retired: map[string]bool{}, hosts: map[string]string{}, packageReads: newPackageReads()}
	i.labels.read = i.list
	i.absence.read = func(ctx context.Context, _ string) (*Snapshot, error) { return i.RefreshLabels(ctx) }
	i.details.read = api.GetPrivateLabel
	i.members.read = i.listMembers
	i.settledMembers.read = i.listSettled
	for _, k := range []client.Kind{client.KindPackage, client.KindAddon} {
		i.kind(k).list.read = i.searchAll(k)
		i.kind(k).whole.read = i.readAlone(k)
		i.kind(k).probe = make(chan struct{}, 1)
	}
	return i
}

// Snapshot is one response of the list of labels (§4.8), indexed. It is shared:
// nothing in it may be changed.
type Snapshot struct {
	list   *client.PrivateLabelList
	byID   map[string]*client.PrivateLabelSummary
	byHost map[string]*client.PrivateLabelSummary
	custom map[string]*client.PrivateLabelSummary // by custom domain
}

func newSnapshot(list *client.PrivateLabelList) *Snapshot {
	s := &Snapshot{
		list:   list,
		byID:   make(map[string]*client.PrivateLabelSummary, len(list.PrivateLabels)),
		byHost: make(map[string]*client.PrivateLabelSummary, len(list.PrivateLabels)),
		custom: map[string]*client.PrivateLabelSummary{},
	}
	for i := range list.PrivateLabels {
		item := &list.PrivateLabels[i]
		s.byID[item.TenantID] = item
		s.byHost[strings.ToLower(item.PrimaryHost)] = item
		if item.CustomDomain != nil {
			s.custom[strings.ToLower(*item.CustomDomain)] = item
		}
	}
	return s
}

// ByID finds a label by its private label ID.
func (s *Snapshot) ByID(id string) (*client.PrivateLabelSummary, bool) {
	item, ok := s.byID[id]
	return item, ok
}

// ByHost finds a label by its host, without case.
func (s *Snapshot) ByHost(host string) (*client.PrivateLabelSummary, bool) {
	item, ok := s.byHost[strings.ToLower(host)]
	return item, ok
}

// ByAnyHost finds a label by its host or its custom domain, without case.
func (s *Snapshot) ByAnyHost(host string) (*client.PrivateLabelSummary, bool) {
	if item, ok := s.ByHost(host); ok {
		return item, true
	}
	item, ok := s.custom[strings.ToLower(host)]
	return item, ok
}

// List is the response itself, in the API's order.
func (s *Snapshot) List() *client.PrivateLabelList { return s.list }

// All labels in the API's order.
func (s *Snapshot) All() []client.PrivateLabelSummary { return s.list.PrivateLabels }

// ProvisionedCount is how many labels count against the allowance (§2.3).
func (s *Snapshot) ProvisionedCount() int64 { return int64(s.list.ProvisionedCount) }

// Period is the one whose figures the labels carry (§2.3).
func (s *Snapshot) Period() string { return s.list.Period }

func (i *Inventory) list(ctx context.Context, period string) (*Snapshot, error) {
	i.mu.Lock()
	no := i.last.begin()
	i.mu.Unlock()
	list, err := i.api.ListPrivateLabels(ctx, period)
	if err != nil {
		return nil, err
	}
	s := newSnapshot(list)
	i.mu.Lock()
	defer i.mu.Unlock()
	for id, item := range s.byID {
		i.hosts[id] = item.PrimaryHost
	}
	if period == "" {
		i.last.store(no, s)
	}
	return s, nil
}

// Labels is the list of the current month. Its readers share one call until a write.
func (i *Inventory) Labels(ctx context.Context) (*Snapshot, error) { return i.labels.get(ctx, "") }

// RefreshLabels is the list of the current month read after the call began, which
// all readers then share: for what a write of another user may have changed.
func (i *Inventory) RefreshLabels(ctx context.Context) (*Snapshot, error) {
	i.labels.invalidate()
	return i.Labels(ctx)
}

// LabelsOf is the list with the figures of a period (`YYYY-MM`, `lifetime`, ""
// for the current month).
func (i *Inventory) LabelsOf(ctx context.Context, period string) (*client.PrivateLabelList, error) {
	s, err := i.labels.get(ctx, period)
	if err != nil {
		return nil, err
	}
	return s.list, nil
}

// CachedLabels is the newest list of this run, also after a write of this run. It
// shows which labels were there before, without a call for each label that is
// provisioned.
func (i *Inventory) CachedLabels(ctx context.Context) (*Snapshot, error) {
	i.mu.Lock()
	last := i.last.value
	i.mu.Unlock()
	if last != nil {
		return last, nil
	}
	return i.Labels(ctx)
}

// Host returns the host of a label that a list of this run showed, without a call.
// The label may no longer exist.
func (i *Inventory) Host(id string) (string, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	host, ok := i.hosts[id]
	return host, ok
}

// SetHost records the host of a label that this run provisioned.
func (i *Inventory) SetHost(id, host string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.hosts[id] = host
}

// Label is the detail of a label (§4.10). Its readers share one call until a write.
func (i *Inventory) Label(ctx context.Context, id string) (*client.PrivateLabel, error) {
	return i.details.get(ctx, id)
}

// BeginWrite is called before a call that writes, and the function that it returns
// after it. Each invalidates the list and the details of these labels, so that no
// response is kept that was in flight meanwhile.
func (i *Inventory) BeginWrite(ids ...string) (done func()) {
	invalidate := func() {
		i.labels.invalidate()
		i.absence.invalidate()
		if len(ids) > 0 {
			i.details.invalidate(ids...)
			i.assignments.invalidate(ids...)
		}
	}
	invalidate()
	return invalidate
}

// InvalidateReads drops every response, for a process that outlives the walk which asked. What this process created stays
// recorded.
func (i *Inventory) InvalidateReads() {
	i.mu.Lock()
	i.last.value, i.packages.last.value, i.addons.last.value = nil, nil, nil
	clear(i.lastMembers)
	i.mu.Unlock()
	i.labels.invalidate()
	i.absence.invalidate()
	i.details.invalidate()
	i.assignments.invalidate()
	i.packageReads.forget()
	i.members.invalidate()
	for _, kind := range []*catalogCache{&i.packages, &i.addons} {
		kind.list.invalidate()
		kind.whole.invalidate()
	}
}

// InvalidateLabel drops the detail of a label that changed without a write of this run.
func (i *Inventory) InvalidateLabel(id string) {
	i.details.invalidate(id)
	i.assignments.invalidate(id)
}

// Slug is the reseller's (§2.1).
func (i *Inventory) Slug(ctx context.Context) (string, error) { return i.api.Slug(ctx) }

// MarkDeprovisioned records that the label of a host no longer exists: the host can
// never be provisioned again.
func (i *Inventory) MarkDeprovisioned(host string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.retired[strings.ToLower(host)] = true
	delete(i.own.labels, strings.ToLower(host))
}

// IsDeprovisioned reports whether a host was retired in this run.
func (i *Inventory) IsDeprovisioned(host string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.retired[strings.ToLower(host)]
}
