package signing

import (
	"encoding/json"
	"errors"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// redactor takes the secrets of one call out of what the service says: the user
// API key, a passcode, a document's password. Even short ones go: a passcode
// has as few as four digits.
type redactor struct{ replacer *strings.Replacer }

func newRedactor(secrets []string) redactor {
	var spellings []string
	for _, secret := range secrets {
		if secret == "" {
			continue
		}
		escaped, _ := json.Marshal(secret) //nolint:errchkjson // a string always encodes
		inJSON := string(escaped[1 : len(escaped)-1])
		quoted := inQuotes(secret)
		spellings = append(spellings, secret, quoted, inQuotes(quoted), inJSON, inQuotes(inJSON),
			html.EscapeString(secret), url.QueryEscape(secret), url.PathEscape(secret))
	}
	// The longest first: one secret may be the beginning of another.
	slices.SortFunc(spellings, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, spelling := range spellings {
		pairs = append(pairs, spelling, "(secret)")
	}
	return redactor{strings.NewReplacer(pairs...)}
}

// inQuotes is how a text looks between the quotes that errors put around it.
func inQuotes(s string) string {
	quoted := strconv.Quote(s)
	return quoted[1 : len(quoted)-1]
}

func (r redactor) text(s string) string { return r.replacer.Replace(s) }

// body of an answer that is no JSON becomes part of an error, cut: secrets go
// before the cut, which could leave half of one.
func (r redactor) body(b []byte) []byte {
	if json.Valid(b) {
		return b
	}
	return []byte(r.text(string(b)))
}

func (r redactor) error(err error) error {
	if e, ok := errors.AsType[*client.Error](err); ok {
		e.Message = r.text(e.Message)
		if !isDocumented(e) {
			e.Code = r.text(e.Code)
		}
		return err
	}
	if err == nil || client.NeverSent(err) {
		return err // nothing of it is the service's
	}
	if clean := r.text(err.Error()); clean != err.Error() {
		return &redactedError{text: clean, err: err}
	}
	return err
}

// redactedError keeps the kind of an error whose text had a secret in it.
type redactedError struct {
	text string
	err  error
}

func (e *redactedError) Error() string { return e.text }
func (e *redactedError) Unwrap() error { return e.err }
