package report

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// figuresView is the typed view of a payload that the API documentation does not show. It uses a number only if its
// meaning is certain.
type figuresView struct {
	name     string   // of the read; an object of this name in the payload counts as its top level
	items    []string // item codes
	sections []string // objects by item code that contain this figure as a bare number
	fields   []string // of an item, that contain this figure; the first one is unambiguous in any section
}

var (
	totalsView = figuresView{
		name:     "usage",
		items:    append(slices.Clone(fwtype.ItemCodes), "points"),
		sections: []string{"totals", "total", "used"},
		fields:   []string{"used", "total", "quantity", "count"},
	}
	remainingView = figuresView{
		name:     "quota",
		items:    fwtype.ItemCodes,
		sections: []string{"remaining"},
		fields:   []string{"remaining"},
	}
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
// level, else from a field of the item in the only section that has it, else from a bare number at the top level.
func (v figuresView) figure(tops []map[string]any, code string) (float64, bool) {
	var candidates []any
	for _, top := range tops {
		for _, section := range v.sections {
			item := byItem(top[section])[code]
			candidates = append(candidates, item, fieldOf(item, v.fields))
		}
	}
	for _, top := range tops {
		candidates = append(candidates, fieldOf(top[code], v.fields))
	}
	candidates = append(candidates, v.inSections(tops, code))
	for _, top := range tops {
		candidates = append(candidates, top[code])
	}
	for _, candidate := range candidates {
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
			n := fieldOf(byItem(section)[code], v.fields[:1])
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

// fieldOf is the first of the fields of an object that has a number, nil for none.
func fieldOf(value any, fields []string) any {
	object, _ := value.(map[string]any)
	for _, field := range fields {
		if n, ok := object[field].(float64); ok {
			return n
		}
	}
	return nil
}
