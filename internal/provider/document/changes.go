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

// rejectChanges returns an error for each attribute that the plan would change, and a warning for one that is known
// after apply, which the apply checks. After an import, a value that the state does not have is recorded.
func (d operation) rejectChanges(plan, state tftypes.Value, imported bool) (diags diag.Diagnostics) {
	told := map[string]bool{}
	found := changes(path.Empty(), plan, state)
	later := slices.DeleteFunc(slices.Clone(found), func(c change) bool { return c.planned.IsKnown() })
	known := slices.DeleteFunc(found, func(c change) bool { return !c.planned.IsKnown() })
	for _, c := range append(known, later...) {
		top := c.at.Steps()[0].String()
		if told[top] || imported && c.was.IsNull() {
			continue // one diagnostic for an attribute
		}
		told[top] = true
		diags.Append(d.rejectChange(c, slices.Contains(d.hidden, top)))
	}
	return diags
}

func (d operation) rejectChange(c change, hidden bool) diag.Diagnostic {
	was := shown(c.was)
	if hidden {
		was = "the former value"
	}
	if !c.planned.IsKnown() {
		return d.mayBecome(c.at, was)
	}
	text := fmt.Sprintf("%s of %s cannot change from %s to %s.", c.at, d.name, was, shown(c.planned))
	if hidden {
		text = fmt.Sprintf("%s of %s cannot change.", c.at, d.name)
	}
	return diag.NewAttributeErrorDiagnostic(c.at, session.SummaryImmutable,
		fmt.Sprintf("%s %s\n\nNothing was changed. Restore %s to %s. %s", text, d.reason, c.at, was, d.removalHint()))
}

// change is one value that differs.
type change struct {
	at           path.Path
	planned, was tftypes.Value
}

// changes finds all differences between plan and state, at any depth. A value that is known after apply is one.
func changes(at path.Path, planned, was tftypes.Value) []change {
	if planned.Equal(was) || isEmptyList(planned) && isEmptyList(was) {
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
