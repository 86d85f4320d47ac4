package report

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// figuresView is the typed view of a payload that the API documentation does not show. It uses a number only if its
// field or its section has the figure's own name: a bare number may be anything, and a `total` may be a limit (§2.3).
type figuresView struct {
	name     string   // of the read; an object of this name in the payload counts as its top level
	items    []string // item codes
	sections []string // objects with this figure by item code
	field    string   // of an item, that contains this figure
}

var (
	totalsView    = figuresView{"usage", append(slices.Clone(fwtype.ItemCodes), "points"), []string{"totals", "used"}, "used"}
	remainingView = figuresView{"quota", fwtype.ItemCodes, []string{"remaining"}, "remaining"}
)

// Read returns the figures by item code.
func (v figuresView) Read(raw json.RawMessage) map[string]float64 {
	out := map[string]float64{}
	var data any
	if json.Unmarshal(raw, &data) != nil {
		return out
	}
	tops := []map[string]any{byItem(data)}
	if inner, ok := tops[0][v.name]; ok {
		tops = append(tops, byItem(inner))
	}
	for _, code := range v.items {
		if n, ok := v.figure(tops, code); ok {
			out[code] = n
		}
	}
	return out
}

// figure returns the figure of an item: from the section of this figure, else from a field of the item at the top
// level, else from a field of the item in the only section that has it.
func (v figuresView) figure(tops []map[string]any, code string) (float64, bool) {
	var candidates []any
	for _, top := range tops {
		for _, section := range v.sections {
			item := byItem(top[section])[code]
			candidates = append(candidates, item, fieldOf(item, v.field))
		}
	}
	for _, top := range tops {
		candidates = append(candidates, fieldOf(top[code], v.field))
	}
	for _, candidate := range append(candidates, v.inSections(tops, code)) {
		if n, ok := candidate.(float64); ok {
			return n, true
		}
	}
	return 0, false
}

// inSections searches all objects and rows one level down for the item. Sections with different values have different
// meanings, so none of them is used.
func (v figuresView) inSections(tops []map[string]any, code string) (figure any) {
	for _, top := range tops {
		for _, section := range top {
			n := fieldOf(byItem(section)[code], v.field)
			if n != nil && figure != nil && n != figure {
				return nil
			}
			figure = cmp.Or(n, figure)
		}
	}
	return figure
}

// byItem returns an object unchanged, and rows by their item code. An item with several rows is omitted, because each
// row has another meaning.
func byItem(value any) map[string]any {
	switch v := value.(type) {
	case map[string]any:
		return v
	case []any:
		out, twice := map[string]any{}, map[string]bool{}
		for _, element := range v {
			row, _ := element.(map[string]any)
			code, _ := row["itemCode"].(string)
			_, twice[code] = out[code]
			out[code] = row
		}
		for code, is := range twice {
			if is {
				delete(out, code)
			}
		}
		return out
	default:
		return nil
	}
}

// fieldOf is the field of an object, nil if it has no number.
func fieldOf(value any, field string) any {
	object, _ := value.(map[string]any)
	if n, ok := object[field].(float64); ok {
		return n
	}
	return nil
}
