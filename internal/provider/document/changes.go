package document

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// rejectChanges returns an error for each attribute that the plan would change, and a warning for one that is known
// after apply, which the apply checks. After an import, a value that the state does not have is recorded. A secret that is now
// configured as its write-only twin leaves the state.
func (d operation) rejectChanges(plan, state tftypes.Value, config operation) (diags diag.Diagnostics) {
	found := changes(path.Empty(), plan, state)
	keepsSecret := !d.stored.IsNull() && d.stored.Equal(config.configuredSecret())
	told := map[string]bool{}
	for _, isKnown := range []bool{true, false} { // an error before a warning
		for _, c := range found {
			top := c.at.Steps()[0].String()
			if c.planned.IsKnown() != isKnown || told[top] || d.imported && c.was.IsNull() || keepsSecret && top == d.secret {
				continue // one diagnostic for an attribute
			}
			told[top] = true
			diags.Append(d.change(c, top == d.secret))
		}
	}
	return diags
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
	case planned.Equal(was), isEmpty(planned) && isEmpty(was):
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

// isEmpty reports whether a value is sent like an omitted one: an empty list, an empty text and false are.
func isEmpty(v tftypes.Value) bool {
	if !v.IsKnown() {
		return false
	}
	var text string
	var flag bool
	var rows []tftypes.Value
	switch {
	case v.IsNull():
		return true
	case v.Type().Is(tftypes.String):
		return v.As(&text) == nil && text == ""
	case v.Type().Is(tftypes.Bool):
		return v.As(&flag) == nil && !flag
	default:
		return v.Type().Is(tftypes.List{}) && v.As(&rows) == nil && len(rows) == 0
	}
}

// shown renders a value for a message.
func shown(v tftypes.Value) string {
	plain, _ := fwtype.Plain(v) // what is unknown is not shown
	switch p := plain.(type) {
	case nil:
		return "nothing"
	case []any:
		return fmt.Sprintf("a list of %d", len(p))
	case map[string]any:
		return fmt.Sprintf("a map of %d", len(p))
	case json.Number:
		n, _ := p.Float64()
		return fmt.Sprintf("%.10g", n)
	default:
		return fmt.Sprintf("%#v", p)
	}
}

// fingerprint is the same for operations with the same content, in a plan and in a state. It is "" while a part is
// unknown, and after an import, which knows no content.
func fingerprint(ctx context.Context, model oneTimeModel) string {
	d := model.operation()
	if d.imported {
		return ""
	}
	var texts []string
	for _, part := range d.content {
		raw, err := part.ToTerraformValue(ctx)
		if err != nil || !raw.IsFullyKnown() {
			return ""
		}
		if isEmpty(raw) {
			part = types.StringNull()
		}
		texts = append(texts, part.String())
	}
	return strings.Join(texts, "\n")
}
