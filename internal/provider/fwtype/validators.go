package fwtype

import (
	"encoding/json"
	"fmt"
	"regexp"
	"sort"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// SortedKeys returns the keys in order, so that calls and texts have the same order in every run.
func SortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

// ItemCodes are the items of the allowance (§2.6).
var ItemCodes = []string{"documents", "seats", "templates", "notarizations"}

func StringValue(s string) types.String { return types.StringValue(s) }

var LabelIDValidator = stringvalidator.RegexMatches(IDForm, "must be an ID of 32 lowercase hex characters")

func ComputedJSON(description string) schema.StringAttribute {
	return schema.StringAttribute{CustomType: jsontypes.NormalizedType{}, Computed: true, MarkdownDescription: description}
}

// NormalizedJSON is JSON without white space, with its fields in order and its numbers unchanged.
func NormalizedJSON(v any) (jsontypes.Normalized, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return jsontypes.NewNormalizedNull(), err
	}
	plain, err := DecodeNumbers(raw)
	if err != nil {
		return jsontypes.NewNormalizedNull(), err
	}
	text, err := transport.EncodeJSON(plain)
	if err != nil {
		return jsontypes.NewNormalizedNull(), err
	}
	return jsontypes.NewNormalizedValue(string(text)), nil
}

// LabelArgument is the private label that a data source reads.
func LabelArgument() schema.StringAttribute {
	return schema.StringAttribute{
		Required:            true,
		MarkdownDescription: "Private label ID. API: `:tenantId`.",
		Validators:          []validator.String{PrivateLabelIDValidator},
	}
}

// ActionLabelArgument is the private label that an action is about.
func ActionLabelArgument() actionschema.StringAttribute {
	a := LabelArgument()
	return actionschema.StringAttribute{Required: true, MarkdownDescription: a.MarkdownDescription, Validators: a.Validators}
}

func TextOrNull(s string) types.String {
	if s == "" {
		return types.StringNull()
	}
	return types.StringValue(s)
}

// Display renders a value for a message: strings without their quotes.
func Display(v attr.Value) string {
	type stringer interface{ ValueString() string }
	if v == nil || v.IsNull() {
		return "nothing"
	}
	if s, ok := v.(stringer); ok && !v.IsUnknown() {
		return s.ValueString()
	}
	return v.String()
}

func ComputedString(description string) schema.StringAttribute {
	return schema.StringAttribute{Computed: true, MarkdownDescription: description}
}

func ComputedTime(description string) schema.StringAttribute {
	return schema.StringAttribute{CustomType: timetypes.RFC3339Type{}, Computed: true, MarkdownDescription: description}
}

func ComputedNumber(description string) schema.Float64Attribute {
	return schema.Float64Attribute{Computed: true, MarkdownDescription: description}
}

// IDForm is the form of every ID of the API (§2.1).
var IDForm = regexp.MustCompile(`^[0-9a-f]{32}$`)

// NotBlank rejects "" and white space.
var NotBlank = stringvalidator.RegexMatches(regexp.MustCompile(`\S`), "must not be blank")

// MonthForm is a calendar month (§2.1).
var MonthForm = regexp.MustCompile(`^\d{4}-(0[1-9]|1[0-2])$`)

// PeriodForm is a calendar month or all time (§2.1).
var PeriodForm = regexp.MustCompile(`^(\d{4}-(0[1-9]|1[0-2])|lifetime)$`)

// TimeValue converts the API's milliseconds and keeps their precision. A number that is not a time is null, because an
// object that was created must not be lost because of it.
func TimeValue(ms *client.Millis) timetypes.RFC3339 {
	if ms == nil || !ms.Valid() {
		return timetypes.NewRFC3339Null()
	}
	value, diags := timetypes.NewRFC3339Value(ms.Time().Format(time.RFC3339Nano))
	if diags.HasError() {
		return timetypes.NewRFC3339Null()
	}
	return value
}

// TimeWarning warns about a time that TimeValue omits; nil for a valid one.
func TimeWarning(field, subject string, ms *client.Millis) diag.Diagnostics {
	if ms == nil || ms.Valid() {
		return nil
	}
	return diag.Diagnostics{diag.NewWarningDiagnostic(summaryTime,
		fmt.Sprintf("%s has a %s in the API that is not a time in milliseconds since 1970. The attribute is null. Nothing else is affected.", subject, field))}
}
