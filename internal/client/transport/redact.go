package transport

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
)

const (
	redacted = "(secret)"

	// minSecret is the minimum length in bytes of a word that is treated as a secret: an API may call a short word a token.
	minSecret = 8
	// maxRedacted is the maximum number of bytes in which secrets are searched. Errors need no more, and the rest is
	// dropped since it could contain the other half of a secret.
	maxRedacted = 32 << 10
	// spellingDepth is the number of nested escapes that are decoded: a URL in JSON in a quoted Go string has three.
	spellingDepth = 4
)

// Redactor replaces secrets in text in all spellings: raw, escaped for a URL, HTML, JSON or a Go string, several of
// these nested, in base64 and in hex, and with invisible characters in between.
type Redactor struct{ needles []string }

// NewRedactor returns a redactor of these secrets. Empty ones are ignored.
func NewRedactor(secrets ...string) Redactor {
	var r Redactor
	for _, secret := range secrets {
		if secret != "" {
			r.needles = append(r.needles, spellingsOf(secret)...)
		}
	}
	// Longest first: one secret may be a prefix of another.
	slices.SortFunc(r.needles, func(a, b string) int { return len(b) - len(a) })
	r.needles = slices.Compact(r.needles)
	return r
}

// spellingsOf returns the spellings of a secret that decoding escapes does not undo. A short secret has no encoded
// ones: its base64 could be part of any text.
func spellingsOf(secret string) []string {
	out := []string{secret}
	if strings.Contains(secret, " ") {
		out = append(out, strings.ReplaceAll(secret, " ", "+")) // in a query
	}
	if len(secret) < minSecret {
		return out
	}
	inHex := hex.EncodeToString([]byte(secret))
	out = append(out, inHex, strings.ToUpper(inHex))
	for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for before := range 3 {
			out = append(out, inBase64(encoding, secret, before))
		}
	}
	return out
}

// inBase64 returns the base64 characters of part, inside of a longer text, that no neighbor changes. part begins at
// byte `before` of a group of three.
func inBase64(encoding *base64.Encoding, part string, before int) string {
	const bits, width = 8, 6
	whole := encoding.EncodeToString(append(make([]byte, before), part...))
	first := (before*bits + width - 1) / width
	last := (before + len(part)) * bits / width
	return whole[first:last]
}

// Text returns text without the secrets. Text beyond maxRedacted is cut.
func (r Redactor) Text(text string) string {
	if len(r.needles) == 0 || text == "" {
		return text
	}
	isCut := len(text) > maxRedacted
	if isCut {
		text = text[:maxRedacted]
	}
	var spans []span
	for level, depth := literally(text), 0; depth < spellingDepth; depth++ {
		for _, needle := range r.needles {
			spans = append(spans, level.find(needle)...)
			if isCut {
				spans = append(spans, level.halfAtEnd(needle)...)
			}
		}
		next, changed := level.unescaped()
		if !changed {
			break
		}
		level = next
	}
	text = blank(text, spans)
	if isCut {
		text += "…"
	}
	return text
}

// long returns a redactor without the short secrets, which may be part of ordinary words.
func (r Redactor) long() Redactor {
	return Redactor{slices.DeleteFunc(slices.Clone(r.needles), func(needle string) bool { return len(needle) < minSecret })}
}

// span is a range of the source text.
type span struct{ from, to int }

func blank(text string, spans []span) string {
	if len(spans) == 0 {
		return text
	}
	slices.SortFunc(spans, func(a, b span) int { return a.from - b.from })
	var out strings.Builder
	at := 0
	for _, s := range spans {
		if s.from >= at {
			out.WriteString(text[at:s.from] + redacted)
		}
		at = max(at, s.to)
	}
	out.WriteString(text[at:])
	return out.String()
}

// reading is a text with decoded escapes. Each byte has the range of the source from which it was decoded.
type reading struct {
	text  []byte
	spelt []span
}

func literally(source string) reading {
	r := reading{text: []byte(source), spelt: make([]span, len(source))}
	for i := range r.spelt {
		r.spelt[i] = span{i, i + 1}
	}
	return r
}

func (r reading) find(needle string) []span {
	var out []span
	text := string(r.text)
	for at := 0; ; {
		i := strings.Index(text[at:], needle)
		if i < 0 {
			return out
		}
		at += i
		out = append(out, span{r.spelt[at].from, r.spelt[at+len(needle)-1].to})
		at += len(needle)
	}
}

// halfAtEnd finds the beginning of a needle at the end of a cut text. The cut may also have divided an escape.
func (r reading) halfAtEnd(needle string) []span {
	const shortest, longestEscape = 4, len("&#x0010FFFF;")
	wanted := []byte(needle)
	for cut := range longestEscape {
		text := r.text[:max(0, len(r.text)-cut)]
		for n := min(len(wanted)-1, len(text)); n >= shortest; n-- {
			if bytes.HasSuffix(text, wanted[:n]) {
				return []span{{r.spelt[len(text)-n].from, r.spelt[len(r.spelt)-1].to}}
			}
		}
	}
	return nil
}

// unescaped decodes one level of escapes and removes invisible characters.
func (r reading) unescaped() (next reading, changed bool) {
	text := string(r.text)
	for i := 0; i < len(text); {
		meaning, size := unescape(text[i:])
		if size == 0 {
			meaning, size = text[i:i+1], 1
		} else {
			changed = true
		}
		for j := range len(meaning) {
			next.text = append(next.text, meaning[j])
			next.spelt = append(next.spelt, span{r.spelt[i].from, r.spelt[i+size-1].to})
		}
		i += size
	}
	return next, changed
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

// WithoutCredentials removes credentials from a response: only the token exchange uses them, and the data of other
// responses may be stored in state.
func WithoutCredentials(body []byte, credentials ...string) []byte {
	for _, s := range credentials {
		if len(s) >= minSecret && bytes.Contains(body, []byte(s)) {
			body = bytes.ReplaceAll(body, []byte(s), []byte(redacted))
		}
	}
	return body
}
