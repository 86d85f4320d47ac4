package client

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Item is a package or an add-on. The API documentation shows code and name of both, and the currency of packages only.
// Settings holds all other fields of a response by their names.
type Item struct {
	ID       string
	Code     string // uppercase
	Name     string // "" if the response lacks it
	Currency string // ISO 4217; "" if the response lacks it
	Active   bool   // true if the response lacks it, see HasActive
	Settings map[string]json.RawMessage

	activeAs string // name of the active flag's field
}

// HasActive reports whether the response has the active flag.
func (i Item) HasActive() bool { return i.activeAs != "" }

// Matches reports whether the code or the name contains a text, ignoring case, as a search does.
func (i Item) Matches(query string) bool {
	query = strings.ToUpper(query)
	return strings.Contains(strings.ToUpper(i.Code), query) || strings.Contains(strings.ToUpper(i.Name), query)
}

// CompletedBy returns the item with the fields that it lacks copied from whole.
func (i Item) CompletedBy(whole *Item) *Item {
	out := i
	out.Code, out.Name, out.Currency = cmp.Or(i.Code, whole.Code), cmp.Or(i.Name, whole.Name), cmp.Or(i.Currency, whole.Currency)
	if !i.HasActive() {
		out.Active, out.activeAs = whole.Active, whole.activeAs
	}
	out.Settings = maps.Clone(whole.Settings)
	maps.Copy(out.Settings, i.Settings)
	return &out
}

// The three spellings of the active flag that the client reads.
const (
	activeFlag   = "active"
	isActiveFlag = "isActive"
	statusFlag   = "status"
)

func (i Item) activeName() string {
	if i.activeAs == "" {
		return activeFlag
	}
	return i.activeAs
}

func (i Item) activeValue(active bool) any {
	switch {
	case i.activeAs != statusFlag:
		return active
	case active:
		return "Active"
	default:
		return "Inactive"
	}
}

// readItem decodes a package or an add-on. Its ID is `packageId`, `addonId` or `id`, at the top or one level below.
func readItem(k Kind, raw json.RawMessage) (Item, error) {
	fields, err := itemFields(k, raw)
	if err != nil {
		return Item{}, err
	}
	item := Item{ID: itemID(k, fields), Settings: map[string]json.RawMessage{}}
	item.Active, item.activeAs = readActive(fields)
	for name, value := range fields {
		switch name {
		case k.id, "id", activeFlag, isActiveFlag:
		case "code":
			_ = json.Unmarshal(value, &item.Code)
		case "name":
			_ = json.Unmarshal(value, &item.Name)
		case "currency":
			_ = json.Unmarshal(value, &item.Currency)
		case statusFlag:
			if _, known := statusWord(value); !known {
				item.Settings[name] = value
			}
		default:
			item.Settings[name] = value
		}
	}
	return item, nil
}

// readActive reads the active flag by any of its names, a boolean first. name is "" if there is none.
func readActive(fields map[string]json.RawMessage) (active bool, name string) {
	for _, name := range []string{activeFlag, isActiveFlag} {
		var active *bool
		if json.Unmarshal(fields[name], &active) == nil && active != nil {
			return *active, name
		}
	}
	if active, known := statusWord(fields[statusFlag]); known {
		return active, statusFlag
	}
	return true, ""
}

// statusWord reads `status` as the active flag. known is false for words that the API documentation does not list.
func statusWord(value json.RawMessage) (active, known bool) {
	var word string
	_ = json.Unmarshal(value, &word)
	switch strings.ToLower(word) {
	case "active", "enabled":
		return true, true
	case "inactive", "deactivated", "disabled", "archived":
		return false, true
	default:
		return false, false
	}
}

// itemFields returns the fields of the item in a response: the object with an ID and a code, else the one with the
// kind's own ID, else the one with any ID. An object in the field of the kind takes precedence.
func itemFields(k Kind, raw json.RawMessage) (map[string]json.RawMessage, error) {
	var top map[string]json.RawMessage
	if err := json.Unmarshal(raw, &top); err != nil {
		return nil, fmt.Errorf("the response has no %s that this version can read: %w", k.noun, err)
	}
	candidates := []map[string]json.RawMessage{top}
	for _, name := range append([]string{k.field()}, slices.Sorted(maps.Keys(top))...) {
		var nested map[string]json.RawMessage
		if json.Unmarshal(top[name], &nested) == nil && nested != nil {
			candidates = append(candidates, nested)
		}
	}
	for _, fits := range []func(map[string]json.RawMessage) bool{
		func(f map[string]json.RawMessage) bool { return itemID(k, f) != "" && f["code"] != nil },
		func(f map[string]json.RawMessage) bool { return readID(f[k.id]) != "" },
		func(f map[string]json.RawMessage) bool { return readID(f["id"]) != "" },
	} {
		if at := slices.IndexFunc(candidates, fits); at >= 0 {
			return candidates[at], nil
		}
	}
	return nil, fmt.Errorf("the response has no %s that this version can find", k.id)
}

// itemID returns the kind's own ID, or `id`; "" for none.
func itemID(k Kind, fields map[string]json.RawMessage) string {
	return cmp.Or(readID(fields[k.id]), readID(fields["id"]))
}

func readID(value json.RawMessage) string {
	var id string
	if json.Unmarshal(value, &id) != nil || !idForm.MatchString(id) {
		return ""
	}
	return id
}
