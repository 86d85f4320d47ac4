package effect

import "github.com/hashicorp/terraform-plugin-framework/types"

// Textual is a string of the framework or a type of this provider around one.
type Textual interface {
	IsNull() bool
	IsUnknown() bool
	ValueString() string
}

// Label identifies a private label; the zero value is none. What is not known is "".
type Label struct {
	ID, Host string
	Later    bool // neither is known before the apply
}

// String names the private label within a sentence.
func (l Label) String() string {
	switch {
	case l.Host != "":
		return l.Host
	case l.ID != "":
		return "private label " + l.ID
	default:
		return LabelLater
	}
}

// LabelLater names a private label whose ID is known after apply.
const LabelLater = "a private label known after apply"

// Text is the value of an effect that has one: null counts as known after apply.
func Text(v Textual) types.String {
	if v.IsUnknown() || v.IsNull() {
		return types.StringUnknown()
	}
	return types.StringValue(v.ValueString())
}

// NameOf names an object in a detail, or what it is where its name is known after apply.
func NameOf(v Textual, what string) string {
	if v.IsUnknown() || v.IsNull() {
		return what
	}
	return v.ValueString()
}
