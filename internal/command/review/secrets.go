package review

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/listing"
	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// secrets are the sensitive values of a change. Rows do not show them, in any case of their letters.
type secrets struct{ texts []string }

// collect adds the values that are marked true in the second argument, which has the shape of the first. keys are those of
// maps that are marked; those below are attributes.
func (s *secrets) collect(value, marks any, keys bool) {
	marked := marks == true
	below := func(inner, itsMarks any) {
		if marked {
			itsMarks = true
		}
		s.collect(inner, itsMarks, !marked)
	}
	switch v := value.(type) {
	case string:
		s.add(v, marked)
	case json.Number:
		f, err := v.Float64()
		s.add(printable.Number(f), marked && err == nil)
	case []any:
		elements, _ := marks.([]any)
		for i, inner := range v {
			below(inner, at(elements, i))
		}
	case map[string]any:
		fields := fieldsOf(marks)
		for key, inner := range v {
			s.add(key, marked && keys)
			below(inner, fields[key])
		}
	}
}

func (s *secrets) add(text string, marked bool) {
	if text = strings.TrimSpace(text); marked && text != "" && !slices.Contains(s.texts, text) {
		s.texts = append(s.texts, text)
	}
}

// withoutThem returns a row whose texts hide the secrets, and whose data lacks them.
func (s *secrets) withoutThem(row listing.Row) listing.Row {
	shown := row
	row.What = s.hide(row.What)
	row.Subject = s.hideSubject(row.Subject)
	for _, text := range []*listing.Text{&row.Host, &row.PrivateLabelID, &row.Code, &row.Email} {
		if s.hideSubject(string(*text)) != string(*text) {
			*text = ""
			row.Uncertain = true
		}
	}
	for _, value := range []*any{&row.Quantity, &row.Before, &row.After} {
		if s.isIn(*value) {
			*value = nil
			row.Uncertain = true
		}
	}
	row.Uncertain = row.Uncertain || row.What != shown.What || row.Subject != shown.Subject
	if row.Host != shown.Host {
		row.Unnamed = effect.Sensitive
	}
	return row
}

// isIn reports whether a value is a secret, or has one in it.
func (s *secrets) isIn(value any) bool {
	switch v := value.(type) {
	case string:
		return s.hideSubject(v) != v
	case float64:
		return s.isIn(printable.Number(v))
	case json.Number:
		f, err := v.Float64()
		return err == nil && s.isIn(printable.Number(f))
	case []any:
		return slices.ContainsFunc(v, s.isIn)
	case []string:
		return slices.ContainsFunc(v, func(text string) bool { return s.isIn(text) })
	case map[string]any:
		for key, inner := range v {
			if s.isIn(key) || s.isIn(inner) {
				return true
			}
		}
	}
	return false
}

// hideSubject replaces a subject that is a secret, or has one in it.
func (s *secrets) hideSubject(subject string) string {
	if slices.ContainsFunc(s.texts, func(text string) bool { return strings.EqualFold(text, strings.TrimSpace(subject)) }) {
		return effect.Sensitive
	}
	return s.hide(subject)
}

// isWord matches a secret that may be a word of a phrase: no value that a phrase contains is that short.
var isWord = regexp.MustCompile(`^\pL{1,3}$`)

// hide replaces each secret that is a value by itself: "5" is not hidden in "50".
func (s *secrets) hide(shown string) string {
	texts := slices.DeleteFunc(slices.Clone(s.texts), isWord.MatchString)
	if len(texts) == 0 || shown == "" {
		return shown
	}
	// The longest first: one may be a part of another.
	slices.SortFunc(texts, func(a, b string) int { return len(b) - len(a) })
	for i := range texts {
		texts[i] = regexp.QuoteMeta(texts[i])
	}
	pattern := regexp.MustCompile(`(?is)(^|[^\pL\pN])(?:` + strings.Join(texts, "|") + `)([^\pL\pN]|$)`)
	var out strings.Builder
	for at := pattern.FindStringSubmatchIndex(shown); at != nil; at = pattern.FindStringSubmatchIndex(shown) {
		out.WriteString(shown[:at[3]] + effect.Sensitive)
		shown = shown[at[4]:]
	}
	return out.String() + shown
}
