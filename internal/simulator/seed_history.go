package simulator

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"
)

// pastCall is a call before a seeded simulator started.
type pastCall struct {
	at      time.Time
	method  string
	pattern string // of its route
	path    string
	body    map[string]any
	happen  func() // emails and books
}

// SeedHistory records the calls that would have created what a seeded reseller has, with their emails. They are oldest
// first and before everything in the journal. For the same number of private labels they are the same, except for IDs,
// slug and times.
func (s *Simulator) SeedHistory() error {
	return s.change(func(d *data) error {
		r := d.Resellers[0]
		calls := slices.Concat(s.catalogHistory(r), s.labelHistory(d, r))
		slices.SortStableFunc(calls, func(a, b *pastCall) int { return a.at.Compare(b.at) })
		later := s.store.live.Journal
		s.store.live.Journal = nil
		s.calling = true // they are no out-of-band changes
		defer func() { s.calling = false }()
		for _, c := range calls {
			if c.happen != nil {
				c.happen()
			}
			s.store.live.note(d.past(c, r))
		}
		s.store.live.Journal = append(s.store.live.Journal, later...)
		s.store.live.size = sizeOf(s.store.live.Journal)
		return nil
	})
}

// past is the journal's entry of a call.
func (d *data) past(c *pastCall, r *reseller) Call {
	var body json.RawMessage
	if raw, err := json.Marshal(c.body); err == nil && c.body != nil {
		body = raw
	}
	return Call{
		Time: c.at, Method: c.method, Path: strings.Replace(c.path, ":slug", r.Slug, 1), Route: c.method + " " + c.pattern,
		Body: body, Status: http.StatusOK, KeyID: d.Keys[0].ID,
	}
}

func (s *Simulator) catalogHistory(r *reseller) []*pastCall {
	var out []*pastCall
	for _, k := range []*kind{packages, addons} {
		for _, i := range *k.itemsOf(r) {
			at := time.UnixMilli(i.CreatedAt).UTC()
			pattern := ofReseller + "/billing/" + k.plural
			out = append(out, &pastCall{
				at: at, method: http.MethodPost, pattern: pattern, path: pattern,
				body:   map[string]any{"code": i.Code, "name": i.Name, "currency": i.Currency, "included": i.Included},
				happen: func() { s.book(Entry{Kind: EntryCodeCreated, Item: k.singular, Code: i.Code}, at) },
			})
			if !i.Active { // after it was assigned
				now := s.clock.Now()
				out = append(out, &pastCall{
					at: now, method: http.MethodPost, pattern: pattern + "/update", path: pattern + "/update", body: map[string]any{k.idField: i.ID, "active": false},
					happen: func() { s.book(Entry{Kind: EntryItemDeactivated, Item: k.singular, Code: i.Code}, now) },
				})
			}
		}
	}
	return out
}

func (s *Simulator) labelHistory(d *data, r *reseller) []*pastCall {
	var out []*pastCall
	for _, l := range d.labelsOf(r.ID) {
		at := time.UnixMilli(l.CreatedAt).UTC()
		base := strings.Replace(ofLabel, ":tenantId", l.ID, 1)
		if owner := l.owner(); owner != nil {
			pattern := ofReseller + "/private-labels"
			out = append(out, &pastCall{
				at: at, method: http.MethodPost, pattern: pattern, path: pattern,
				body: map[string]any{"owner": personOf(owner), "config": map[string]any{"domain": l.Host, "appName": l.AppName}},
				happen: func() {
					s.book(Entry{Kind: EntryHostBound, Host: l.Host}, at)
					s.invite(l, owner, at)
				},
			})
		}
		out = append(out, s.assignmentHistory(r, l, base)...)
		for _, m := range slices.Concat(l.Former, l.Members) {
			if m.Role == roleMember {
				joined := time.UnixMilli(m.CreatedAt).UTC()
				out = append(out, &pastCall{
					at: joined, method: http.MethodPost, pattern: ofLabel + "/users", path: base + "/users", body: personOf(m),
					happen: func() { s.invite(l, m, joined) },
				})
			}
		}
		for _, m := range l.Former {
			left := time.UnixMilli(m.CreatedAt).UTC().Add(formerStay)
			out = append(out, &pastCall{
				at: left, method: http.MethodDelete, pattern: ofLabel + "/users/:userId", path: base + "/users/" + m.ID,
				happen: func() { s.book(Entry{Kind: EntryMemberRemoved, Host: l.Host, Person: m.Email}, left) },
			})
		}
	}
	return out
}

// formerStay is how long a former member of a seeded private label had a seat.
const formerStay = 12 * time.Hour

func personOf(m *member) map[string]any {
	return map[string]any{"email": m.Email, "firstName": m.FirstName, "lastName": m.LastName}
}

func (s *Simulator) assignmentHistory(r *reseller, l *label, base string) []*pastCall {
	if l.Assignment == nil {
		return nil
	}
	at, pkg := time.UnixMilli(l.Assignment.AssignedAt).UTC(), r.pkg(l.Assignment.PackageID)
	out := []*pastCall{{
		at: at, method: http.MethodPost, pattern: ofLabel + "/package", path: base + "/package", body: map[string]any{"packageId": pkg.ID},
		happen: func() { s.bookItem(packages, l, pkg, 1, nil, at) },
	}}
	for _, a := range l.Assignment.Addons {
		addon := r.addon(a.AddonID)
		out = append(out, &pastCall{
			at: at, method: http.MethodPost, pattern: ofLabel + "/package/addons", path: base + "/package/addons",
			body:   map[string]any{"addonId": addon.ID, "quantity": a.Quantity},
			happen: func() { s.bookItem(addons, l, addon, a.Quantity, nil, at) },
		})
	}
	return out
}
