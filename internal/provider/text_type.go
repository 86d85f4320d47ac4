package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// textKind is what a kind of text means: which spellings are allowed, and
// which of them are the same thing.
type textKind interface {
	// noun names the kind in messages: "host name".
	noun() string
	// normal returns the one spelling that stands for all with the same meaning.
	normal(string) string
	// check returns a sentence a user can act on, or nil.
	check(string) error
}

// textType is a string attribute that is compared by meaning. It has no rules of
// its own: the framework applies those of a type to every value, also to what the
// API returned and to what is in state. Attributes that a configuration sets have
// a textValidator.
type textType[K textKind] struct {
	basetypes.StringType
}

// textValue is a value of a textType; its zero value is null.
type textValue[K textKind] struct {
	basetypes.StringValue
}

var (
	_ basetypes.StringTypable                    = textType[hostKind]{}
	_ basetypes.StringValuableWithSemanticEquals = textValue[hostKind]{}
)

func newText[K textKind](s string) textValue[K] {
	return textValue[K]{basetypes.NewStringValue(s)}
}

func (t textType[K]) Equal(o attr.Type) bool {
	_, ok := o.(textType[K])
	return ok
}

func (t textType[K]) String() string {
	var k K
	return "text(" + k.noun() + ")"
}

func (t textType[K]) ValueFromString(_ context.Context, in basetypes.StringValue) (basetypes.StringValuable, diag.Diagnostics) {
	return textValue[K]{in}, nil
}

func (t textType[K]) ValueFromTerraform(ctx context.Context, in tftypes.Value) (attr.Value, error) {
	v, err := t.StringType.ValueFromTerraform(ctx, in)
	if err != nil {
		return nil, err
	}
	s, ok := v.(basetypes.StringValue)
	if !ok {
		return nil, fmt.Errorf("unexpected value type %T", v)
	}
	return textValue[K]{s}, nil
}

func (t textType[K]) ValueType(context.Context) attr.Value { return textValue[K]{} }

func (v textValue[K]) Type(context.Context) attr.Type { return textType[K]{} }

func (v textValue[K]) Equal(o attr.Value) bool {
	other, ok := o.(textValue[K])
	return ok && v.StringValue.Equal(other.StringValue)
}

// StringSemanticEquals keeps the user's spelling in state when the service
// writes the same thing in another way.
func (v textValue[K]) StringSemanticEquals(_ context.Context, o basetypes.StringValuable) (bool, diag.Diagnostics) {
	other, ok := o.(textValue[K])
	return ok && v.sameAs(other), nil
}

// sameAs compares two known values by meaning.
func (v textValue[K]) sameAs(o textValue[K]) bool { return v.normal() == o.normal() }

// normal is the one spelling of all that mean the same.
func (v textValue[K]) normal() string {
	var k K
	return k.normal(v.ValueString())
}

// means tells whether the value stands for s.
func (v textValue[K]) means(s string) bool { return v.sameAs(newText[K](s)) }

// textValidator applies a kind's check to a configuration, and to nothing else.
type textValidator[K textKind] struct{}

func (textValidator[K]) Description(context.Context) string {
	var k K
	return "a valid " + k.noun()
}

func (v textValidator[K]) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (textValidator[K]) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	var k K
	if err := k.check(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Not a valid "+k.noun(), fmt.Sprintf("%q: %s.", req.ConfigValue.ValueString(), err))
	}
}

// textRules are the validators of an attribute of a kind.
func textRules[K textKind]() []validator.String { return []validator.String{textValidator[K]{}} }

// keepSpelling plans the state's spelling when the configuration says the same
// in another one. Semantic equality alone does not: it is no part of planning.
func keepSpelling[K textKind]() planmodifier.String { return keepSpellingModifier[K]{} }

type keepSpellingModifier[K textKind] struct{}

func (m keepSpellingModifier[K]) Description(context.Context) string {
	var k K
	return "Another spelling of the same " + k.noun() + " is no change."
}

func (m keepSpellingModifier[K]) MarkdownDescription(ctx context.Context) string {
	return m.Description(ctx)
}

func (m keepSpellingModifier[K]) PlanModifyString(_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	if req.StateValue.IsNull() || req.PlanValue.IsNull() || req.PlanValue.IsUnknown() {
		return
	}
	var k K
	if k.normal(req.StateValue.ValueString()) == k.normal(req.PlanValue.ValueString()) {
		resp.PlanValue = req.StateValue
	}
}
