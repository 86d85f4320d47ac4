// Package fwtype has the types of the framework that compare by meaning, with their validators, and conversions.
package fwtype

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
)

// Kind is the meaning of a kind of text: which spellings are allowed, and which of them are equal.
type Kind interface {
	// Normal returns the one spelling of all texts with the same meaning.
	Normal(string) string
	// Check returns a sentence a user can act on, or nil.
	Check(string) error
}

// TextType is a string attribute that is compared by meaning. It has no rules, because the framework applies the rules
// of a type to every value, including values from the API and from state. Attributes that a configuration sets have a
// TextRule.
type TextType[K Kind] struct {
	basetypes.StringType
}

// TextValue is a value of a TextType; its zero value is null.
type TextValue[K Kind] struct {
	basetypes.StringValue
}

var _ basetypes.StringValuableWithSemanticEquals = TextValue[HostKind]{}

// NewText returns a text on one line: no kind has a line break, which the API might send. A text without one keeps its
// spaces, because a code with two in a row is another code than the one with one.
func NewText[K Kind](s string) TextValue[K] {
	if strings.ContainsFunc(s, breaksLine) {
		s = printable.OneLine(s)
	}
	return TextValue[K]{basetypes.NewStringValue(strings.TrimSpace(s))}
}

// breaksLine reports whether a terminal or an editor could begin a line at r, or leave it.
func breaksLine(r rune) bool {
	return r != ' ' && unicode.IsSpace(r) && !unicode.Is(unicode.Zs, r)
}

func (t TextType[K]) Equal(o attr.Type) bool {
	_, ok := o.(TextType[K])
	return ok
}

func (t TextType[K]) String() string {
	var k K
	return fmt.Sprintf("text(%T)", k)
}

func (t TextType[K]) ValueFromString(_ context.Context, in basetypes.StringValue) (basetypes.StringValuable, diag.Diagnostics) {
	return TextValue[K]{in}, nil
}

func (t TextType[K]) ValueFromTerraform(ctx context.Context, in tftypes.Value) (attr.Value, error) {
	v, err := t.StringType.ValueFromTerraform(ctx, in)
	s, _ := v.(basetypes.StringValue) // nil after an error
	return TextValue[K]{s}, err
}

func (t TextType[K]) ValueType(context.Context) attr.Value {
	return TextValue[K]{}
}

func (v TextValue[K]) Type(context.Context) attr.Type {
	return TextType[K]{}
}

func (v TextValue[K]) Equal(o attr.Value) bool {
	other, ok := o.(TextValue[K])
	return ok && v.StringValue.Equal(other.StringValue)
}

// String is equal for values with the same meaning.
func (v TextValue[K]) String() string {
	if v.IsNull() || v.IsUnknown() {
		return v.StringValue.String()
	}
	return strconv.Quote(v.Normal())
}

// StringSemanticEquals keeps the user's spelling in state if the API returns another spelling of the same value.
func (v TextValue[K]) StringSemanticEquals(_ context.Context, o basetypes.StringValuable) (bool, diag.Diagnostics) {
	other, ok := o.(TextValue[K])
	return ok && v.SameAs(other), nil
}

// SameAs compares two known values by meaning.
func (v TextValue[K]) SameAs(o TextValue[K]) bool {
	return v.Normal() == o.Normal()
}

// Normal is the one spelling of all values with the same meaning.
func (v TextValue[K]) Normal() string {
	var k K
	return k.Normal(v.ValueString())
}

// Means reports whether the value has the meaning of s.
func (v TextValue[K]) Means(s string) bool {
	return v.SameAs(NewText[K](s))
}

// TextRule applies the check of a kind to configurations only.
func TextRule[K Kind]() validator.String {
	var k K
	return &StringRule{Check: k.Check}
}

// TextRules are the validators of an attribute of a kind.
func TextRules[K Kind]() []validator.String {
	return []validator.String{TextRule[K]()}
}

// KeepSpelling plans the spelling in state if the configuration has another spelling of the same value. Semantic
// equality alone does not do this, because it is not part of planning.
func KeepSpelling[K Kind]() planmodifier.String {
	return keepSpellingModifier[K]{}
}

// A different spelling of the same value is not a change.
type keepSpellingModifier[K Kind] struct{ Undescribed }

func (m keepSpellingModifier[K]) PlanModifyString(_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	if req.StateValue.IsNull() || req.PlanValue.IsNull() || req.PlanValue.IsUnknown() {
		return
	}
	var k K
	if k.Normal(req.StateValue.ValueString()) == k.Normal(req.PlanValue.ValueString()) {
		resp.PlanValue = req.StateValue
	}
}

// TextProblem returns the errors of a known text at a path, for a rule that needs more than the configuration.
func TextProblem[K Kind](ctx context.Context, at path.Path, text string) diag.Diagnostics {
	var resp validator.StringResponse
	TextRule[K]().ValidateString(ctx, validator.StringRequest{Path: at, ConfigValue: basetypes.NewStringValue(text)}, &resp)
	return resp.Diagnostics
}
