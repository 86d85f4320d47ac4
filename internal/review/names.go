package review

import (
	"cmp"
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
	Calls map[string]configCall `json:"module_calls"`
}

type configCall struct {
	Expressions map[string]expression `json:"expressions"`
	ForEach     expression            `json:"for_each_expression"`
	Module      configModule          `json:"module"`
}

// expression is what an argument refers to. A nested block has none.
type expression []string

func (e *expression) UnmarshalJSON(text []byte) error {
	var of struct {
		References []string `json:"references"`
	}
	_ = json.Unmarshal(text, &of) // a list of nested blocks refers to nothing here
	*e = of.References
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

// of returns the private label of a change.
func (l labels) of(c *change) label {
	id, host := c.attribute(labelID), c.attribute("domain")
	switch {
	case host != "":
		return label{host: host}
	case id != "":
		return label{id: id, host: l.hosts[id]}
	case c.Type == typePackage || c.Type == typeAddon:
		return label{}
	}
	prefix, key := l.reference(c)
	found, candidates := l.find(cmp.Or(prefix, c.Module), key)
	out := label{new: found, isNew: prefix != "" && candidates > 0}
	if found != nil && !isMarked(found.AfterMarks, "domain") {
		out.host = found.attribute("domain")
	}
	return out
}

// scope is an instance of a module, in the configuration.
type scope struct {
	address, key string
	call         configCall // that makes it
}

var (
	// step of the address of a module: its name, and the key of its instance.
	step = regexp.MustCompile(`module\.([^.\[]+)(\[(?:"(?:[^"\\]|\\.)*"|\d+)\])?`)
	// instanceKey of an address.
	instanceKey = regexp.MustCompile(`\[(?:"(?:[^"\\]|\\.)*"|\d+)\]`)
	// target of a reference: a block of private labels or a module, with its key if that is constant; a variable; for_each.
	target = regexp.MustCompile(`^(?:` + typeLabel + `\.[^.\[]+|module\.[^.\[]+|var\.[^.\[]+|each\.)(?:` + instanceKey.String() + `)?`)
)

// reference follows private_label_id to the address of a block or a module, "" if that is not found, and the key of the
// instance that refers to it.
func (l labels) reference(c *change) (prefix, key string) {
	at := []scope{{call: configCall{Module: l.config}}}
	for _, i := range step.FindAllStringSubmatchIndex(c.Module, -1) {
		inside := scope{address: c.Module[:i[1]] + ".", call: at[len(at)-1].call.Module.Calls[c.Module[i[2]:i[3]]]}
		if i[4] >= 0 {
			inside.key = c.Module[i[4]:i[5]]
		}
		at = append(at, inside)
	}
	key = instanceKey.FindString(strings.TrimPrefix(c.Address, c.Module))
	for _, r := range at[len(at)-1].call.Module.Resources {
		if r.Mode != "data" && r.Type == c.Type && r.Name == c.Name {
			return follow(at, key, r.Expressions[labelID], r.ForEach)
		}
	}
	return "", key
}

func follow(at []scope, key string, refers, forEach expression) (prefix, keyThere string) {
	here := at[len(at)-1]
	for _, ref := range refers {
		name, isVariable := strings.CutPrefix(target.FindString(ref), "var.")
		switch {
		case name == "" || isVariable && len(at) == 1:
			continue
		case isVariable:
			prefix, keyThere = follow(at[:len(at)-1], cmp.Or(here.key, key), here.call.Expressions[name], here.call.ForEach)
		case name == "each.":
			prefix, keyThere = follow(at, key, forEach, nil)
		default:
			prefix, keyThere = here.address+name, key
		}
		if prefix != "" {
			return prefix, keyThere
		}
	}
	return "", key
}

// find a private label that the plan makes, by the address of its block or module: that of the same key, the only one, or
// the one whose key is a part of the key.
func (l labels) find(prefix, key string) (found *change, candidates int) {
	var exact, parts, all []*change
	for _, c := range l.new {
		rest, ok := strings.CutPrefix(c.Address, prefix)
		if !ok || prefix != "" && rest != "" && !strings.ContainsAny(rest[:1], ".[") {
			continue
		}
		all = append(all, c)
		switch own := instanceKey.FindString(rest); {
		case own == key:
			exact, parts = append(exact, c), append(parts, c)
		case own != "" && slices.Contains(strings.FieldsFunc(key, isSeparator), strings.Trim(own, `[]"`)):
			parts = append(parts, c)
		}
	}
	for _, some := range [][]*change{exact, parts, all} {
		if len(some) == 1 {
			return some[0], len(all)
		}
	}
	return nil, len(all)
}

func isSeparator(r rune) bool { return strings.ContainsRune(`[]"/:|, `, r) }

// isMarked reports whether an object, its attribute or a part of that is sensitive.
func isMarked(marks any, attribute string) bool {
	if of, ok := marks.(map[string]any); ok {
		return anyTrue(of[attribute])
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
