// Package effecttest checks the warnings of a resource in table tests.
package effecttest

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/tool/wording"
)

var deprovisioning = regexp.MustCompile(`^Deprovisioning \S+\.\S+ `)

// Values that the tables share.
const (
	Host  = "sign.acme.example"
	Label = "0123456789abcdef0123456789abcdef"
	Later = effect.KnownAfterApply
)

// Case is one change of one resource and what it announces: "summary: kind subject, kind subject if condition".
type Case struct {
	Name string
	Got  effect.Warnings
	Want []string
}

// Check compares each case. It also checks that every warning fits its topic, names its object first and warns once, and
// that the cases announce every kind of the topics.
func Check(t *testing.T, cases []Case, topics ...effect.Topic) {
	t.Helper()
	announced := map[string]bool{}
	for _, tc := range cases {
		t.Run(tc.Name, func(t *testing.T) {
			t.Parallel()
			got := rows(tc.Got)
			assert.Equal(t, tc.Want, got)
			assert.Len(t, tc.Got.Diagnostics(), len(tc.Got), "diagnostics of warnings")
			for _, n := range tc.Got {
				checkWarning(t, n)
			}
		})
		for _, n := range tc.Got {
			for _, e := range n.Effects {
				announced[topicOf(n)+": "+string(e.Kind)] = true
			}
		}
	}
	for _, topic := range topics {
		for _, k := range topic.Kinds {
			assert.True(t, announced[topic.Summary+": "+string(k)], "no case of %q announces %q", topic.Summary, k)
		}
	}
}

// CheckDetail expects one warning whose detail contains a text.
func CheckDetail(t *testing.T, warnings effect.Warnings, want string) {
	t.Helper()
	require.Len(t, warnings, 1, "want %q", want)
	assert.Contains(t, warnings[0].Detail, want, "got %+v", warnings)
}

// topicOf undoes the summaries that carry a host name.
func topicOf(n effect.Warning) string {
	return deprovisioning.ReplaceAllString(n.Topic.Summary, "Deprovisioning ")
}

func rows(warnings effect.Warnings) []string {
	var out []string
	for _, n := range warnings {
		var effects []string
		for _, e := range n.Effects {
			text := fmt.Sprintf("%s %s", e.Kind, e.Subject())
			if e.If != "" {
				text += " if " + e.If
			}
			effects = append(effects, text)
		}
		out = append(out, n.Topic.Summary+": "+strings.Join(effects, ", "))
	}
	return out
}

func checkWarning(t *testing.T, n effect.Warning) {
	t.Helper()
	assert.NotEmpty(t, n.Effects, "%q announces nothing", n.Topic.Summary)
	first, _, _ := strings.Cut(n.Detail, ". ")
	named := false
	for _, e := range n.Effects {
		assert.True(t, n.Topic.Announces(e.Kind), "%q is no topic of %q", n.Topic.Summary, e.Kind)
		assert.NotEmpty(t, e.Phrase, "an empty row %+v", e)
		subject := e.Subject()
		if e.If != "" && !strings.Contains(n.Detail, "known after apply") {
			t.Errorf("%+v is conditional, and the detail does not say what is known after apply: %s", e, n.Detail)
		}
		named = named || strings.Contains(first, subject) || subject == Later && strings.Contains(n.Detail, "known after apply")
	}
	assert.True(t, named, "the first sentence names nothing: %s", n.Detail)
	for _, word := range wording.Banned(n.Topic.Summary + "\n" + n.Detail) {
		t.Errorf("%s in %q", word, n.Detail)
	}
	assert.LessOrEqual(t, len(strings.Fields(n.Detail)), 60, "words: %s", n.Detail)
}
