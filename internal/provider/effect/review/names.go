package review

import (
	"encoding/json"
	"slices"
)

// named lists the attributes that name objects.
type named struct {
	ID       string `json:"id"`
	Domain   string `json:"domain"`
	Verified bool   `json:"domain_verified"`
	Code     string `json:"code"`
	Email    string `json:"email"`
	Owner    *struct {
		UserID string `json:"user_id"`
		Email  string `json:"email"`
	} `json:"owner"`
}

// note keeps the name of an object by its ID. A sensitive name is not kept.
func (p *plan) note(typ string, values, sensitive json.RawMessage) {
	var v named
	if len(values) == 0 || json.Unmarshal(values, &v) != nil || v.ID == "" {
		return
	}
	into, name, from := p.names.Hosts, v.Domain, "domain"
	switch typ {
	case "reseller_private_label":
		if v.Owner != nil {
			keep(p.names.Emails, v.Owner.UserID, v.Owner.Email, sensitive, "owner")
		}
	case "reseller_package":
		into, name, from = p.names.Codes, v.Code, "code"
	case "reseller_member":
		into, name, from = p.names.Emails, v.Email, "email"
	default:
		return
	}
	keep(into, v.ID, name, sensitive, from)
}

// note keeps whether the DNS of a private label is correct.
func (d *dns) note(s stateResource) {
	var v named
	switch {
	case s.Type != "reseller_private_label" || json.Unmarshal(s.Values, &v) != nil:
	case s.Mode == "data" && !v.Verified:
		d.lost[s.Address] = v.ID
	case s.Mode == "managed" && v.Verified:
		d.verified[v.ID] = true
	}
}

func keep(into map[string]string, id, name string, sensitive json.RawMessage, attribute string) {
	if id != "" && name != "" && !isMarked(sensitive, attribute) {
		into[id] = name
	}
}

// hosts finds the private label of a resource instance: by its ID, or by its place where the ID is known after apply.
type hosts struct {
	known   map[string]string // host name by private label ID
	planned map[place][]string
}

// place is where a module or a for_each puts the objects of one client.
type place struct {
	module string
	index  string // in JSON
}

func newHosts(p *plan) hosts {
	h := hosts{p.names.Hosts, map[place][]string{}}
	for i := range p.changes {
		c := &p.changes[i]
		if c.Type != "reseller_private_label" || isMarked(c.Change.AfterSensitive, "domain") {
			continue
		}
		if v := c.placed(); v.Domain != "" {
			at := place{c.Module, string(c.Index)}
			h.planned[at] = append(h.planned[at], v.Domain)
		}
	}
	return h
}

// of returns "" if the host name is not known, or if several private labels share the place.
func (h hosts) of(c *change) string {
	v := c.placed()
	if v.Domain != "" {
		return v.Domain
	}
	if v.PrivateLabelID != "" {
		return h.known[v.PrivateLabelID]
	}
	if found := h.planned[place{c.Module, string(c.Index)}]; len(found) == 1 && c.Type != "reseller_package" && c.Type != "reseller_addon" {
		return found[0]
	}
	return ""
}

// placement are the attributes that say which private label an object belongs to.
type placement struct {
	Domain         string `json:"domain"`
	PrivateLabelID string `json:"private_label_id"`
}

func (c *change) placed() placement {
	var v placement
	for _, values := range []json.RawMessage{c.Change.Before, c.Change.After} {
		if len(values) > 0 {
			_ = json.Unmarshal(values, &v) // what does not decode has no place
		}
	}
	return v
}

// isMarked reports whether an object, its attribute or a part of that is sensitive.
func isMarked(sensitive json.RawMessage, attribute string) bool {
	var all any
	if len(sensitive) == 0 || json.Unmarshal(sensitive, &all) != nil {
		return false
	}
	if of, ok := all.(map[string]any); ok {
		return anyTrue(of[attribute])
	}
	return anyTrue(all)
}

func anyTrue(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case map[string]any:
		for _, inner := range v {
			if anyTrue(inner) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, anyTrue)
	}
	return false
}
