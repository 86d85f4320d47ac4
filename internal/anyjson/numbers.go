package anyjson

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"time"
)

// Count is a whole number.
type Count int64

// UnmarshalJSON decodes any number, as Millis does.
func (c *Count) UnmarshalJSON(raw []byte) (err error) {
	*c, err = wholeNumber[Count](raw)
	return err
}

// Millis is a time in the API's format: whole milliseconds since the Unix epoch, in UTC (§2.1).
type Millis int64

// UnmarshalJSON decodes any number, and RFC 3339: an error would lose the rest of the response, such as the ID of a created
// object. Fractions are dropped, and a number that is out of range is not Valid. For any other JSON the error names the
// field.
func (m *Millis) UnmarshalJSON(raw []byte) (err error) {
	var at time.Time
	if raw[0] == '"' && json.Unmarshal(raw, &at) == nil {
		*m = Millis(at.UnixMilli())
		return nil
	}
	*m, err = wholeNumber[Millis](raw)
	return err
}

// wholeNumber decodes a number in any notation, and null as 0. One that is out of range becomes the nearest in it.
func wholeNumber[N ~int64](raw []byte) (N, error) {
	if whole, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return N(whole), nil
	}
	number, err := strconv.ParseFloat(string(raw), 64) // infinite if out of range
	if errors.Is(err, strconv.ErrSyntax) {
		return 0, json.Unmarshal(raw, new(float64)) // its error names the field
	}
	return N(max(math.MinInt64/2, min(math.MaxInt64/2, number))), nil
}

// Time returns the time in UTC.
func (m Millis) Time() time.Time {
	return time.UnixMilli(int64(m)).UTC()
}

// Valid reports whether RFC 3339, whose years have four digits, can express the time. A number of microseconds is not
// valid.
func (m Millis) Valid() bool {
	year := m.Time().Year()
	return 0 <= year && year <= 9999
}
