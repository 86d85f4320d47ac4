package existing

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/export/hclblock"
)

// Managed is an object that a state has.
type Managed struct {
	File, Address, Type string
	Values              map[string]any

	raw       map[string]json.RawMessage
	shown     bool // by terraform show
	isManaged bool // neither a data source nor deposed
}

// Text is a text attribute, "" if it is null or none of its attributes.
func (m *Managed) Text(name string) string {
	text, _ := m.Values[name].(string)
	return text
}

// Keys are the IDs of the import of what it manages, by type: one, or that of each member of a set besides.
func (m *Managed) Keys() []Key {
	switch m.Type {
	case TypeAssignment:
		return []Key{{m.Type, m.Text(hclblock.Label)}}
	case TypeMember:
		return []Key{{m.Type, m.Text(hclblock.Label) + "/" + m.Text("id")}}
	case TypeMembers:
		keys := []Key{{m.Type, m.Text(hclblock.Label)}}
		users, _ := m.Values["user_ids"].(map[string]any)
		for _, id := range users {
			keys = append(keys, Key{TypeMember, fmt.Sprintf("%s/%v", m.Text(hclblock.Label), id)})
		}
		return keys
	case TypeBranding:
		return []Key{{m.Type, strings.ToLower(m.Text("id"))}}
	}
	return []Key{{m.Type, m.Text("id")}}
}

// MemberOf is the email address of a member of a set.
func (m *Managed) MemberOf(key Key) string {
	users, _ := m.Values["user_ids"].(map[string]any)
	for email, id := range users {
		if strings.HasSuffix(key.ID, fmt.Sprintf("/%v", id)) {
			return email
		}
	}
	return key.ID
}

// Key identifies an object of the reseller: its type, and the ID of its import.
type Key struct{ Type, ID string }

// States are what several states have.
type States struct {
	Files   int
	Objects []*Managed
	ByKey   map[Key][]*Managed
	Others  []*Managed        // resources that are not of the Reseller API
	Slugs   map[string]string // the first file of each slug of a reseller
	Told    []string          // about the files
}

// ReadStates reads states: the output of `terraform show -json`, or state files. A file that is given twice counts once. Two
// files of one lineage, or with the same content, are two states: a copied directory manages its objects as well.
func ReadStates(files []string) (*States, error) {
	all := &States{ByKey: map[Key][]*Managed{}, Slugs: map[string]string{}}
	seen := map[string]bool{}
	first := map[string]string{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var s stateFile
		if err := json.Unmarshal(data, &s); err != nil {
			return nil, fmt.Errorf("%s is no state: it is not JSON (%w)", file, err)
		}
		path, err := filepath.EvalSymlinks(file)
		if err == nil {
			path, err = filepath.Abs(path)
		}
		if path = cmp.Or(path, file); err == nil && seen[path] {
			continue
		}
		seen[path] = true
		id := cmp.Or(s.Lineage, string(data))
		same := "the same content"
		if s.Lineage != "" {
			same = "one lineage"
		}
		if earlier := first[id]; earlier != "" {
			all.Told = append(all.Told, fmt.Sprintf("%s and %s have %s, and count as two states.", earlier, file, same))
		} else {
			first[id] = file
		}
		all.Files++
		if err := all.add(file, &s); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// check is an error if a state is of another reseller than this. A slug changes with the domain of a reseller: a state with
// another slug is of this one if the reseller has a private label or a catalog item of it.
func (s *States) check(slug string, has map[Key]bool) (told []string, err error) {
	told = slices.Clone(s.Told)
	for _, older := range slices.Sorted(maps.Keys(s.Slugs)) {
		isLive := slices.ContainsFunc(s.Objects, func(m *Managed) bool { return m.Text("reseller") == older && has[m.Keys()[0]] })
		switch file := s.Slugs[older]; {
		case older == slug || slug == "":
		case isLive:
			told = append(told, fmt.Sprintf("%s is a state of this reseller under its older slug %s.", file, older))
		default:
			return nil, fmt.Errorf("%s is a state of the reseller %s, and the API key belongs to %s, which has none of its private labels and catalog items. "+
				"Give states of %[3]s, or an API key of %[2]s", file, older, slug)
		}
	}
	return told, nil
}

// stateFile is a state in both forms.
type stateFile struct {
	FormatVersion string `json:"format_version"`
	Values        *struct {
		Root module `json:"root_module"`
	} `json:"values"`
	PlannedValues json.RawMessage `json:"planned_values"`

	Version   int           `json:"version"`
	Lineage   string        `json:"lineage"`
	Resources []rawResource `json:"resources"`
}

type module struct {
	Resources []struct {
		Address string                     `json:"address"`
		Mode    string                     `json:"mode"`
		Type    string                     `json:"type"`
		Deposed string                     `json:"deposed_key"`
		Values  map[string]json.RawMessage `json:"values"`
	} `json:"resources"`
	Children []module `json:"child_modules"`
}

type rawResource struct {
	Module    string `json:"module"`
	Mode      string `json:"mode"`
	Type      string `json:"type"`
	Name      string `json:"name"`
	Instances []struct {
		Index      any                        `json:"index_key"`
		Deposed    string                     `json:"deposed"`
		Attributes map[string]json.RawMessage `json:"attributes"`
	} `json:"instances"`
}

const rawVersion = 4 // of state files since Terraform 0.12

func (s *States) add(file string, from *stateFile) error {
	var found []*Managed
	switch {
	case from.PlannedValues != nil:
		return fmt.Errorf("%s is a plan, not a state. Write the state with: terraform show -json > FILE", file)
	case from.FormatVersion != "":
		if major, _, _ := strings.Cut(from.FormatVersion, "."); major != "1" {
			return fmt.Errorf("%s has the unknown format version %s of a state", file, from.FormatVersion)
		}
		if from.Values != nil { // an empty state has none
			found = from.Values.Root.objects(file)
		}
	case from.Version == rawVersion:
		for _, r := range from.Resources {
			found = append(found, r.objects(file)...)
		}
	case from.Version > 0:
		return fmt.Errorf("%s is a state file of version %d; the version must be %d", file, from.Version, rawVersion)
	default:
		return fmt.Errorf("%s is no state: neither the output of terraform show -json nor a state file", file)
	}
	var types []string
	for _, m := range found {
		types = append(types, m.Type)
		if m.isManaged && !slices.Contains(Types, m.Type) {
			s.Others = append(s.Others, m)
		}
	}
	found = slices.DeleteFunc(found, func(m *Managed) bool { return !m.isManaged || !slices.Contains(Types, m.Type) })
	// What Terraform itself has may be left after the last object of this provider, independent of its registry.
	types = slices.DeleteFunc(types, func(typ string) bool { return typ == "terraform_data" })
	if len(types) > 0 && !slices.ContainsFunc(types, func(typ string) bool { return strings.HasPrefix(typ, "reseller_") }) {
		return fmt.Errorf("%s is a state of other providers. Give states that have objects of this one", file)
	}
	for _, m := range found {
		if slug := m.Text("reseller"); slug != "" && s.Slugs[slug] == "" {
			s.Slugs[slug] = file
		}
		s.put(m)
	}
	return nil
}

func (s *States) put(m *Managed) {
	s.Objects = append(s.Objects, m)
	for _, key := range m.Keys() {
		s.ByKey[key] = append(s.ByKey[key], m)
	}
}

// Split returns what one file has, and what the others have.
func (s *States) Split(file string) (of, others *States) {
	of = &States{ByKey: map[Key][]*Managed{}}
	others = &States{ByKey: map[Key][]*Managed{}}
	side := func(m *Managed) *States {
		if m.File == file {
			return of
		}
		return others
	}
	for _, m := range s.Objects {
		side(m).put(m)
	}
	for _, m := range s.Others {
		side(m).Others = append(side(m).Others, m)
	}
	return of, others
}

// objects of a state, with what it does not manage.
func (m *module) objects(file string) (out []*Managed) {
	for _, r := range m.Resources {
		out = append(out, &Managed{file, r.Address, r.Type, attributesOf(r.Values), r.Values, true, r.Mode == modeManaged && r.Deposed == ""})
	}
	for _, child := range m.Children {
		out = append(out, child.objects(file)...)
	}
	return out
}

const modeManaged = "managed"

func (r *rawResource) objects(file string) (out []*Managed) {
	for _, instance := range r.Instances {
		address := r.Type + "." + r.Name
		if r.Module != "" {
			address = r.Module + "." + address
		}
		switch index := instance.Index.(type) {
		case string:
			address += fmt.Sprintf("[%s]", hclwrite.TokensForValue(cty.StringVal(index)).Bytes())
		case float64:
			address += fmt.Sprintf("[%.0f]", index)
		}
		isManaged := r.Mode == modeManaged && instance.Deposed == ""
		out = append(out, &Managed{file, address, r.Type, attributesOf(instance.Attributes), instance.Attributes, false, isManaged})
	}
	return out
}

// MembersAs are the private labels, by ID, for which a state has members, as which they are managed.
func (s *States) MembersAs() (map[string]string, error) {
	as := map[string]string{}
	for _, m := range s.Objects {
		how := map[string]string{TypeMember: MembersEach, TypeMembers: MembersSet}[m.Type]
		if how == "" {
			continue
		}
		id := m.Text(hclblock.Label)
		if as[id] != "" && as[id] != how {
			return nil, errors.New(m.Address + ": a state has members of this private label one by one and as a set. Keep one of them")
		}
		as[id] = how
	}
	return as, nil
}
