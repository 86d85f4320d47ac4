package review

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// configModule is what is read of the configuration of a module. A plan does not have its local values.
type configModule struct {
	Resources []*configBlock          `json:"resources"`
	Calls     map[string]*configBlock `json:"module_calls"`
	Outputs   map[string]struct {
		Expression expression `json:"expression"`
	} `json:"outputs"`
}

// configBlock is a resource, a data source or a call of a module.
type configBlock struct {
	Mode        string                `json:"mode"`
	Type        string                `json:"type"`
	Name        string                `json:"name"`
	Expressions map[string]expression `json:"expressions"`
	ForEach     expression            `json:"for_each_expression"`
	Module      *configModule         `json:"module"`
}

// expression is what an argument refers to. A nested block refers to nothing here.
type expression []string

func (e *expression) UnmarshalJSON(text []byte) error {
	var parsed struct {
		References []string `json:"references"`
	}
	_ = json.Unmarshal(text, &parsed)
	for _, ref := range parsed.References {
		// Terraform lists each reference with all of its beginnings: a.b["c"].d, a.b["c"] and a.b.
		isBeginning := func(of string) bool {
			rest, ok := strings.CutPrefix(of, ref)
			return ok && rest != "" && strings.ContainsAny(rest[:1], ".[")
		}
		if !slices.ContainsFunc(parsed.References, isBeginning) {
			*e = append(*e, ref)
		}
	}
	return nil
}

// step is a part of an address: module.a["x"], or reseller_member.b. A reference whose key is not constant has anyKey.
type step struct{ typ, name, key string }

const (
	moduleStep = "module"
	dataMode   = "data"
	anyKey     = "*"
)

var stepForm = regexp.MustCompile(`((?:data\.)?[^.\[\]]+)\.([^.\[\]]+)(\[(?:"(?:[^"\\]|\\.)*"|\d+)\])?`)

func stepsOf(address string) (out []step) {
	for _, found := range stepForm.FindAllStringSubmatch(address, -1) {
		out = append(out, step{found[1], found[2], found[3]})
	}
	return out
}

// isWithin reports whether a path begins with a pattern.
func isWithin(path, pattern []step) bool {
	if len(path) < len(pattern) {
		return false
	}
	for i, p := range pattern {
		if at := path[i]; at.typ != p.typ || at.name != p.name || at.key != p.key && p.key != anyKey {
			return false
		}
	}
	return true
}

// scope is a module instance, in which references have their meaning.
type scope struct {
	*configModule
	parent *scope
	call   *configBlock // of the module in its parent
	path   []step
}

// child is the scope of a called module, nil if the configuration does not have it.
func (s *scope) child(at step) *scope {
	call := s.Calls[at.name]
	if call == nil || call.Module == nil {
		return nil
	}
	return &scope{configModule: call.Module, parent: s, call: call, path: append(slices.Clip(s.path), at)}
}

func (s *scope) block(isData bool, typ, name string) *configBlock {
	i := slices.IndexFunc(s.Resources, func(b *configBlock) bool {
		return b != nil && b.Type == typ && b.Name == name && (b.Mode == dataMode) == isData
	})
	if i < 0 {
		return nil
	}
	return s.Resources[i]
}

// later is an object whose ID is known after apply.
type later struct {
	*change
	path []step
}

// search follows references of the configuration to objects of one type whose IDs are known after apply.
type search struct {
	attribute string // that has the ID, such as private_label_id
	typ       string
	all       []later
	seen      map[string]bool
	found     []later
	others    bool // one whose ID is known is referred to as well
	byValue   bool // the key of one is each.value, or is in it
}

// refersTo returns the object that an attribute of a change refers to: the only one to which the configuration leads, or
// the one whose keys are keys of the change, or parts of them. isNew reports whether each of them is one that the plan creates.
func (p *plan) refersTo(c *change, attribute, typ string) (to *change, isNew bool) {
	path := stepsOf(c.Address)
	at := &scope{configModule: &p.config}
	for len(path) > len(at.path)+1 && at != nil {
		at = at.child(path[len(at.path)])
		if at == nil {
			return nil, false
		}
	}
	if len(path) == 0 || len(p.later[typ]) == 0 {
		return nil, false
	}
	block := at.block(c.Mode == dataMode, c.Type, path[len(path)-1].name)
	if block == nil {
		return nil, false
	}
	s := &search{attribute: attribute, typ: typ, all: p.later[typ], seen: map[string]bool{}}
	s.follow(at, block, block.Expressions[attribute])
	if s.others {
		return nil, false
	}
	isRead := slices.ContainsFunc(s.found, func(o later) bool { return o.Mode == dataMode })
	return s.choose(path), len(s.found) > 0 && !isRead
}

var firstName = regexp.MustCompile(`^[^.\[]+`)

// follow adds what an expression of a block may refer to.
func (s *search) follow(at *scope, block *configBlock, refs expression) {
	for _, ref := range refs {
		key := fmt.Sprint(at.path, ref)
		if s.seen[key] {
			continue
		}
		s.seen[key] = true
		switch head, rest, _ := strings.Cut(ref, "."); head {
		case "each":
			if firstName.FindString(rest) == "value" {
				s.byValue = s.byValue || s.isKey(refs)
				s.follow(at, block, block.ForEach)
			}
		case "var":
			if at.parent != nil {
				s.follow(at.parent, at.call, at.call.Expressions[firstName.FindString(rest)])
			}
		case "local": // of this module, from anything in it or in one around it
			s.addNearest(at.path)
		default:
			s.followObject(at, ref)
		}
	}
}

// isKey reports whether what else an expression refers to is a key of an object of the type, whose own reference has none.
func (s *search) isKey(refs expression) bool {
	return slices.ContainsFunc(refs, func(ref string) bool {
		steps := stepsOf(ref)
		return len(steps) == 1 && steps[0].typ == s.typ && steps[0].key == ""
	})
}

// followObject adds an object of the type, or what an object of another type or an output refers to.
func (s *search) followObject(at *scope, ref string) {
	end := stepForm.FindStringIndex(ref)
	if len(end) == 0 || end[0] > 0 {
		return
	}
	to := stepsOf(ref[:end[1]])[0]
	rest := strings.TrimPrefix(ref[end[1]:], ".")
	if to.key == "" {
		to.key = anyKey
	}
	typ, isData := strings.CutPrefix(to.typ, "data.")
	switch block := at.block(isData, typ, to.name); {
	case to.typ == moduleStep:
		s.followOutput(at.child(to), firstName.FindString(rest))
	case typ == s.typ:
		s.add(append(slices.Clip(at.path), to))
	case block != nil && isOurs(typ):
		s.follow(at, block, block.Expressions[s.attribute])
	}
}

// followOutput adds what an output of a module refers to. module.a[each.key].b is listed as module.a: then it is any output.
func (s *search) followOutput(module *scope, name string) {
	if module == nil {
		return
	}
	for output, o := range module.Outputs {
		if name == "" || output == name {
			s.follow(module, &configBlock{}, o.Expression)
		}
	}
}

func (s *search) add(pattern []step) {
	isKnown := true
	for _, o := range s.all {
		if !isWithin(o.path, pattern) || len(o.path) != len(pattern) {
			continue
		}
		isKnown = false
		if !slices.ContainsFunc(s.found, func(f later) bool { return f.change == o.change }) {
			s.found = append(s.found, o)
		}
	}
	s.others = s.others || isKnown
}

// addNearest adds all objects of the innermost module that has any.
func (s *search) addNearest(module []step) {
	for n := len(module); n >= 0; n-- {
		before := len(s.found)
		for _, o := range s.all {
			if isWithin(o.path, module[:n]) {
				s.add(o.path)
			}
		}
		if len(s.found) > before {
			return
		}
	}
}

// choose returns the only object that was found, or the only one whose keys are among those of a path, or parts of them. A
// key that is a value of for_each is not the key of its instance, but may be a part of it.
func (s *search) choose(path []step) *change {
	var keys, parts []string
	for _, p := range path {
		split := strings.FieldsFunc(p.key, func(r rune) bool { return strings.ContainsRune(`[]"/:|, `, r) })
		if s.byValue && len(split) < 2 {
			continue
		}
		keys = append(keys, p.key)
		parts = append(parts, split...)
	}
	agrees := func(o later, fits func(key string) bool) bool {
		keyed := slices.DeleteFunc(slices.Clone(o.path), func(p step) bool { return p.key == "" })
		return len(keyed) > 0 && !slices.ContainsFunc(keyed, func(p step) bool { return !fits(p.key) })
	}
	exact := func(key string) bool { return slices.Contains(keys, key) }
	similar := func(key string) bool { return exact(key) || slices.Contains(parts, strings.Trim(key, `[]"`)) }
	for _, fits := range []func(string) bool{exact, similar} {
		alike := slices.DeleteFunc(slices.Clone(s.found), func(o later) bool { return !agrees(o, fits) })
		if len(alike) == 1 {
			return alike[0].change
		}
	}
	if len(s.found) == 1 {
		return s.found[0].change
	}
	return nil
}
