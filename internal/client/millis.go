package client

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"time"
)

// Millis is a point in time as the API writes it: whole milliseconds since the
// Unix epoch, in UTC (§2.1).
type Millis int64

// Time converts to a time.Time in UTC.
func (m Millis) Time() time.Time { return time.UnixMilli(int64(m)).UTC() }

// RFC3339 renders the time the way Terraform attributes carry it.
func (m Millis) RFC3339() string { return m.Time().Format(time.RFC3339) }

// UnmarshalJSON reads any number: an error would hide the rest of the response,
// such as the ID of what was created. Fractions are cut, and a number that is no
// time is kept out of the range of Valid. Anything else is an error that names the
// field.
func (m *Millis) UnmarshalJSON(raw []byte) error {
	text := string(raw)
	if text == "null" {
		return nil
	}
	if whole, err := strconv.ParseInt(text, 10, 64); err == nil {
		*m = Millis(whole)
		return nil
	}
	number, err := strconv.ParseFloat(text, 64) // infinite for one out of range
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

// Valid reports whether the time can be written in RFC 3339, whose years have four
// digits. What a service counts in microseconds cannot.
func (m Millis) Valid() bool {
	const firstYear, lastYear = 0, 9999
	year := time.UnixMilli(int64(m)).UTC().Year()
	return firstYear <= year && year <= lastYear
}
