// Package anyjson reads and writes JSON whose shape the API documentation does not show: objects, scalars, numbers and
// times in any notation.
package anyjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
)

// Decode decodes JSON, and rejects numbers that cannot be calculated with.
func Decode(raw json.RawMessage) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var plain any
	if err := dec.Decode(&plain); err != nil {
		return nil, err
	}
	return plain, Check(plain)
}

// Encode returns JSON in which <, > and & are not escaped, without a final newline.
func Encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimRight(buf.Bytes(), "\n"), err
}

// Normalize sorts the keys of JSON, so that equal responses have equal texts.
func Normalize(raw json.RawMessage) (json.RawMessage, error) {
	plain, err := Decode(raw)
	if err != nil {
		return nil, err
	}
	return Encode(plain)
}

// Limits of numbers and of nesting. Terraform keeps numbers of 154 digits; expanding a
// large exponent would take minutes and gigabytes.
const (
	maxDigits    = 400
	MaxExponent  = 400
	maxJSONDepth = 100
)

// ErrNumberRange: a number has too many digits or too large an exponent.
var ErrNumberRange = fmt.Errorf("numbers have at most %d digits and exponents up to %d", maxDigits, MaxExponent)

var errJSONDepth = fmt.Errorf("values are nested at most %d levels deep", maxJSONDepth)

// Check returns an error for numbers and nesting depths that exceed the limits, in JSON that was decoded with
// UseNumber. The error names the field.
func Check(plain any) error {
	return checkAt("", plain, 0)
}

func checkAt(at string, plain any, depth int) error {
	const cut = 40 // characters of a name or a number in an error
	rejected := func(err error) error {
		if at == "" {
			return err
		}
		return fmt.Errorf("%s: %w", printable.Cut(at, 2*cut), err)
	}
	if depth > maxJSONDepth {
		return rejected(errJSONDepth)
	}
	switch p := plain.(type) {
	case json.Number:
		if !inRange(p.String()) {
			return rejected(fmt.Errorf("%s: %w", printable.Cut(p.String(), cut), ErrNumberRange))
		}
	case []any:
		for i, element := range p {
			if err := checkAt(fmt.Sprintf("%s[%d]", at, i), element, depth+1); err != nil {
				return err
			}
		}
	case map[string]any:
		for name, field := range p {
			if err := checkAt(strings.TrimPrefix(at+"."+printable.Cut(name, cut), "."), field, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// inRange checks a number by its text, before any arithmetic.
func inRange(text string) bool {
	mantissa, exponent, ok := strings.Cut(strings.ToLower(text), "e")
	n, err := strconv.Atoi(exponent)
	return len(mantissa) <= maxDigits && (!ok || err == nil && -MaxExponent <= n && n <= MaxExponent)
}

// Same compares decoded JSON by meaning: 1 is 1.0, and a number is the text of the same number.
func Same(a, b any) bool {
	numberA := numberOf(a)
	numberB := numberOf(b)
	if numberA != nil && numberB != nil {
		return numberA.Cmp(numberB) == 0 && (isNumber(a) || isNumber(b) || a == b)
	}
	switch a := a.(type) {
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, Same)
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, Same)
	default:
		return a == b
	}
}

// SameJSON compares JSON as Same does.
func SameJSON(a, b json.RawMessage) bool {
	plainA, errA := Decode(a)
	plainB, errB := Decode(b)
	return errA == nil && errB == nil && Same(plainA, plainB)
}

func isNumber(plain any) bool {
	_, ok := plain.(json.Number)
	return ok
}

// numberForm is the form of a number of JSON.
var numberForm = regexp.MustCompile(`^-?\d+(\.\d+)?([eE][+-]?\d+)?$`)

// numberOf returns a number, also one that is a text; nil for anything else.
func numberOf(plain any) *big.Float {
	switch p := plain.(type) {
	case json.Number:
		return BigFloat(p)
	case string:
		if numberForm.MatchString(p) && inRange(p) {
			return BigFloat(json.Number(p))
		}
	}
	return nil
}

// BigFloat is a number that Decode has accepted.
func BigFloat(n json.Number) *big.Float {
	f, _ := new(big.Float).SetPrec(512).SetString(n.String())
	return f
}
