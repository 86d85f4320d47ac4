package document

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// rejectChanges returns an error for each attribute that the plan would change, and a warning for one that is known
// after apply, which the apply checks. After an import, a value that the state does not have is recorded.
func (d operation) rejectChanges(plan, state tftypes.Value, imported bool) (diags diag.Diagnostics) {
	found := changes(path.Empty(), plan, state)
	slices.SortStableFunc(found, func(a, b change) int { return later(a.planned) - later(b.planned) })
	told := map[string]bool{}
	for _, c := range found {
		top := c.at.Steps()[0].String()
		if told[top] || imported && c.was.IsNull() || d.secretLeaves && slices.Contains(d.hidden, top) {
			continue // one diagnostic for an attribute
		}
		told[top] = true
		was, change := shown(c.was), fmt.Sprintf(" from %s to %s", shown(c.was), shown(c.planned))
		if slices.Contains(d.hidden, top) {
			was, change = "the former value", ""
		}
		if !c.planned.IsKnown() {
			diags.Append(d.mayBecome(c.at, was))
			continue
		}
		diags.AddAttributeError(c.at, session.SummaryImmutable,
			fmt.Sprintf("%s of %s cannot change%s. %s\n\nNothing was changed. Restore %s to %s. %s", c.at, d.name, change, d.reason, c.at, was, d.removalHint()))
	}
	return diags
}

// later sorts values that are known after apply to the end.
func later(v tftypes.Value) int {
	if v.IsKnown() {
		return 0
	}
	return 1
}

// change is one value that differs.
type change struct {
	at           path.Path
	planned, was tftypes.Value
}

// changes finds all differences between plan and state, at any depth. A value that is known after apply is one.
func changes(at path.Path, planned, was tftypes.Value) (found []change) {
	var fields, fieldsBefore map[string]tftypes.Value
	var rows, rowsBefore []tftypes.Value
	isMap := planned.As(&fields) == nil && was.As(&fieldsBefore) == nil
	isList := planned.As(&rows) == nil && was.As(&rowsBefore) == nil
	switch {
	case planned.Equal(was):
	case isList && len(rows) == 0 && len(rowsBefore) == 0: // an omitted list and an empty one are sent alike
	case isMap && len(fields) > 0 && maps.EqualFunc(fields, fieldsBefore, func(_, _ tftypes.Value) bool { return true }):
		for _, name := range fwtype.SortedKeys(fields) {
			next := at.AtMapKey(name)
			if planned.Type().Is(tftypes.Object{}) {
				next = at.AtName(name)
			}
			found = append(found, changes(next, fields[name], fieldsBefore[name])...)
		}
	case isList && len(rows) == len(rowsBefore):
		for i := range rows {
			found = append(found, changes(at.AtListIndex(i), rows[i], rowsBefore[i])...)
		}
	default:
		found = []change{{at, planned, was}}
	}
	return found
}

// shown renders a value for a message.
func shown(v tftypes.Value) string {
	var (
		text   string
		flag   bool
		number big.Float
		rows   []tftypes.Value
		keys   map[string]tftypes.Value
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
	case v.As(&number) == nil:
		return number.Text('g', 10)
	default:
		return "something else"
	}
}

// fingerprint is the same for operations with the same content, in a plan and in a state. It is "" while a part is
// unknown, and after an import, which knows no content.
func fingerprint(ctx context.Context, model oneTimeModel) string {
	if model.isImported() {
		return ""
	}
	parts := model.content()
	for _, f := range model.files() {
		parts = append(parts, *f.sum)
	}
	var texts []string
	for _, part := range parts {
		raw, err := part.ToTerraformValue(ctx)
		if err != nil || !raw.IsFullyKnown() {
			return ""
		}
		texts = append(texts, canonical(part))
	}
	return strings.Join(texts, "\n")
}

// canonical renders equal values alike: host names and email addresses without case, an omitted list as an empty one.
func canonical(v attr.Value) string {
	var parts []string
	switch v := v.(type) {
	case interface{ Normal() string }:
		return fmt.Sprintf("%q", v.Normal())
	case types.List:
		for _, element := range v.Elements() {
			parts = append(parts, canonical(element))
		}
	case types.Object:
		for _, name := range fwtype.SortedKeys(v.Attributes()) {
			parts = append(parts, name+"="+canonical(v.Attributes()[name]))
		}
	default:
		return v.String()
	}
	return "[" + strings.Join(parts, ",") + "]"
}
