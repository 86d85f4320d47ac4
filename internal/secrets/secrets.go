// Package secrets removes known secrets from texts.
package secrets

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"html"
	"net/url"
	"slices"
	"strings"
)

const (
	// Redacted replaces a secret.
	Redacted = "(secret)"

	// MinLength is the minimum length in bytes of a word that is treated as a secret: an API may call a short word a token.
	MinLength = 8
)

// Redactor replaces known secrets in text: as they are, escaped in any mixture of the escapes of HTML, URLs, JSON and
// Go, in hex and in base64. What can contain secrets in other ways, such as bodies and headers, is in no error and no
// log. A text is redacted before it is cut.
type Redactor []string // the longest first: one secret may be a prefix of another

// New returns a redactor of these secrets. Empty ones are ignored.
func New(secrets ...string) Redactor {
	r := slices.DeleteFunc(slices.Clone(secrets), func(s string) bool { return s == "" })
	slices.SortStableFunc(r, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return r
}

// Long returns a redactor without the short secrets, which may be part of ordinary words.
func (r Redactor) Long() Redactor {
	return slices.DeleteFunc(slices.Clone(r), func(s string) bool { return len(s) < MinLength })
}

// Text returns text without the secrets.
func (r Redactor) Text(text string) string {
	for _, secret := range r {
		for _, spelling := range spellings(secret) {
			text = strings.ReplaceAll(text, spelling, Redacted)
		}
		text = withoutEscaped(text, secret)
	}
	return text
}

// spellings of a secret that are not a sequence of escapes.
func spellings(secret string) []string {
	out := []string{secret, url.QueryEscape(secret)}
	if len(secret) < MinLength { // the base64 of a shorter one could be part of any text
		return out
	}
	inHex := hex.EncodeToString([]byte(secret))
	out = append(out, inHex, strings.ToUpper(inHex))
	for before := range 3 {
		out = append(out, inBase64(base64.RawStdEncoding, secret, before), inBase64(base64.RawURLEncoding, secret, before))
	}
	return out
}

// inBase64 returns the base64 characters of a secret, inside of a longer text, that no neighbor changes. The secret
// begins at byte `before` of a group of three.
func inBase64(encoding *base64.Encoding, secret string, before int) string {
	const bits, width = 8, 6
	whole := encoding.EncodeToString(append(make([]byte, before), secret...))
	return whole[(before*bits+width-1)/width : (before+len(secret))*bits/width]
}

// layers of escapes that are searched, such as JSON in HTML in JSON.
const layers = 3

// withoutEscaped replaces a secret that is spelled with escapes.
func withoutEscaped(text, secret string) string {
	var out strings.Builder
	for strings.ContainsAny(text, `\%&`) {
		begin, end := findEscaped(text, secret)
		if begin == end {
			break
		}
		out.WriteString(text[:begin] + Redacted)
		text = text[end:]
	}
	return out.String() + text
}

// findEscaped returns where a secret begins and ends in text, twice the same for nowhere. The secret may have what looks
// like an escape, too.
func findEscaped(text, secret string) (begin, end int) {
	forms := []string{secret}
	var at []int
	for range layers {
		text, at = unescaped(text, at)
		form, _ := unescaped(forms[0], nil)
		forms = append([]string{form}, forms...)
		for _, form := range forms {
			if i := strings.Index(text, form); form != "" && i >= 0 {
				return at[i], at[i+len(form)]
			}
		}
	}
	return 0, 0
}

// unescaped returns text without one layer of escapes, and where each byte of it begins in the text that `from` maps
// text to; the last one is its end.
func unescaped(text string, from []int) (plain string, at []int) {
	var out strings.Builder
	origin := func(i int) int {
		if from == nil {
			return i
		}
		return from[i]
	}
	for i := 0; i < len(text); {
		char, size := unescape(text[i:])
		for range len(char) {
			at = append(at, origin(i))
		}
		out.WriteString(char)
		i += size
	}
	return out.String(), append(at, origin(len(text)))
}

// unescape returns the first character of text, and how many bytes it has there.
func unescape(text string) (char string, size int) {
	coded := func(begin, digits int) []byte { // nil if they are no hex digits
		if len(text) < begin+digits {
			return nil
		}
		code, err := hex.DecodeString(text[begin : begin+digits])
		if err != nil {
			return nil
		}
		return code
	}
	switch text[0] {
	case '%':
		if code := coded(1, 2); code != nil {
			return string(code), 3
		}
	case '&':
		if end := strings.IndexByte(text[:min(len(text), 12)], ';'); end > 0 {
			if char := html.UnescapeString(text[:end+1]); char != text[:end+1] {
				return char, end + 1
			}
		}
	case '\\':
		if len(text) == 1 {
			return "", 1
		}
		if code := coded(2, 4); code != nil && text[1] == 'u' {
			return string(rune(binary.BigEndian.Uint16(code))), 6
		}
		if code := coded(2, 2); code != nil && text[1] == 'x' {
			return string(code), 4
		}
		return text[1:2], 2
	}
	return text[:1], 1
}

// redactedError keeps the type of an error whose text was redacted.
type redactedError struct {
	text string
	err  error
}

func (e *redactedError) Error() string { return e.text }

func (e *redactedError) Unwrap() error { return e.err }

// Error returns err without the secrets in its text. errors.As finds the same errors in it.
func (r Redactor) Error(err error) error {
	if err == nil {
		return nil
	}
	said := err.Error()
	if clean := r.Text(said); clean != said {
		return &redactedError{text: clean, err: err}
	}
	return err
}

// Without removes secrets from the body of a response, as they are and as JSON may escape them.
func Without(body []byte, secrets ...string) []byte {
	for _, s := range secrets {
		if len(s) < MinLength {
			continue
		}
		for _, spelling := range []string{s, strings.ReplaceAll(s, "/", `\/`)} {
			if bytes.Contains(body, []byte(spelling)) {
				body = bytes.ReplaceAll(body, []byte(spelling), []byte(Redacted))
			}
		}
	}
	return body
}
