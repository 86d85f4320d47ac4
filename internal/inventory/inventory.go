// Package inventory caches what the reseller has: lists that are read once a run, shared by all readers, and invalidated
// by each write.
package inventory

import (
	"context"
	"errors"
	"sync"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// API is the part of the client that the inventory reads from.
type API interface {
	client.Reads
	Slug(ctx context.Context) (string, error)
	ListPrivateLabels(ctx context.Context, period string) (*client.PrivateLabelList, error)
	SearchItems(ctx context.Context, k client.Kind, query string) ([]client.Item, error)
	GetItem(ctx context.Context, k client.Kind, id string) (*client.Item, error)
	Patience() transport.Patience
	Reserve(ctx context.Context, buckets ...client.Bucket) (client.Place, error)
}

// Inventory is safe for concurrent use. Each configured provider has its own, of which each request about an object has
// a view: see ReadIn.
type Inventory struct {
	*responses
	walk int // 0 for a request without an object
}

// responses are what all readers share.
type responses struct {
	api API

	labels    *cache[*Snapshot]            // by period
	absence   *cache[*Snapshot]            // lists that prove an absence
	proofs    *cache[detailProof]          // details of private labels that a list lacks, by ID
	details   *cache[*client.PrivateLabel] // by private label ID, as the following two
	members   *cache[*Members]
	byPackage *cache[*client.Assignment] // package reads; nil where the detail was read instead

	unshown    *unshown
	newLabels  *awaited[*Snapshot]
	newDetails *awaited[*client.PrivateLabel]
	newMembers *awaited[*Members]

	catalogs     map[client.Kind]*catalog
	packageReads *probe
	writers      *writers // to the members of each private label
	light        bool
	hosts        sync.Map // host name by private label ID, of every private label in any list of this run
}

// New returns an empty inventory and makes no API call.
func New(api API) *Inventory {
	made := newUnshown()
	i := &Inventory{responses: &responses{
		api: api, packageReads: newProbe(), writers: newWriters(),
		unshown:    made,
		newLabels:  newAwaited[*Snapshot](api, made),
		newDetails: newAwaited[*client.PrivateLabel](api, made),
		newMembers: newAwaited[*Members](api, made),
	}}
	i.labels = newCache(i.newLabels.reading(i.listLabels))
	i.absence = newCache[*Snapshot](nil) // the call depends on the reader
	i.proofs = newCache(i.readProof)
	i.details = newCache(i.newDetails.reading(api.GetPrivateLabel))
	i.members = newCache(i.readMembers(api))
	i.members.before = i.beforeMembers
	i.byPackage = newCache[*client.Assignment](nil) // the call depends on the reader
	i.catalogs = map[client.Kind]*catalog{client.KindPackage: newItems(api, client.KindPackage), client.KindAddon: newItems(api, client.KindAddon)}
	return i
}

// Slug returns the reseller's slug (§2.1).
func (i *Inventory) Slug(ctx context.Context) (string, error) {
	return i.api.Slug(ctx)
}

func (i *Inventory) listLabels(ctx context.Context, period string) (*Snapshot, error) {
	list, err := i.api.ListPrivateLabels(ctx, period)
	if err != nil {
		return nil, err
	}
	for _, item := range list.PrivateLabels {
		i.SetHost(item.TenantID, item.Host())
	}
	return newSnapshot(list), nil
}

// IsContradictory reports whether err is a list that proves nothing about what it lacks.
func IsContradictory(err error) bool {
	return errors.As(err, new(*client.ContradictoryError))
}

// Labels returns the list for the current month.
func (i *Inventory) Labels(ctx context.Context, freshness Freshness) (*Snapshot, error) {
	return i.labels.get(ctx, i.walk, "", freshness)
}

// LabelsOf returns the list with the figures of a period: "YYYY-MM", "lifetime", or "" for the current month.
func (i *Inventory) LabelsOf(ctx context.Context, period string) (*Snapshot, error) {
	return i.labels.get(ctx, i.walk, period, Current)
}

// Label returns the detail of a private label (§4.10).
func (i *Inventory) Label(ctx context.Context, id string, freshness Freshness) (*client.PrivateLabel, error) {
	label, err := i.details.get(ctx, i.walk, id, freshness)
	return label, i.late(id, err)
}

// Host returns the host name of a private label from any list of this run, without an API call. The private label may
// no longer exist.
func (i *Inventory) Host(id string) (string, bool) {
	host, _ := i.hosts.Load(id)
	name, ok := host.(string)
	return name, ok
}

// LabelNamed returns the ID of the private label with a host name or custom domain, "" unless a list of private labels that
// is current has it. It makes no API call.
func (i *Inventory) LabelNamed(host string) string {
	labels, ok := i.labels.current("")
	if !ok {
		return ""
	}
	label, ok := labels.ByHost(host)
	if !ok {
		return ""
	}
	return label.TenantID
}

// SetHost records the host name of a private label.
func (i *Inventory) SetHost(id, host string) {
	i.hosts.Store(id, host)
}

// RecordProvisioned adds a private label that this run provisioned to the cached list.
func (i *Inventory) RecordProvisioned(id, host string) {
	i.SetHost(id, host)
	i.expectLabel(id)
	i.labels.amend("", func(last *Snapshot) *Snapshot {
		list := *last.List
		list.PrivateLabels = append(last.without(id), client.PrivateLabelSummary{
			TenantID: id, PrimaryHost: host, AssignedPackage: anyjson.Given[client.AssignedPackage](nil), // none yet
		})
		return newSnapshot(&list)
	})
}

// BeginWrite is called before a call that writes, and the returned function after it. Both invalidate the list and what
// was read of these private labels, so that no response under way during the write is stored.
func (i *Inventory) BeginWrite(ids ...string) (done func()) {
	return invalidating(func() {
		i.labels.invalidate()
		i.absence.invalidate()
		i.proofs.invalidate()
		if len(ids) > 0 {
			i.details.invalidate(ids...)
			i.byPackage.invalidate(ids...)
		}
	})
}

func invalidating(invalidate func()) (done func()) {
	invalidate()
	return invalidate
}
