package simulator

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// What only the platform or a user in the console can do. Each function names its private label by host name.

func (s *Simulator) updateLabel(host string, f func(*data, *label) error) error {
	return s.change(func(d *data) error {
		l := d.byHost[strings.ToLower(host)]
		if l == nil {
			return fmt.Errorf("no private label has the host name %s", host)
		}
		return f(d, l)
	})
}

// onLabel is updateLabel for a change that cannot fail.
func (s *Simulator) onLabel(host string, f func(*label)) error {
	return s.updateLabel(host, func(_ *data, l *label) error { f(l); return nil })
}

// SuspendByPlatform suspends a private label; only the platform can lift this suspension.
func (s *Simulator) SuspendByPlatform(host, reason string) error {
	return s.onLabel(host, func(l *label) { s.suspendLabel(l, byPlatform, &reason, s.clock.Now()) })
}

// LiftPlatformSuspension makes the private label active again.
func (s *Simulator) LiftPlatformSuspension(host string) error {
	return s.onLabel(host, func(l *label) { l.Suspension = nil })
}

// SuspendInConsole suspends a private label as a user of the reseller does.
func (s *Simulator) SuspendInConsole(host, reason string) error {
	return s.onLabel(host, func(l *label) {
		if l.Suspension == nil {
			s.suspendLabel(l, byReseller, &reason, s.clock.Now())
		}
	})
}

// UnsuspendInConsole lifts the reseller's suspension.
func (s *Simulator) UnsuspendInConsole(host string) error {
	return s.onLabel(host, func(l *label) { l.Suspension = nil })
}

// MoveAway moves a private label to another reseller, which removes it from the list.
func (s *Simulator) MoveAway(host string) error {
	return s.updateLabel(host, func(d *data, l *label) error {
		l.ResellerID = d.newID("elsewhere")
		return nil
	})
}

// DeprovisionInConsole deprovisions a private label.
func (s *Simulator) DeprovisionInConsole(host string) error {
	return s.onLabel(host, func(l *label) { s.removeLabel(l, s.clock.Now()) })
}

// CorrectDNS creates the customer's DNS record; the next check finds it, at most a minute later.
func (s *Simulator) CorrectDNS(host string) error {
	return s.onLabel(host, func(l *label) { l.Domain.DNSCorrect = true })
}

// BreakDNS removes the customer's DNS record again.
func (s *Simulator) BreakDNS(host string) error {
	return s.onLabel(host, func(l *label) {
		l.Domain.DNSCorrect = false
		l.Domain.DNSWrong = false
		l.Domain.CorrectAt = 0
	})
}

// MisdirectDNS replaces the customer's DNS record by one that points elsewhere.
func (s *Simulator) MisdirectDNS(host string) error {
	return s.onLabel(host, func(l *label) {
		l.Domain.DNSCorrect = false
		l.Domain.DNSWrong = true
		l.Domain.CorrectAt = 0
	})
}

// RemoveOwner removes the owner of a private label.
func (s *Simulator) RemoveOwner(host string) error {
	return s.onLabel(host, func(l *label) {
		if at := slices.IndexFunc(l.Members, byRole(roleOwner)); at >= 0 {
			s.unseat(l, at, s.clock.Now())
		}
	})
}

// FailAttach makes the next n attachments of a host name fail (§3.3), in this process.
func (s *Simulator) FailAttach(n int) {
	_ = s.mu.lock(context.Background()) // this context does not end
	defer s.mu.unlock()
	s.attachFailures = n
}

// AddReseller creates another reseller and returns an API key with all scopes.
func (s *Simulator) AddReseller(slug string) (key string, err error) {
	err = s.change(func(d *data) error {
		key = s.found(d, slug).Secret
		return nil
	})
	return key, err
}

// DeleteReseller deletes the reseller of a slug; its keys stay.
func (s *Simulator) DeleteReseller(slug string) error {
	return s.updateReseller(slug, func(r *reseller) error { r.Deleted = true; return nil })
}

// ChangeSlug changes the reseller's own domain (§2.1).
func (s *Simulator) ChangeSlug(slug, to string) error {
	return s.updateReseller(slug, func(r *reseller) error { r.Slug = to; return nil })
}

func (s *Simulator) updateReseller(slug string, f func(*reseller) error) error {
	return s.change(func(d *data) error {
		r := first(d.Resellers, func(r *reseller) bool { return r.Slug == slug })
		if r == nil {
			return fmt.Errorf("no reseller has the slug %s", slug)
		}
		return f(r)
	})
}

// MintKey creates an API key of the first reseller with the given scopes.
func (s *Simulator) MintKey(scopes ...string) (key string, err error) {
	err = s.change(func(d *data) error {
		key = d.mintKey(d.Resellers[0].ID, scopes, s.clock.Now()).Secret
		return nil
	})
	return key, err
}

// RevokeKey revokes an API key; its tokens end immediately.
func (s *Simulator) RevokeKey(key string) error {
	return s.change(func(d *data) error {
		k := first(d.Keys, func(k *apiKey) bool { return k.Secret == key })
		if k == nil {
			return fmt.Errorf("no API key has this ID")
		}
		k.RevokedAt = millis(s.clock.Now())
		return nil
	})
}

// AddPackage creates a package of the first reseller. Included is what it uses of the allowance, by the item codes of
// §2.6. A package that is not active was deactivated.
func (s *Simulator) AddPackage(code string, included map[string]float64, active bool) (id string, err error) {
	return s.addItem(packages, code, included, active)
}

func (s *Simulator) addItem(k *kind, code string, included map[string]float64, active bool) (id string, err error) {
	q, err := quantitiesOf(included)
	if err != nil {
		return "", err
	}
	code = strings.ToUpper(code) // §2.1
	err = s.change(func(d *data) error {
		items := k.itemsOf(d.Resellers[0])
		now := s.clock.Now()
		if slices.ContainsFunc(*items, func(i *item) bool { return i.Code == code }) {
			return fmt.Errorf("the code %s is already in use", code)
		}
		id = d.newID(k.singular)
		*items = append(*items, &item{ID: id, Code: code, Name: code, Currency: "EUR", Active: active, Included: q, CreatedAt: millis(now)})
		s.book(Entry{Kind: EntryCodeCreated, Item: k.singular, Code: code}, now)
		return nil
	})
	return id, err
}

// SetAllowance sets the allowance of the first reseller; an omitted item has none.
func (s *Simulator) SetAllowance(allowance map[string]float64) error {
	q, err := quantitiesOf(allowance)
	if err != nil {
		return err
	}
	return s.change(func(d *data) error { d.Resellers[0].Allowance = q; return nil })
}

func (s *Simulator) setAllowanceOf(item string, n float64) error {
	now := read(s, func(d *data) map[string]float64 { return d.Resellers[0].Allowance.byCode() })
	now[item] = n
	return s.SetAllowance(now)
}

// SetSubscription adds or removes the subscription of the first reseller: without one no package can be assigned
// (§3.2).
func (s *Simulator) SetSubscription(active bool) error {
	return s.change(func(d *data) error { d.Resellers[0].NoSubscription = !active; return nil })
}

func quantitiesOf(byCode map[string]float64) (quantities, error) {
	for code := range byCode {
		if !slices.Contains(itemCodes, code) {
			return quantities{}, fmt.Errorf("%s is not an item code", code)
		}
	}
	return quantities{byCode["documents"], byCode["seats"], byCode["templates"], byCode["notarizations"]}, nil
}
