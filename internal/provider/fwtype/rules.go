package fwtype

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
)

// StringRule is a rule of this provider for strings. The stock rules show every rejected value, and do not say what to
// write instead.
type StringRule struct {
	Accepts string             // for developers: "a valid host name"
	Check   func(string) error // a sentence a user can act on, or nil
	Secret  bool               // the rejected value is not shown
}

func (r *StringRule) Description(context.Context) string {
	return r.Accepts
}

func (r *StringRule) MarkdownDescription(context.Context) string {
	return r.Accepts
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
	Accepts string // "a number of 0 or more"
	Check   func(float64) bool
	Null    string // what follows the error of null; "" accepts null
}

func (r NumberRule) Description(context.Context) string {
	return r.Accepts
}

func (r NumberRule) MarkdownDescription(context.Context) string {
	return r.Accepts
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

// NotBlank rejects "" and white space.
var NotBlank = stringvalidator.RegexMatches(regexp.MustCompile(`\S`), "must not be blank")

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
var LabelIDValidator = &IDRule{StringRule{
	Accepts: "an ID of 32 lowercase hex characters", Check: Matching(IDForm, "set an ID of 32 lowercase hex characters"),
}}

// PrivateLabelIDValidator accepts the ID of a private label. A host name is the most likely mistake, so the error says
// where to find the ID.
var PrivateLabelIDValidator = &IDRule{StringRule{Accepts: "the ID of a private label", Check: checkLabelID}}

// PackageIDValidator accepts the ID of a package. A code is the most likely mistake.
var PackageIDValidator = &IDRule{StringRule{Accepts: "the ID of a package", Check: checkPackageID}}

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
