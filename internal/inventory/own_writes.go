package inventory

import (
	"maps"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// ownWrites records what this process created. The API confirmed each write, so a record overrides an older list until
// this process deletes the object.
type ownWrites struct {
	labels map[string]string                      // private label ID by host name, lowercase
	items  map[client.Kind]map[string]client.Item // by code, uppercase
	member map[string]int                         // count of writes to the members of a private label, by its ID
}

// RecordProvisioned records a private label that this process provisioned.
func (i *Inventory) RecordProvisioned(id, host string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.hosts[id] = host
	if i.own.labels == nil {
		i.own.labels = map[string]string{}
	}
	i.own.labels[strings.ToLower(host)] = id
}

// Provisioned returns the ID of the private label that this process provisioned under a host name and has not
// deprovisioned.
func (i *Inventory) Provisioned(host string) (id string, ok bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	id, ok = i.own.labels[strings.ToLower(host)]
	return id, ok
}

// RecordItem records a catalog item that this process created. CachedItems shows it from then on. first is false if this
// process created an item with this code before.
func (i *Inventory) RecordItem(k client.Kind, item client.Item) (first bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.own.items == nil {
		i.own.items = map[client.Kind]map[string]client.Item{}
	}
	if i.own.items[k] == nil {
		i.own.items[k] = map[string]client.Item{}
	}
	code := strings.ToUpper(item.Code)
	_, again := i.own.items[k][code]
	i.own.items[k][code] = item
	return !again
}

// withOwn returns a catalog with the items that this process created after it was read. The caller holds i.mu.
func (i *Inventory) withOwn(k client.Kind, c *Catalog) *Catalog {
	var missing []client.Item
	for _, code := range slices.Sorted(maps.Keys(i.own.items[k])) {
		if _, ok := c.ByCode(code); !ok {
			missing = append(missing, i.own.items[k][code])
		}
	}
	if missing == nil {
		return c
	}
	return newCatalog(slices.Concat(c.items, missing))
}

// RecordMemberAdded adds a member to the result of CachedMembers.
func (i *Inventory) RecordMemberAdded(tenantID string, member client.Member) {
	i.recordMembers(tenantID, func(list []client.Member) []client.Member { return append(without(list, member.ID), member) })
}

// RecordMemberRemoved removes a member from the result of CachedMembers.
func (i *Inventory) RecordMemberRemoved(tenantID, userID string) {
	i.recordMembers(tenantID, func(list []client.Member) []client.Member { return without(list, userID) })
}

func (i *Inventory) recordMembers(tenantID string, change func([]client.Member) []client.Member) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.own.member == nil {
		i.own.member = map[string]int{}
	}
	i.own.member[tenantID]++ // a list in flight may lack this write
	if last := i.lastMembers[tenantID]; last != nil {
		i.lastMembers[tenantID] = NewMembers(change(last.list))
	}
}

// without returns a copy of the list without one member.
func without(list []client.Member, userID string) []client.Member {
	return slices.DeleteFunc(slices.Clone(list), func(m client.Member) bool { return m.ID == userID })
}
