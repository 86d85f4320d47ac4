package inventory

import (
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// index finds the rows of one list by ID and by name. It is shared and immutable.
type index[T any] struct {
	list   []T
	byID   map[string]*T
	byName map[string]*T
	fold   func(name string) string
	names  func(*T) (id, name string)
}

func newIndex[T any](list []T, fold func(string) string, names func(*T) (id, name string)) index[T] {
	x := index[T]{list, make(map[string]*T, len(list)), make(map[string]*T, len(list)), fold, names}
	for i := range list {
		id, name := names(&list[i])
		x.byID[id] = &list[i]
		if name != "" {
			x.byName[fold(name)] = &list[i]
		}
	}
	return x
}

// All returns all rows in the API's order.
func (x index[T]) All() []T {
	return x.list
}

// ByID returns the row with an ID.
func (x index[T]) ByID(id string) (*T, bool) {
	row, ok := x.byID[id]
	return row, ok
}

func (x index[T]) find(name string) (*T, bool) {
	row, ok := x.byName[x.fold(name)]
	return row, ok
}

// without returns a copy of the rows that lacks one.
func (x index[T]) without(id string) []T {
	return slices.DeleteFunc(slices.Clone(x.list), func(row T) bool {
		name, _ := x.names(&row)
		return name == id
	})
}

// Snapshot is an index of one response of the list of private labels (Reseller API §4.8).
type Snapshot struct {
	index[client.PrivateLabelSummary]

	List   *client.PrivateLabelList               // the response
	custom map[string]*client.PrivateLabelSummary // by custom domain
}

func newSnapshot(list *client.PrivateLabelList) *Snapshot {
	s := &Snapshot{List: list, custom: map[string]*client.PrivateLabelSummary{}}
	s.index = newIndex(list.PrivateLabels, client.FoldHost, func(l *client.PrivateLabelSummary) (id, name string) { return l.TenantID, l.PrimaryHost })
	for i, item := range list.PrivateLabels {
		if item.CustomDomain != nil {
			s.custom[client.FoldHost(*item.CustomDomain)] = &list.PrivateLabels[i]
		}
	}
	return s
}

// ByHost returns the private label with a host name or custom domain; case and a final dot are ignored.
func (s *Snapshot) ByHost(host string) (*client.PrivateLabelSummary, bool) {
	if item, ok := s.find(host); ok {
		return item, true
	}
	item, ok := s.custom[client.FoldHost(host)]
	return item, ok
}

// Members is an index of all members of a private label (Reseller API §4.17), the owner first.
type Members struct{ index[client.Member] }

// NewMembers returns the index of a list.
func NewMembers(list []client.Member) *Members {
	return &Members{newIndex(list, client.FoldEmail, func(m *client.Member) (id, name string) { return m.ID, m.Email })}
}

// ByEmail returns the member with an email address, compared as client.FoldEmail does.
func (m *Members) ByEmail(email string) (*client.Member, bool) {
	return m.find(email)
}

// Catalog is an index of all packages or all add-ons of the reseller (Reseller API §4.21).
type Catalog struct{ index[client.Item] }

func newCatalog(items []client.Item) *Catalog {
	return &Catalog{newIndex(items, strings.ToUpper, func(i *client.Item) (id, name string) { return i.ID, i.Code })}
}

// ByCode returns the item with a code; case is ignored (§2.1).
func (c *Catalog) ByCode(code string) (*client.Item, bool) {
	return c.find(code)
}
