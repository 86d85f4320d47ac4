package simulator

import (
	"maps"
	"slices"
	"time"
)

// LabelView is one live private label of the first reseller in the books.
type LabelView struct {
	ID, Host, AppName string
	Owner             string // email address; empty for none
	Status            string
	SuspendedBy       string
	SuspendReason     string
	Attached          bool
	Verified          bool
	Package           string // code; empty for none
	Addons            []AddonView
	Allocated         map[string]float64 // by item code
	Members           int
	People            []PersonView      // members, the owner first
	Colors            map[string]string // by the API's field names; only those that were set
	CreatedAt         time.Time
}

// PersonView is a member of a private label.
type PersonView struct {
	ID, Email, FirstName, LastName string
	Role                           string // owner, admin or member
	Status                         string
}

// Labels lists the live private labels of the first reseller, in order of creation.
func (s *Simulator) Labels() []LabelView {
	return read(s, func(d *data) (out []LabelView) {
		r := d.Resellers[0]
		for _, l := range d.labelsOf(r.ID) {
			out = append(out, l.view(r))
		}
		return out
	})
}

func (l *label) view(r *reseller) LabelView {
	v := LabelView{
		ID:        l.ID,
		Host:      l.Host,
		AppName:   l.AppName,
		Status:    l.status().Status,
		Attached:  l.Domain.Attached,
		Verified:  l.Domain.Verified,
		Members:   len(l.Members),
		People:    make([]PersonView, 0, len(l.Members)),
		Colors:    maps.Clone(l.Colors),
		Allocated: r.allocated(l).byCode(),
		CreatedAt: time.UnixMilli(l.CreatedAt).UTC(),
	}
	for _, m := range l.ownerFirst() {
		v.People = append(v.People, PersonView{m.ID, m.Email, m.FirstName, m.LastName, m.Role, m.Status})
	}
	if o := l.owner(); o != nil {
		v.Owner = o.Email
	}
	v.SuspendedBy, v.SuspendReason = l.suspendedBy()
	if a := r.assignmentOf(l); a != nil {
		v.Package = a.PackageCode
		for _, at := range a.Addons {
			v.Addons = append(v.Addons, AddonView{at.SubscriptionAddonID, at.AddonID, at.Code, at.Quantity})
		}
	}
	return v
}

// suspendedBy returns empty texts for none.
func (l *label) suspendedBy() (by, reason string) {
	if sus := l.Suspension; sus != nil {
		by = sus.By
		if sus.Reason != nil {
			reason = *sus.Reason
		}
	}
	return by, reason
}

// Tokens lists the access tokens that are valid.
func (s *Simulator) Tokens() []string {
	return read(s, func(d *data) []string { return slices.Collect(maps.Keys(d.Tokens)) })
}
