package document

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// rejectChanges returns an error for each attribute that the plan would change. Values known after apply are checked by the
// apply.
func (d operation) rejectChanges(plan, state tftypes.Value) diag.Diagnostics {
	var diags diag.Diagnostics
	told := map[string]bool{}
	for _, c := range changes(path.Empty(), plan, state) {
		top := c.at.Steps()[0].String()
		if told[top] {
			continue // one error for an attribute
		}
		told[top] = true
		text := fmt.Sprintf("%s of %s cannot change from %s to %s.", c.at, d.name, shown(c.was), shown(c.planned))
		back := fmt.Sprintf("Restore %s to %s.", c.at, shown(c.was))
		if slices.Contains(d.hidden, top) {
			text, back = fmt.Sprintf("%s of %s cannot change.", c.at, d.name), fmt.Sprintf("Restore the former value of %s.", c.at)
		}
		diags.AddAttributeError(c.at, session.SummaryImmutable,
			fmt.Sprintf("%s %s\n\nNothing was changed. %s %s", text, d.reason, back, d.removalHint()))
	}
	return diags
}

// change is one value that differs.
type change struct {
	at           path.Path
	planned, was tftypes.Value
}

// changes finds all differences between plan and state, at any depth.
func changes(at path.Path, planned, was tftypes.Value) []change {
	if !planned.IsKnown() || planned.Equal(was) || isEmptyList(planned) && isEmptyList(was) {
		return nil
	}
	var fields, before map[string]tftypes.Value
	if planned.As(&fields) == nil && was.As(&before) == nil && sameKeys(fields, before) {
		var out []change
		_, isObject := planned.Type().(tftypes.Object)
		for _, name := range fwtype.SortedKeys(fields) {
			next := at.AtMapKey(name)
			if isObject {
				next = at.AtName(name)
			}
			out = append(out, changes(next, fields[name], before[name])...)
		}
		return out
	}
	var rows, rowsBefore []tftypes.Value
	if !planned.IsNull() && planned.As(&rows) == nil && was.As(&rowsBefore) == nil && len(rows) == len(rowsBefore) {
		var out []change
		for i := range rows {
			out = append(out, changes(at.AtListIndex(i), rows[i], rowsBefore[i])...)
		}
		return out
	}
	return []change{{at, planned, was}}
}

// isEmptyList: an omitted list and an empty one are sent alike, so a change between them is not a change.
func isEmptyList(v tftypes.Value) bool {
	var rows []tftypes.Value
	return v.Type().Is(tftypes.List{}) && v.As(&rows) == nil && len(rows) == 0
}

func sameKeys(a, b map[string]tftypes.Value) bool {
	return len(a) > 0 && slices.Equal(slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b)))
}

// shown renders a value for a message.
func shown(v tftypes.Value) string {
	var (
		text string
		flag bool
		rows []tftypes.Value
		keys map[string]tftypes.Value
	)
	switch {
	case v.IsNull():
		return "nothing"
	case v.As(&text) == nil:
		return fmt.Sprintf("%q", text)
	case v.As(&flag) == nil:
		return fmt.Sprintf("%t", flag)
	case v.As(&rows) == nil:
		return fmt.Sprintf("a list of %d", len(rows))
	case v.As(&keys) == nil:
		return fmt.Sprintf("a map of %d", len(keys))
	default:
		return shownNumber(v)
	}
}

func shownNumber(v tftypes.Value) string {
	var n big.Float
	if v.As(&n) != nil {
		return "something else"
	}
	return n.Text('g', 10)
}
