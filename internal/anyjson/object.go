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

// SameText compares JSON without its white space.
func SameText(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}
