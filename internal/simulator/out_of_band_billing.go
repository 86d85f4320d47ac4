package simulator

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Changes to billing without a call of the reseller's API keys.

// AddAddon creates an add-on of the first reseller, like AddPackage.
func (s *Simulator) AddAddon(code string, included map[string]float64, active bool) (id string, err error) {
	return s.addItem(addons, code, included, active)
}

// UseDocuments makes users of a private label send documents in this period.
func (s *Simulator) UseDocuments(host string, n float64) error {
	return s.onLabel(host, func(l *label) { l.Documents = counting(l.Documents, periodOf(s.clock.Now()), n) })
}

// Notarize records notarizations of a private label on chain in this period.
func (s *Simulator) Notarize(host string, n float64) error {
	return s.onLabel(host, func(l *label) { l.Notarized = counting(l.Notarized, periodOf(s.clock.Now()), n) })
}

func counting(counts map[string]float64, period string, n float64) map[string]float64 {
	if counts == nil {
		counts = map[string]float64{}
	}
	counts[period] += n
	return counts
}

// WritePoints writes a row of a private label's points ledger: above 0 was used, below 0 was returned.
func (s *Simulator) WritePoints(host, itemCode string, amount float64) error {
	return s.updateLabel(host, func(d *data, l *label) error {
		if !slices.Contains(itemCodes, itemCode) {
			return fmt.Errorf("%s is not an item code", itemCode)
		}
		l.Points = append(l.Points, &pointsRow{ID: d.newID("points"), ItemCode: itemCode, Amount: amount, CreatedAt: millis(s.clock.Now())})
		return nil
	})
}

// SetPointsPool grants the first reseller a points pool.
func (s *Simulator) SetPointsPool(points float64) error {
	return s.change(func(d *data) error { d.Resellers[0].PointsPool = points; return nil })
}

// RemovePackageInConsole removes the package and its add-ons from a private label as a user of the reseller does.
func (s *Simulator) RemovePackageInConsole(host string) error {
	return s.onLabel(host, func(l *label) { s.unassign(l, s.clock.Now()) })
}

// AssignInConsole replaces the package and add-ons of a private label, by ID and quantity, regardless of the allowance.
func (s *Simulator) AssignInConsole(host, packageID string, addons map[string]float64) error {
	return s.updateLabel(host, func(d *data, l *label) error {
		s.unassign(l, s.clock.Now())
		r := d.Resellers[0]
		now := s.clock.Now()
		l.Assignment = &assignment{ID: d.newID("assignment"), PackageID: packageID, AssignedAt: millis(now)}
		if p := r.pkg(packageID); p != nil {
			s.bookItem(packages, l, p, 1, nil, now)
		}
		for _, a := range r.Addons {
			if quantity, ok := addons[a.ID]; ok {
				s.attach(l, a, quantity, now)
			}
		}
		return nil
	})
}

func (s *Simulator) attach(l *label, a *item, quantity float64, now time.Time) {
	l.Assignment.Addons = append(l.Assignment.Addons, &attached{ID: s.store.data.newID("attached"), AddonID: a.ID, Quantity: quantity})
	s.bookItem(addons, l, a, quantity, nil, now)
}

// AttachInConsole attaches another add-on to a private label with a package, by ID, regardless of the allowance. An
// add-on that is already attached is an error.
func (s *Simulator) AttachInConsole(host, addonID string, quantity float64) error {
	return s.updateLabel(host, func(d *data, l *label) error {
		a := d.Resellers[0].addon(addonID)
		switch {
		case a == nil:
			return fmt.Errorf("no add-on has the ID %s", addonID)
		case l.Assignment == nil:
			return fmt.Errorf("%s has no package", host)
		case slices.ContainsFunc(l.Assignment.Addons, func(at *attached) bool { return at.AddonID == addonID }):
			return fmt.Errorf("%s already has the add-on %s", host, a.Code)
		}
		s.attach(l, a, quantity, s.clock.Now())
		return nil
	})
}

// DetachInConsole detaches an add-on from a private label, by ID. One that is not attached is an error.
func (s *Simulator) DetachInConsole(host, addonID string) error {
	return s.updateLabel(host, func(_ *data, l *label) error {
		i := l.Assignment.find(func(at *attached) bool { return at.AddonID == addonID })
		if i < 0 {
			return fmt.Errorf("%s does not have this add-on", host)
		}
		s.detach(l, i, s.clock.Now())
		return nil
	})
}

// SetPackageActive activates or deactivates a package of the first reseller, by ID.
func (s *Simulator) SetPackageActive(id string, active bool) error {
	return s.changeItem(packages, id, func(i *item) { i.Active = active })
}

// SetAddonActive activates or deactivates an add-on of the first reseller, by ID.
func (s *Simulator) SetAddonActive(id string, active bool) error {
	return s.changeItem(addons, id, func(i *item) { i.Active = active })
}

// SetPackageIncluded changes what a package of the first reseller uses of the allowance, by ID.
func (s *Simulator) SetPackageIncluded(id string, included map[string]float64) error {
	q, err := quantitiesOf(included)
	if err != nil {
		return err
	}
	return s.changeItem(packages, id, func(i *item) { i.Included = q })
}

func (s *Simulator) changeItem(k *kind, id string, change func(*item)) error {
	return s.change(func(d *data) error {
		i := find(*k.itemsOf(d.Resellers[0]), id)
		if i == nil {
			return fmt.Errorf("no %s has the ID %s", k.singular, id)
		}
		before := *i
		change(i)
		s.bookUpdate(k, &before, i, s.clock.Now())
		return nil
	})
}

// ItemView is a package or an add-on in the books.
type ItemView struct {
	ID, Code, Name, Currency string
	Active                   bool
	Included                 map[string]float64 // by item code
	Settings                 map[string]json.RawMessage
	CreatedAt                time.Time
}

// AddonView is an add-on that is attached to a private label.
type AddonView struct {
	SubscriptionAddonID, AddonID, Code string
	Quantity                           float64
}

// Packages lists those of the first reseller, in order of creation.
func (s *Simulator) Packages() []ItemView {
	return s.items(packages)
}

// Addons lists those of the first reseller, in order of creation.
func (s *Simulator) Addons() []ItemView {
	return s.items(addons)
}

func (s *Simulator) items(k *kind) []ItemView {
	return read(s, func(d *data) (out []ItemView) {
		for _, i := range *k.itemsOf(d.Resellers[0]) {
			v := ItemView{
				ID: i.ID, Code: i.Code, Name: i.Name, Currency: i.Currency, Active: i.Active, Included: i.Included.byCode(),
				Settings: map[string]json.RawMessage{}, CreatedAt: time.UnixMilli(i.CreatedAt).UTC(),
			}
			for name, raw := range i.Settings {
				v.Settings[name] = slices.Clone(raw)
			}
			out = append(out, v)
		}
		return out
	})
}

func (q quantities) byCode() map[string]float64 {
	out := map[string]float64{}
	for _, code := range itemCodes {
		out[code] = q.get(code)
	}
	return out
}

// ConfirmationKeys lists the confirmation keys that are still known (§3.2).
func (s *Simulator) ConfirmationKeys() []string {
	return read(s, func(d *data) []string { return slices.Collect(maps.Keys(d.Asked)) })
}
