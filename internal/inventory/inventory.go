// Package inventory caches what the reseller has. Each list is read once a run, shared by all readers, and invalidated
// by each write.
package inventory

import (
	"context"
	"strings"
	"sync"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// API is the part of the client that the inventory reads from.
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

// Inventory is safe for concurrent use. Each configured provider has its own.
type Inventory struct {
	api API

	labels  cache[*Snapshot] // by period
	absence cache[*Snapshot] // lists read to prove an absence
	details cache[*client.PrivateLabel]
	members cache[*Members] // by private label ID

	settledMembers cache[*Members] // reads that wait for writes to finish; nothing is stored

	assignments  cache[assignmentRead] // by private label ID
	packageReads *packageReads

	writers writers // writes in flight to the members of each private label

	packages, addons catalogCache

	mu      sync.Mutex
	last    newest[*Snapshot] // of the default period
	retired map[string]bool   // host names of deprovisioned private labels, lowercase

	own ownWrites

	lastMembers map[string]*Members // by private label ID, kept past writes
	hosts       map[string]string   // host name by private label ID, of every private label in any list of this run
}

// New returns an empty inventory and makes no API call.
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

// Snapshot is an index of one response of the list of private labels (Reseller API §4.8). It is shared and immutable.
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

// ByID returns the private label with an ID.
func (s *Snapshot) ByID(id string) (*client.PrivateLabelSummary, bool) {
	item, ok := s.byID[id]
	return item, ok
}

// ByHost returns the private label with a host name; case is ignored.
func (s *Snapshot) ByHost(host string) (*client.PrivateLabelSummary, bool) {
	item, ok := s.byHost[strings.ToLower(host)]
	return item, ok
}

// ByAnyHost returns the private label with a host name or custom domain; case is ignored.
func (s *Snapshot) ByAnyHost(host string) (*client.PrivateLabelSummary, bool) {
	if item, ok := s.ByHost(host); ok {
		return item, true
	}
	item, ok := s.custom[strings.ToLower(host)]
	return item, ok
}

// List returns the response, in the API's order.
func (s *Snapshot) List() *client.PrivateLabelList { return s.list }

// All returns all private labels in the API's order.
func (s *Snapshot) All() []client.PrivateLabelSummary { return s.list.PrivateLabels }

// ProvisionedCount returns the number of private labels that count against the allowance (§2.3).
func (s *Snapshot) ProvisionedCount() int64 { return int64(s.list.ProvisionedCount) }

// Period returns the period of the private labels' figures (§2.3).
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

// Labels returns the list for the current month. Its readers share one call until a write.
func (i *Inventory) Labels(ctx context.Context) (*Snapshot, error) { return i.labels.get(ctx, "") }

// RefreshLabels returns the list for the current month as read after this call began, which includes changes by other
// users. Later readers share it.
func (i *Inventory) RefreshLabels(ctx context.Context) (*Snapshot, error) {
	i.labels.invalidate()
	return i.Labels(ctx)
}

// LabelsOf returns the list with the figures of a period: "YYYY-MM", "lifetime", or "" for the current month.
func (i *Inventory) LabelsOf(ctx context.Context, period string) (*client.PrivateLabelList, error) {
	s, err := i.labels.get(ctx, period)
	if err != nil {
		return nil, err
	}
	return s.list, nil
}

// CachedLabels returns the newest list of this run, even if it is older than a write. It shows which private labels
// existed before, without one call for each that is provisioned.
func (i *Inventory) CachedLabels(ctx context.Context) (*Snapshot, error) {
	i.mu.Lock()
	last := i.last.value
	i.mu.Unlock()
	if last != nil {
		return last, nil
	}
	return i.Labels(ctx)
}

// Host returns the host name of a private label from any list of this run, without an API call. The private label may
// no longer exist.
func (i *Inventory) Host(id string) (string, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	host, ok := i.hosts[id]
	return host, ok
}

// SetHost records the host name of a private label that this run provisioned.
func (i *Inventory) SetHost(id, host string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.hosts[id] = host
}

// Label returns the detail of a private label (§4.10). Its readers share one call until a write.
func (i *Inventory) Label(ctx context.Context, id string) (*client.PrivateLabel, error) {
	return i.details.get(ctx, id)
}

// BeginWrite is called before a call that writes, and the returned function after it. Both invalidate the list and the
// details of these private labels, so that no response in flight during the write is stored.
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

// InvalidateReads drops every response, for a process that serves more than one walk. Records of this process's own
// writes remain.
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

// InvalidateLabel drops the detail of a private label that changed without a write of this run.
func (i *Inventory) InvalidateLabel(id string) {
	i.details.invalidate(id)
	i.assignments.invalidate(id)
}

// Slug returns the reseller's slug (§2.1).
func (i *Inventory) Slug(ctx context.Context) (string, error) { return i.api.Slug(ctx) }

// MarkDeprovisioned records that the private label of a host name no longer exists, so that the host name can never be
// provisioned again.
func (i *Inventory) MarkDeprovisioned(host string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.retired[strings.ToLower(host)] = true
	delete(i.own.labels, strings.ToLower(host))
}

// IsDeprovisioned reports whether MarkDeprovisioned recorded a host name in this run.
func (i *Inventory) IsDeprovisioned(host string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.retired[strings.ToLower(host)]
}

// LabelsOfAge returns the list for the current month, not older than age.
func (i *Inventory) LabelsOfAge(ctx context.Context, age Age) (*Snapshot, error) {
	switch age {
	case Cached:
		return i.CachedLabels(ctx)
	case Fresh:
		return i.RefreshLabels(ctx)
	default:
		return i.Labels(ctx)
	}
}
