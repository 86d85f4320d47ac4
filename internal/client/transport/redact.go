package transport

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

const (
	redacted = "(secret)"

	// minSecret is the minimum length in bytes of a word that is treated as a secret: an API may call a short word a token.
	minSecret = 8
)

// Redactor replaces known secrets in text: as they are, escaped once for HTML, a URL or a Go string, in hex and in
// base64. What can contain secrets in other ways, such as bodies and headers, is in no error and no log.
type Redactor []string // spellings, the longest first: one secret may be a prefix of another

// NewRedactor returns a redactor of these secrets. Empty ones are ignored.
func NewRedactor(secrets ...string) (r Redactor) {
	for _, s := range secrets {
		if s == "" {
			continue
		}
		quoted := strconv.Quote(s)
		r = append(r, s, html.EscapeString(s), url.QueryEscape(s), url.PathEscape(s), quoted[1:len(quoted)-1])
		if len(s) >= minSecret { // the base64 of a shorter one could be part of any text
			inHex := hex.EncodeToString([]byte(s))
			r = append(r, inHex, strings.ToUpper(inHex))
			for before := range 3 {
				r = append(r, inBase64(base64.RawStdEncoding, s, before), inBase64(base64.RawURLEncoding, s, before))
			}
		}
	}
	slices.SortStableFunc(r, func(a, b string) int { return len(b) - len(a) })
	return r
}

// inBase64 returns the base64 characters of a secret, inside of a longer text, that no neighbor changes. The secret
// begins at byte `before` of a group of three.
func inBase64(encoding *base64.Encoding, secret string, before int) string {
	const bits, width = 8, 6
	whole := encoding.EncodeToString(append(make([]byte, before), secret...))
	return whole[(before*bits+width-1)/width : (before+len(secret))*bits/width]
}

// Text returns text without the secrets.
func (r Redactor) Text(text string) string {
	pairs := make([]string, 0, 2*len(r))
	for _, spelling := range r {
		pairs = append(pairs, spelling, redacted)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// long returns a redactor without the short secrets, which may be part of ordinary words.
func (r Redactor) long() Redactor {
	return slices.DeleteFunc(slices.Clone(r), func(s string) bool { return len(s) < minSecret })
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

// withoutCredentials removes credentials from a response: only the token exchange uses them, and the data of other
// responses may be stored in state.
func withoutCredentials(body []byte, credentials ...string) []byte {
	for _, s := range credentials {
		if len(s) >= minSecret && bytes.Contains(body, []byte(s)) {
			body = bytes.ReplaceAll(body, []byte(s), []byte(redacted))
		}
	}
	return body
}
