package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
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

// UnmarshalJSON decodes any number: an error would lose the rest of the response, such as the ID of a created object.
// Fractions are dropped, and a number that is out of range is not Valid. For any other JSON the error names the field.
func (m *Millis) UnmarshalJSON(raw []byte) (err error) {
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
func (m Millis) Time() time.Time { return time.UnixMilli(int64(m)).UTC() }

// RFC3339 returns the time in the format of Terraform attributes.
func (m Millis) RFC3339() string { return m.Time().Format(time.RFC3339) }

// Valid reports whether RFC 3339, whose years have four digits, can express the time. A number of microseconds is not
// valid.
func (m Millis) Valid() bool {
	year := m.Time().Year()
	return 0 <= year && year <= 9999
}

// Amount formats a number without an exponent: a million is 1000000, not 1e+06.
func Amount(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// Limits of JSON whose shape the API documentation does not show. Terraform keeps numbers of 154 digits; expanding a
// large exponent would take minutes and gigabytes.
const (
	MaxNumberDigits   = 400
	MaxNumberExponent = 400
	maxJSONDepth      = 100
)

// ErrNumberRange: a number has too many digits or too large an exponent.
var ErrNumberRange = fmt.Errorf("numbers have at most %d digits and exponents up to %d", MaxNumberDigits, MaxNumberExponent)

var errJSONDepth = fmt.Errorf("values are nested at most %d levels deep", maxJSONDepth)

// CheckNumbers returns an error for numbers and nesting depths that exceed the limits, in JSON that was decoded with
// UseNumber. The error names the field.
func CheckNumbers(plain any) error { return checkNumbers("", plain, 0) }

func checkNumbers(at string, plain any, depth int) error {
	const cut = 40 // characters of a name or a number in an error
	refused := func(err error) error {
		if at == "" {
			return err
		}
		return fmt.Errorf("%s: %w", printable.Cut(at, 2*cut), err)
	}
	if depth > maxJSONDepth {
		return refused(errJSONDepth)
	}
	switch p := plain.(type) {
	case json.Number:
		if !inRange(p.String()) {
			return refused(fmt.Errorf("%s: %w", printable.Cut(p.String(), cut), ErrNumberRange))
		}
	case []any:
		for i, element := range p {
			if err := checkNumbers(fmt.Sprintf("%s[%d]", at, i), element, depth+1); err != nil {
				return err
			}
		}
	case map[string]any:
		for name, field := range p {
			if err := checkNumbers(strings.TrimPrefix(at+"."+printable.Cut(name, cut), "."), field, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// inRange checks a number by its text, before any arithmetic.
func inRange(text string) bool {
	mantissa, exponent, has := strings.Cut(strings.ToLower(text), "e")
	n, err := strconv.Atoi(exponent)
	return len(mantissa) <= MaxNumberDigits && (!has || err == nil && -MaxNumberExponent <= n && n <= MaxNumberExponent)
}
