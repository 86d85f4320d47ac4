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
	"unicode"
	"unicode/utf8"
)

const (
	// Redacted replaces a secret.
	Redacted = "(secret)"

	// MinLength is the minimum length in bytes of a word that is treated as a secret: an API may call a short word a token.
	MinLength = 8
)

// Redactor replaces known secrets in text: in any case, with invisible characters in them, escaped in any mixture of the
// escapes of HTML, URLs, JSON and Go, in hex and in base64. What can contain secrets in other ways, such as bodies and
// headers, is in no error and no log. A text is redacted before it is cut.
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

// maxText is the maximum length of a text in bytes. A longer one, which nobody reads, is cut between words, so that no part
// of a secret remains.
const maxText = 64 << 10

// Text returns text without the secrets.
func (r Redactor) Text(text string) string {
	if len(text) > maxText {
		text = text[:max(0, strings.LastIndexAny(text[:maxText], " <>\n"))] + "…"
	}
	for _, secret := range r {
		text = strings.ReplaceAll(text, secret, Redacted)
		spelled := spellings(secret)
		for depth := range layers + 1 {
			if depth > 0 && !strings.ContainsAny(text, `\%&`) {
				break
			}
			text = layerOf(text, depth).folded().without(spelled)
		}
	}
	return text
}

// spellings of a secret that are searched in a folded text. One that has what looks like an escape is searched without
// it, too.
func spellings(secret string) []string {
	out := []string{url.QueryEscape(secret)}
	for depth := range layers + 1 {
		out = append(out, layerOf(secret, depth).text)
	}
	if len(secret) >= MinLength { // the base64 of a shorter one could be part of any text
		out = append(out, hex.EncodeToString([]byte(secret)))
		for before := range 3 {
			out = append(out, inBase64(base64.RawStdEncoding, secret, before), inBase64(base64.RawURLEncoding, secret, before))
		}
	}
	for i, spelling := range out {
		out[i] = layerOf(spelling, 0).folded().text
	}
	return New(out...)
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

// layer is a text without some of its escapes.
type layer struct {
	of   string // the text with all of them
	text string
	at   []int // where each byte of text begins in of; the last one is the end
}

// layerOf returns text without the outer layers of escapes.
func layerOf(text string, depth int) layer {
	l := layer{of: text, text: text, at: make([]int, len(text)+1)}
	for i := range l.at {
		l.at[i] = i
	}
	for range depth {
		l = l.mapped(unescape)
	}
	return l
}

// folded returns the layer in lowercase and without invisible characters.
func (l layer) folded() layer {
	return l.mapped(func(text string) (string, int) {
		char, size := utf8.DecodeRuneInString(text)
		switch {
		case char == utf8.RuneError:
			return text[:size], size
		case unicode.In(char, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
			return "", size
		default:
			return string(unicode.ToLower(char)), size
		}
	})
}

// mapped replaces each character. next returns what replaces the first one of a text, and how many bytes that has.
func (l layer) mapped(next func(text string) (char string, size int)) layer {
	var out strings.Builder
	at := make([]int, 0, len(l.at))
	for i := 0; i < len(l.text); {
		char, size := next(l.text[i:])
		for range len(char) {
			at = append(at, l.at[i])
		}
		out.WriteString(char)
		i += size
	}
	return layer{of: l.of, text: out.String(), at: append(at, l.at[len(l.text)])}
}

// without returns the text with all of its escapes, and without these words of the layer.
func (l layer) without(words []string) string {
	var out strings.Builder
	var begins [256]bool // bytes that a word begins with
	for _, word := range words {
		begins[word[0]] = true
	}
	end := 0 // of what is written
	for i := 0; i < len(l.text); {
		at := -1
		if begins[l.text[i]] {
			at = slices.IndexFunc(words, func(word string) bool { return strings.HasPrefix(l.text[i:], word) })
		}
		if at < 0 {
			i++
			continue
		}
		out.WriteString(l.of[end:l.at[i]] + Redacted)
		i += len(words[at])
		end = l.at[i]
	}
	return out.String() + l.of[end:]
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

func (e *redactedError) Error() string {
	return e.text
}

func (e *redactedError) Unwrap() error {
	return e.err
}

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

// Without removes secrets from the body of a response, as they are, in one case and as JSON may escape them.
func Without(body []byte, secrets ...string) []byte {
	for _, s := range secrets {
		if len(s) < MinLength {
			continue
		}
		for _, spelling := range []string{s, strings.ToUpper(s), strings.ToLower(s), strings.ReplaceAll(s, "/", `\/`)} {
			if bytes.Contains(body, []byte(spelling)) {
				body = bytes.ReplaceAll(body, []byte(spelling), []byte(Redacted))
			}
		}
	}
	return body
}
