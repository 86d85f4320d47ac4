package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

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
	if depth > maxJSONDepth {
		return refusedValue(firstOf(at), errJSONDepth)
	}
	switch p := plain.(type) {
	case json.Number:
		if !inRange(p.String()) {
			return refusedValue(at, fmt.Errorf("%s: %w", transport.CutText(p.String(), 40), ErrNumberRange))
		}
	case []any:
		for i, element := range p {
			if err := checkNumbers(fmt.Sprintf("%s[%d]", at, i), element, depth+1); err != nil {
				return err
			}
		}
	case map[string]any:
		for name, field := range p {
			if err := checkNumbers(strings.TrimPrefix(at+"."+transport.CutText(name, 40), "."), field, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func refusedValue(at string, err error) error {
	if at == "" {
		return err
	}
	return fmt.Errorf("%s: %w", at, err)
}

// firstOf returns the beginning of a path, which may be long.
func firstOf(at string) string {
	first, _, _ := strings.Cut(at, ".")
	first, _, _ = strings.Cut(first, "[")
	return first
}

// inRange checks a number by its text, before any arithmetic.
func inRange(text string) bool {
	mantissa, exponent, has := strings.Cut(strings.ToLower(text), "e")
	if len(mantissa) > MaxNumberDigits {
		return false
	}
	if !has {
		return true
	}
	n, err := strconv.Atoi(exponent)
	return !errors.Is(err, strconv.ErrRange) && -MaxNumberExponent <= n && n <= MaxNumberExponent
}
