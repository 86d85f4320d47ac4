package effect

// Textual is a string of the framework or a type of this provider around one.
type Textual interface {
	IsNull() bool
	IsUnknown() bool
	ValueString() string
}

// NewLabel names a private label whose ID is known after apply.
const NewLabel = "the new private label"

// SubjectOf names what an effect reaches.
func SubjectOf(v Textual) string { return NameOf(v, KnownAfterApply) }

// NameOf names an object in a detail, or what it is where its name is known after apply.
func NameOf(v Textual, what string) string {
	if v.IsUnknown() || v.IsNull() {
		return what
	}
	return v.ValueString()
}
