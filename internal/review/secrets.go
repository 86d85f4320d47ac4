package review

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// secrets are the sensitive values of a change. Rows do not show them, in any case of their letters.
type secrets struct{ texts []string }

// collect adds the values that are marked true in the second argument, which has the shape of the first.
func (s *secrets) collect(value, sensitive any) {
	switch marks := sensitive.(type) {
	case bool:
		if of, isMap := value.(map[string]any); marks && isMap {
			for key := range of {
				s.text(key) // keys below are attributes
			}
		}
		if marks {
			s.all(value)
		}
	case map[string]any:
		of, _ := value.(map[string]any)
		for name, mark := range marks {
			s.collect(of[name], mark)
		}
	case []any:
		of, _ := value.([]any)
		for i, mark := range marks {
			s.collect(at(of, i), mark)
		}
	}
}

// all adds a value with everything in it.
func (s *secrets) all(value any) {
	switch v := value.(type) {
	case string:
		s.text(v)
	case json.Number:
		if f, err := v.Float64(); err == nil {
			s.text(client.Amount(f))
		}
	case []any:
		for _, inner := range v {
			s.all(inner)
		}
	case map[string]any:
		for _, inner := range v {
			s.all(inner)
		}
	}
}

func (s *secrets) text(v string) {
	if v = strings.TrimSpace(v); v != "" && !slices.Contains(s.texts, v) {
		s.texts = append(s.texts, v)
	}
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
