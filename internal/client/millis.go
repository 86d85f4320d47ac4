package client

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"time"
)

// Millis is a time in the API's format: whole milliseconds since the Unix epoch, in UTC (§2.1).
type Millis int64

// Time returns the time in UTC.
func (m Millis) Time() time.Time { return time.UnixMilli(int64(m)).UTC() }

// RFC3339 returns the time in the format of Terraform attributes.
func (m Millis) RFC3339() string { return m.Time().Format(time.RFC3339) }

// UnmarshalJSON decodes any number: an error would lose the rest of the response, such as the ID of a created object.
// Fractions are dropped, and a number that is out of range is not Valid. For any other JSON the error names the field.
func (m *Millis) UnmarshalJSON(raw []byte) error {
	text := string(raw)
	if text == "null" {
		return nil
	}
	if whole, err := strconv.ParseInt(text, 10, 64); err == nil {
		*m = Millis(whole)
		return nil
	}
	number, err := strconv.ParseFloat(text, 64) // infinite if out of range
	if math.IsNaN(number) || err != nil && !math.IsInf(number, 0) {
		return &json.UnmarshalTypeError{Value: kindOfJSON(raw), Type: reflect.TypeFor[Millis]()}
	}
	*m = Millis(max(math.MinInt64/2, min(math.MaxInt64/2, number)))
	return nil
}

func kindOfJSON(raw []byte) string {
	switch raw[0] {
	case '"':
		return "string"
	case '{':
		return "object"
	case '[':
		return "array"
	default:
		return "bool"
	}
}

// Valid reports whether RFC 3339, whose years have four digits, can express the time. A number of microseconds is not
// valid.
func (m Millis) Valid() bool {
	const firstYear, lastYear = 0, 9999
	year := time.UnixMilli(int64(m)).UTC().Year()
	return firstYear <= year && year <= lastYear
}
