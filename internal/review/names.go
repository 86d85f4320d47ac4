package review

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// Types that name the others.
const (
	typeLabel   = "reseller_private_label"
	typePackage = "reseller_package"
	typeMember  = "reseller_member"
)

// note keeps the name of an object by its ID. A sensitive name is not kept.
func (p *plan) note(typ string, values any, sensitive json.RawMessage) {
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

// note keeps whether the DNS of a private label is correct.
func (d *dns) note(s stateResource) {
	fields, _ := decodeAny(s.Values).(map[string]any)
	verified, id := fields["domain_verified"] == true, textOf(fields, "id")
	switch {
	case s.Type != typeLabel || fields == nil:
	case s.Mode == "data" && !verified:
		d.lost[s.Address] = id
	case s.Mode == "managed" && verified:
		d.verified[id] = true
	}
}

// labels finds the private label of a resource instance: by its ID or, where that is known after apply, by what the
// configuration refers to, or by its place in it.
type labels struct {
	hosts  map[string]string // host name by private label ID
	new    []*change         // private labels whose ID is known after apply
	config configModule
}

// label that an object belongs to.
type label struct {
	id    string  // "" if it is known after apply
	host  string  // "" if it is unknown
	new   *change // that makes it, if that is known
	isNew bool    // the configuration refers to one whose ID is known after apply
}

// configModule is what is read of the configuration of a module.
type configModule struct {
	Resources []struct {
		Mode        string                     `json:"mode"`
		Type        string                     `json:"type"`
		Name        string                     `json:"name"`
		Expressions map[string]json.RawMessage `json:"expressions"`
	} `json:"resources"`
	Calls map[string]struct {
		Expressions map[string]json.RawMessage `json:"expressions"`
		Module      configModule               `json:"module"`
	} `json:"module_calls"`
}

func newLabels(p *plan, config configModule) labels {
	l := labels{hosts: p.names.Hosts, config: config}
	for _, c := range p.changes {
		if c.Type == typeLabel && textOf(c.after, "id") == "" && c.after != nil {
			l.new = append(l.new, c)
		}
	}
	return l
}

// of returns the private label of a change.
func (l labels) of(c *change) label {
	id := c.attribute("private_label_id")
	if unknown, _ := c.unknown.(map[string]any); unknown["private_label_id"] == true && textOf(c.after, "private_label_id") == "" && c.after != nil {
		id = ""
	}
	host := c.attribute("domain")
	switch {
	case host != "":
		return label{host: host}
	case id != "":
		return label{id: id, host: l.hosts[id]}
	case c.Type == typePackage || c.Type == "reseller_addon":
		return label{}
	}
	name, module, index := l.reference(c)
	found := l.find(name, module, index)
	out := label{new: found, isNew: name != "" && len(l.named(name, module)) > 0}
	if found != nil && !isMarked(found.Change.AfterSensitive, "domain") {
		out.host = found.attribute("domain")
	}
	return out
}

// step of the address of a module: its name, and the key of its instance.
var step = regexp.MustCompile(`module\.([^.\[]+)(?:\[("(?:[^"\\]|\\.)*"|\d+)\])?\.?`)

// reference follows private_label_id to the name of a resource, "" if that is not found, with the address of the module
// that has it, and the key of the instance that refers to it.
func (l labels) reference(c *change) (name, module, index string) {
	steps := step.FindAllStringSubmatch(c.Module, -1)
	modules := []configModule{l.config}
	for _, s := range steps {
		modules = append(modules, modules[len(modules)-1].Calls[s[1]].Module)
	}
	module, index = c.Module, string(c.Index)
	var refers json.RawMessage
	for _, r := range modules[len(steps)].Resources {
		if r.Mode != "data" && r.Type == c.Type && r.Name == c.Name {
			refers = r.Expressions["private_label_id"]
		}
	}
	for depth := len(steps); ; depth-- {
		variable := ""
		for _, ref := range references(refers) {
			if found, ok := strings.CutPrefix(ref, typeLabel+"."); ok {
				name, _, _ = strings.Cut(strings.SplitN(found, ".", 2)[0], "[")
				return name, module, index
			}
			if found, ok := strings.CutPrefix(ref, "var."); ok {
				variable, _, _ = strings.Cut(found, ".")
			}
		}
		if variable == "" || depth == 0 {
			return "", c.Module, string(c.Index)
		}
		call := steps[depth-1]
		refers, index = modules[depth-1].Calls[call[1]].Expressions[variable], cmp.Or(call[2], index)
		module = strings.TrimSuffix(strings.TrimSuffix(module, strings.TrimSuffix(call[0], ".")), ".")
	}
}

// references of an expression.
func references(expression json.RawMessage) []string {
	var e struct {
		References []string `json:"references"`
	}
	_ = json.Unmarshal(expression, &e) // one that does not decode refers to nothing
	return e.References
}

func (l labels) named(name, module string) (out []*change) {
	for _, c := range l.new {
		if c.Module == module && (name == "" || c.Name == name) {
			out = append(out, c)
		}
	}
	return out
}

// find the instance of a private label: that of the same key, the only one, or the one whose key is a part of the key.
func (l labels) find(name, module, index string) *change {
	candidates := l.named(name, module)
	var parts []*change
	for _, c := range candidates {
		key := strings.Trim(string(c.Index), `"`)
		switch {
		case string(c.Index) == index:
			return c
		case key != "" && slices.Contains(strings.FieldsFunc(index, isSeparator), key), strings.HasPrefix(strings.Trim(index, `"`), key+"/"):
			parts = append(parts, c)
		}
	}
	switch {
	case len(candidates) == 1:
		return candidates[0]
	case len(parts) == 1:
		return parts[0]
	default:
		return nil
	}
}

func isSeparator(r rune) bool { return strings.ContainsRune(`"/:|, `, r) }

// isMarked reports whether an object, its attribute or a part of that is sensitive.
func isMarked(sensitive json.RawMessage, attribute string) bool {
	all := decodeAny(sensitive)
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
