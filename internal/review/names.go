package review

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Types that name the others.
const (
	typeLabel   = "reseller_private_label"
	typePackage = "reseller_package"
	typeAddon   = "reseller_addon"
	typeMember  = "reseller_member"
)

const labelID = "private_label_id"

// note keeps the name of an object by its ID. A sensitive name is not kept.
func (p *plan) note(typ string, values, sensitive any) {
	keep := func(into map[string]string, id, name, attribute string) {
		if id != "" && name != "" && !isMarked(sensitive, attribute) {
			into[id] = name
		}
	}
	id := textOf(values, "id")
	switch typ {
	case typeLabel:
		keep(p.names.Hosts, id, textOf(values, "domain"), "domain")
		keep(p.names.Emails, textOf(values, "owner", "user_id"), textOf(values, "owner", "email"), "owner")
	case typePackage:
		keep(p.names.Codes, id, textOf(values, "code"), "code")
	case typeMember:
		keep(p.names.Emails, id, textOf(values, "email"), "email")
	}
}

// labels finds the private label of a resource instance: by its ID or, where that is known after apply, by what the
// configuration refers to.
type labels struct {
	hosts  map[string]string // host name by private label ID
	new    []*change         // private labels whose ID is known after apply
	config configModule
}

// label that an object belongs to.
type label struct {
	id    string  // "" if it is known after apply
	host  string  // "" if it is unknown
	new   *change // that makes it, as far as the configuration shows
	isNew bool    // the configuration refers to one whose ID is known after apply
}

// configModule is what is read of the configuration of a module.
type configModule struct {
	Resources []struct {
		Mode        string                `json:"mode"`
		Type        string                `json:"type"`
		Name        string                `json:"name"`
		Expressions map[string]expression `json:"expressions"`
		ForEach     expression            `json:"for_each_expression"`
	} `json:"resources"`
	Calls map[string]struct {
		Module configModule `json:"module"`
	} `json:"module_calls"`
}

// expression is what an argument refers to. A nested block refers to nothing here.
type expression []string

func (e *expression) UnmarshalJSON(text []byte) error {
	var parsed struct {
		References []string `json:"references"`
	}
	_ = json.Unmarshal(text, &parsed)
	*e = parsed.References
	return nil
}

func newLabels(p *plan, config configModule) labels {
	l := labels{hosts: p.names.Hosts, config: config}
	for _, c := range p.changes {
		if c.Type == typeLabel && c.After != nil && textOf(c.After, "id") == "" {
			l.new = append(l.new, c)
		}
	}
	return l
}

// labelOf returns the private label of a change.
func (l labels) labelOf(c *change) label {
	id, host := c.attribute(labelID), c.attribute("domain")
	switch {
	case host != "":
		return label{host: host}
	case id != "":
		return label{id: id, host: l.hosts[id]}
	case c.Type == typePackage || c.Type == typeAddon:
		return label{}
	}
	out := label{}
	prefix := l.reference(c)
	if prefix != "" {
		out.new, out.isNew = l.find(prefix, c.Address)
	}
	// Otherwise it is as likely as not one of the same module, or of one around it, and of the same key.
	for module := c.Module; !out.isNew && out.new == nil; module = module[:max(0, strings.LastIndex(module, "module.")-1)] {
		if out.new, _ = l.find(module, c.Address); module == "" {
			break
		}
	}
	if out.new != nil && !isMarked(out.new.AfterMarks, "domain") {
		out.host = out.new.attribute("domain")
	}
	return out
}

var (
	instanceKey = regexp.MustCompile(`\[(?:"(?:[^"\\]|\\.)*"|\d+)\]`)
	// target of a reference: a block of private labels or a module, with its key if that is constant.
	target = regexp.MustCompile(`^(?:` + typeLabel + `|module)\.[^.\[]+(?:` + instanceKey.String() + `)?`)
)

// reference is the address of the block or module that private_label_id or for_each refers to, "" if there is none.
func (l labels) reference(c *change) string {
	module, at := l.config, strings.TrimPrefix(c.Module+".", ".")
	for name := range strings.SplitSeq(instanceKey.ReplaceAllString(at, ""), ".") {
		if name != "module" && name != "" {
			module = module.Calls[name].Module
		}
	}
	for _, r := range module.Resources {
		if r.Mode == "data" || r.Type != c.Type || r.Name != c.Name {
			continue
		}
		for _, ref := range slices.Concat(r.Expressions[labelID], r.ForEach) {
			if found := target.FindString(ref); found != "" {
				return at + found
			}
		}
	}
	return ""
}

// find a private label that the plan makes, by the address of its block or module: the one whose key is that of the
// address that refers to it or a part of it, or the only one. makes reports whether the plan makes one there.
func (l labels) find(prefix, from string) (found *change, makes bool) {
	var all, alike []*change
	keys := instanceKey.FindAllString(from, -1)
	parts := strings.FieldsFunc(strings.Join(keys, ""), func(r rune) bool { return strings.ContainsRune(`[]"/:|, `, r) })
	for _, c := range l.new {
		rest, ok := strings.CutPrefix(c.Address, prefix)
		if !ok || prefix != "" && rest != "" && !strings.ContainsAny(rest[:1], ".[") {
			continue
		}
		all = append(all, c)
		if key := instanceKey.FindString(rest); slices.Contains(keys, key) || slices.Contains(parts, strings.Trim(key, `[]"`)) {
			alike = append(alike, c)
		}
	}
	for _, some := range [][]*change{alike, all} {
		if len(some) == 1 {
			return some[0], true
		}
	}
	return nil, len(all) > 0
}

// isMarked reports whether an object, its attribute or a part of that is sensitive.
func isMarked(marks any, attribute string) bool {
	if byName, ok := marks.(map[string]any); ok {
		return anyTrue(byName[attribute])
	}
	return anyTrue(marks)
}

func anyTrue(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), anyTrue)
	case []any:
		return slices.ContainsFunc(v, anyTrue)
	}
	return false
}
