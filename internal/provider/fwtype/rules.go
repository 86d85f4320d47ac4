package fwtype

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
)

// Undescribed is embedded in validators and plan modifiers, whose descriptions only debug logs show.
type Undescribed struct{}

func (Undescribed) Description(context.Context) string {
	return ""
}

func (Undescribed) MarkdownDescription(context.Context) string {
	return ""
}

// StringRule is a rule of this provider for strings. The stock rules show every rejected value, and do not say what to
// write instead.
type StringRule struct {
	Undescribed
	Check  func(string) error // a sentence a user can act on, or nil
	Secret bool               // the rejected value is not shown
}

func (r *StringRule) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	given := req.ConfigValue.ValueString()
	if err := r.Check(given); err != nil {
		shown := strconv.Quote(given)
		if r.Secret {
			shown = ""
		}
		resp.Diagnostics.Append(diagnostic.InvalidValue(req.Path, shown, err.Error()))
	}
}

// Matching is the check of a form, with the rule as its error.
func Matching(form *regexp.Regexp, rule string) func(string) error {
	return func(given string) error {
		if form.MatchString(given) {
			return nil
		}
		return errors.New(rule)
	}
}

// NumberRule is a rule for numbers: the stock rules have no "above", and write 0.000000.
type NumberRule struct {
	Undescribed
	Accepts string // "a number of 0 or more"
	Check   func(float64) bool
	Null    string // what follows the error of null; "" accepts null
}

func (r NumberRule) ValidateFloat64(_ context.Context, req validator.Float64Request, resp *validator.Float64Response) {
	given := req.ConfigValue.ValueFloat64()
	switch {
	case req.ConfigValue.IsUnknown(), req.ConfigValue.IsNull() && r.Null == "":
	case req.ConfigValue.IsNull():
		resp.Diagnostics.Append(diagnostic.InvalidValue(req.Path, "null", "set "+r.Accepts+r.Null))
	case !r.Check(given):
		resp.Diagnostics.Append(diagnostic.InvalidValue(req.Path, printable.Number(given), "set "+r.Accepts))
	}
}

// Forms of §2.1.
var (
	IDForm     = regexp.MustCompile(`^[0-9a-f]{32}$`)                     // of every ID
	MonthForm  = regexp.MustCompile(`^\d{4}-(0[1-9]|1[0-2])$`)            // a calendar month
	PeriodForm = regexp.MustCompile(`^(\d{4}-(0[1-9]|1[0-2])|lifetime)$`) // a calendar month or all time
)

// Rule is a rule for a value of any type. Its error names what was given last: "must be 1 or 2, got: 3".
type Rule struct {
	Undescribed
	accepts  string                  // "must be 1 or 2"
	rejected func(attr.Value) string // what was given, or ""
}

func (r Rule) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	resp.Diagnostics.Append(r.check(req.Path, req.ConfigValue)...)
}

func (r Rule) ValidateInt64(_ context.Context, req validator.Int64Request, resp *validator.Int64Response) {
	resp.Diagnostics.Append(r.check(req.Path, req.ConfigValue)...)
}

func (r Rule) ValidateMap(_ context.Context, req validator.MapRequest, resp *validator.MapResponse) {
	resp.Diagnostics.Append(r.check(req.Path, req.ConfigValue)...)
}

func (r Rule) check(at path.Path, given attr.Value) diag.Diagnostics {
	if given.IsNull() || given.IsUnknown() {
		return nil
	}
	got := r.rejected(given)
	if got == "" {
		return nil
	}
	return diag.Diagnostics{diagnostic.NotAccepted(at, r.accepts, got)}
}

// Form accepts strings of a form.
func Form(form *regexp.Regexp, accepts string) Rule {
	return textRule(accepts, form.MatchString)
}

// OneOf accepts some strings only.
func OneOf(values ...string) Rule {
	return textRule(fmt.Sprintf("value must be one of: %q", values), func(given string) bool { return slices.Contains(values, given) })
}

// NoneOf rejects some strings.
func NoneOf(values ...string) Rule {
	return textRule(fmt.Sprintf("value must be none of: %q", values), func(given string) bool { return !slices.Contains(values, given) })
}

func textRule(accepts string, accepted func(string) bool) Rule {
	return Rule{accepts: accepts, rejected: func(given attr.Value) string {
		if text := Display(given); !accepted(text) {
			return strconv.Quote(text)
		}
		return ""
	}}
}

// LengthAtMost accepts strings of so many characters.
func LengthAtMost(most int) Rule {
	return length(fmt.Sprintf("UTF-8 character count must be at most %d", most), 0, most)
}

// LengthBetween accepts strings of so many characters.
func LengthBetween(least, most int) Rule {
	return length(fmt.Sprintf("UTF-8 character count must be between %d and %d", least, most), least, most)
}

func length(accepts string, least, most int) Rule {
	return within(accepts, int64(least), int64(most), func(given attr.Value) int64 { return int64(utf8.RuneCountInString(Display(given))) })
}

// Between accepts these numbers.
func Between(least, most int64) Rule {
	return within(fmt.Sprintf("value must be between %d and %d", least, most), least, most, func(given attr.Value) int64 {
		n, _ := given.(types.Int64)
		return n.ValueInt64()
	})
}

// Size accepts maps of so many elements.
func Size(accepts string, least, most int64) Rule {
	return within(accepts, least, most, func(given attr.Value) int64 {
		m, _ := given.(types.Map)
		return int64(len(m.Elements()))
	})
}

func within(accepts string, least, most int64, number func(attr.Value) int64) Rule {
	return Rule{accepts: accepts, rejected: func(given attr.Value) string {
		if n := number(given); n < least || n > most {
			return strconv.FormatInt(n, 10)
		}
		return ""
	}}
}

// Rules of several attributes.
var (
	NotBlank = Form(regexp.MustCompile(`\S`), "must not be blank")
	NotEmpty = length("string length must be at least 1", 1, math.MaxInt)
)

// ConflictsWith rejects a string beside another attribute that is set.
func ConflictsWith(other path.Path) validator.String {
	return conflict{other: other}
}

type conflict struct {
	Undescribed
	other path.Path
}

func (c conflict) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	var other attr.Value
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, c.other, &other)...)
	if isSet(req.ConfigValue) && isSet(other) {
		resp.Diagnostics.AddAttributeError(req.Path, diagnostic.SummaryInvalidCombination,
			fmt.Sprintf("%s and %s cannot be set together. Remove one of them.", c.other, req.Path))
	}
}

func isSet(v attr.Value) bool {
	return v != nil && !v.IsNull() && !v.IsUnknown()
}

// IDRule is the rule of the ID of another object. Where `terraform test` mocks the provider, the CLI makes up such an ID: the
// rule accepts it, and a plan, which a mocked provider does not make, rejects it.
type IDRule struct{ StringRule }

// madeUp matches what Terraform and OpenTofu make up for a string of a mocked provider.
var madeUp = regexp.MustCompile(`^[0-9A-Za-z]{4,16}$`)

func (r *IDRule) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if !madeUp.MatchString(req.ConfigValue.ValueString()) {
		r.StringRule.ValidateString(ctx, req, resp)
	}
}

func (r *IDRule) PlanModifyString(ctx context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	resp.Diagnostics.Append(r.Reject(ctx, req.Path, req.PlanValue)...)
}

// Reject returns an error for what is no ID, also for one that a CLI has made up.
func (r *IDRule) Reject(ctx context.Context, at path.Path, given types.String) diag.Diagnostics {
	var checked validator.StringResponse
	r.StringRule.ValidateString(ctx, validator.StringRequest{Path: at, ConfigValue: given}, &checked)
	return checked.Diagnostics
}

// LabelIDValidator accepts an ID.
var LabelIDValidator = &IDRule{StringRule{Check: Matching(IDForm, "set an ID of 32 lowercase hex characters")}}

// PrivateLabelIDValidator accepts the ID of a private label. A host name is the most likely mistake, so the error says
// where to find the ID.
var PrivateLabelIDValidator = &IDRule{StringRule{Check: checkLabelID}}

// PackageIDValidator accepts the ID of a package. A code is the most likely mistake.
var PackageIDValidator = &IDRule{StringRule{Check: checkPackageID}}

func checkPackageID(given string) error {
	if IDForm.MatchString(given) {
		return nil
	}
	const resource = "reseller_package.example.id"
	code := "…"
	if (CodeKind{}).Check(given) == nil {
		code = given
	}
	return errors.New("set the ID of a package, 32 lowercase hex characters. A code is not an ID" +
		".\n\nFor a package of this configuration, set " + resource + ". For another one, add this data source:\n\n" +
		`  data "reseller_package" "example" { code = "` + code + `" }` + "\n\nand set data." + resource)
}

func checkLabelID(given string) error {
	if IDForm.MatchString(given) {
		return nil
	}
	const resource = "reseller_private_label.example.id"
	mistake := ""
	host := "…"
	if strings.Contains(given, ".") && (HostKind{}).Check(given) == nil {
		mistake = "; " + given + " is a host name"
		host = given
	}
	return errors.New("set the ID of a private label, 32 lowercase hex characters" + mistake +
		".\n\nFor a private label of this configuration, set " + resource + ". For another one, add this data source:\n\n" +
		`  data "reseller_private_label" "example" { domain = "` + host + `" }` + "\n\nand set data." + resource)
}
