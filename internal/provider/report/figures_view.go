package report

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/forms"
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
	totalsView    = figuresView{"usage", append(slices.Clone(fwtype.ItemCodes), "points"), forms.Usage.Names(), "used"}
	remainingView = figuresView{"quota", fwtype.ItemCodes, forms.Quota.Names(), "remaining"}
)

// Read returns the figures by item code.
func (v figuresView) Read(raw json.RawMessage) map[string]float64 {
	var data any
	_ = json.Unmarshal(raw, &data) // what is not JSON has no figures
	top := byItem(data)
	tops := []map[string]any{top, byItem(top[v.name])}
	out := map[string]float64{}
	for _, code := range v.items {
		if n, ok := v.figure(tops, code).(float64); ok {
			out[code] = n
		}
	}
	return out
}

// figure returns the figure of an item, nil for none: from the section of this figure, else from a field of the item at
// the top level, else from a field of the item in the only section that has it.
func (v figuresView) figure(tops []map[string]any, code string) any {
	var found []any
	for _, top := range tops {
		for _, section := range v.sections {
			items := byItem(top[section])
			found = append(found, numberIn(items, code), numberIn(items[code], v.field))
		}
	}
	for _, top := range tops {
		found = append(found, numberIn(top[code], v.field))
	}
	return cmp.Or(append(found, v.inSections(tops, code))...)
}

// inSections searches all objects and rows one level down for the item. Sections with different values have different
// meanings, so none of them is used.
func (v figuresView) inSections(tops []map[string]any, code string) (figure any) {
	for _, top := range tops {
		for _, section := range top {
			n := numberIn(byItem(section)[code], v.field)
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
		out := map[string]any{}
		rows := map[string]int{}
		for _, element := range v {
			row, _ := element.(map[string]any)
			code, _ := row["itemCode"].(string)
			out[code] = row
			rows[code]++
		}
		maps.DeleteFunc(out, func(code string, _ any) bool { return rows[code] > 1 })
		return out
	default:
		return nil
	}
}

// numberIn is a number in an object, nil if the field is none.
func numberIn(value any, field string) any {
	object, _ := value.(map[string]any)
	switch figure := object[field].(type) {
	case float64:
		return figure
	case string:
		if n, err := strconv.ParseFloat(figure, 64); err == nil && !math.IsInf(n, 0) && !math.IsNaN(n) {
			return n
		}
	}
	return nil
}
