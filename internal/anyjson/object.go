package anyjson

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Object is a JSON object in a response whose fields the API documentation does not show.
type Object map[string]json.RawMessage

// ReadObject returns nil if raw is not an object.
func ReadObject(raw json.RawMessage) Object {
	var o Object
	if json.Unmarshal(raw, &o) != nil {
		return nil
	}
	return o
}

// Text returns the first nonempty text or number among the named fields.
func (o Object) Text(names ...string) string {
	for _, name := range names {
		var s Scalar
		if json.Unmarshal(o[name], &s) == nil && s != "" {
			return string(s)
		}
	}
	return ""
}

// Scalar is the text of a JSON string, number or boolean, for fields whose type the API documentation does not show.
// null is "".
type Scalar string

// UnmarshalJSON returns an error for objects and arrays.
func (s *Scalar) UnmarshalJSON(raw []byte) error {
	var text string
	err := json.Unmarshal(raw, &text)
	switch {
	case err == nil:
		*s = Scalar(text)
	case IsScalar(raw):
		*s = Scalar(raw)
	default:
		return err
	}
	return nil
}

// IsScalar reports whether value is a number, string or boolean. It is false for null, which an API may send instead of
// rows.
func IsScalar(value json.RawMessage) bool {
	return len(value) > 0 && !bytes.ContainsAny(value[:1], "{[n")
}

// IsNothing reports whether JSON is null, or an empty text, string, object or array.
func IsNothing(raw json.RawMessage) bool {
	return slices.Contains([]string{"", "null", "{}", "[]", `""`}, string(bytes.TrimSpace(raw)))
}

// Rows are the elements of an array that may be null where it is empty. A response that lacks the array has nil Rows.
type Rows[T any] []T

// UnmarshalJSON decodes null as no rows, and each row as Read does.
func (r *Rows[T]) UnmarshalJSON(raw []byte) error {
	rows := []T{}
	if err := Read(raw, &rows); err != nil {
		return err
	}
	if rows == nil {
		rows = []T{}
	}
	*r = rows
	return nil
}

// Nullable is an object that may be null: that says something, unlike a response that lacks it.
type Nullable[T any] struct {
	Value   *T
	IsGiven bool
}

// Given returns what a response has; nil is null.
func Given[T any](value *T) Nullable[T] {
	return Nullable[T]{value, true}
}

// UnmarshalJSON is called for null as well, and not for a field that the response lacks. It decodes as Read does. What is
// no object is not given.
func (n *Nullable[T]) UnmarshalJSON(raw []byte) error {
	if err := Read(raw, &n.Value); err != nil {
		return err
	}
	n.IsGiven = true
	return nil
}

// Object returns the object, nil for null.
func (n Nullable[T]) Object() any {
	return n.Value
}

// MarshalJSON encodes what a response lacks as null.
func (n Nullable[T]) MarshalJSON() ([]byte, error) {
	return json.Marshal(n.Value)
}
