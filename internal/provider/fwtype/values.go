package fwtype

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
)

// SortedKeys returns the keys in order, so that calls and texts have the same order in every run.
func SortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}

// ItemCodes are the items of the allowance (§2.6).
var ItemCodes = []string{"documents", "seats", "templates", "notarizations"}

// NormalizedJSON is JSON without white space, with its fields in order and its numbers unchanged.
func NormalizedJSON(v any) (jsontypes.Normalized, error) {
	plain, err := decoded(v)
	if err != nil {
		return jsontypes.NewNormalizedNull(), err
	}
	text, err := anyjson.Encode(plain)
	return jsontypes.NewNormalizedValue(string(text)), err
}

// decoded is a value of the client as JSON is decoded.
func decoded(v any) (any, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return anyjson.Decode(raw)
}

func TextOrNull(s string) types.String {
	if s == "" {
		return types.StringNull()
	}
	return types.StringValue(s)
}

// Display renders a value for a message: strings without their quotes.
func Display(v attr.Value) string {
	if v == nil || v.IsNull() {
		return "nothing"
	}
	if s, ok := v.(interface{ ValueString() string }); ok && !v.IsUnknown() {
		return s.ValueString()
	}
	return v.String()
}

// TimeValue converts the API's milliseconds and keeps their precision. A number that is not a time is null, because an
// object that was created must not be lost because of it.
func TimeValue(ms *anyjson.Millis) timetypes.RFC3339 {
	if ms == nil || !ms.Valid() {
		return timetypes.NewRFC3339Null()
	}
	return timetypes.NewRFC3339ValueMust(ms.Time().Format(time.RFC3339Nano))
}

// TimeWarning warns about a time that TimeValue omits; nil for a valid one.
func TimeWarning(field, subject string, ms *anyjson.Millis) diag.Diagnostics {
	if ms == nil || ms.Valid() {
		return nil
	}
	return diag.Diagnostics{diag.NewWarningDiagnostic(SummaryTime,
		fmt.Sprintf("%s has a %s in the API that is not a time in milliseconds since 1970. The attribute is null. Nothing else is affected.", subject, field))}
}
