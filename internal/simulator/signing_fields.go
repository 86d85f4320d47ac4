package simulator

import (
	"maps"
	"slices"
	"strconv"
)

// formFields are the texts of a form, by name. Reading them records the first problem and the names that were read, so
// that an unknown field is found.
type formFields struct {
	text    map[string]string
	asked   map[string]bool
	problem *apiError
}

func (f *formFields) value(name string) (value string, given bool) {
	if f.asked == nil {
		f.asked = map[string]bool{}
	}
	f.asked[name] = true
	value, given = f.text[name]
	return value, given
}

func (f *formFields) wrong(message string) {
	if f.problem == nil {
		f.problem = invalidData(message)
	}
}

// needed is a required text that must not be blank.
func (f *formFields) needed(name string) string {
	value, _ := f.value(name)
	if blank(value) {
		f.wrong(name + " is required.")
	}
	return value
}

// nullable is nil if the field is omitted or is the text null.
func (f *formFields) nullable(name string) *string {
	value, given := f.value(name)
	if !given || value == "null" {
		return nil
	}
	return &value
}

// flag is the text true or false.
func (f *formFields) flag(name string, needed bool) bool {
	value, given := f.value(name)
	if given && value != "true" && value != "false" || needed && !given {
		f.wrong(name + " is not true or false.")
	}
	return value == "true"
}

// count is a whole number of 0 or more, or nil.
func (f *formFields) count(name string) *int64 {
	value := f.nullable(name)
	if value == nil {
		return nil
	}
	n, err := strconv.ParseInt(*value, 10, 64)
	if err != nil || n < 0 {
		f.wrong(name + " is not a whole number of 0 or more.")
	}
	return &n
}

// list is the text of a JSON array.
func (f *formFields) list(name string, into any) {
	value, given := f.value(name)
	if !given || value == "null" {
		f.wrong(name + " is required.")
		return
	}
	if rejection := decodeData([]byte(value), into); rejection != nil {
		f.wrong(name + ": " + rejection.message)
	}
}

// done returns the first problem; a field that was not read is one.
func (f *formFields) done() *apiError {
	for _, name := range slices.Sorted(maps.Keys(f.text)) {
		if !f.asked[name] {
			f.wrong("A field is not known: " + name)
		}
	}
	return f.problem
}
