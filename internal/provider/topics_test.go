package provider_test

import (
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

func TestTopics_SummariesFold(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, topic := range effect.Topics() {
		words := len(strings.Fields(topic.Summary))
		if words == 0 || words > 8 {
			t.Errorf("%q has %d words, want 1 to 8", topic.Summary, words)
		}
		if strings.HasSuffix(topic.Summary, ".") || strings.Contains(topic.Summary, "%") {
			t.Errorf("%q ends with a period or holds a value", topic.Summary)
		}
		if seen[topic.Summary] {
			t.Errorf("%q stands twice", topic.Summary)
		}
		seen[topic.Summary] = true
		if len(topic.Kinds) == 0 {
			t.Errorf("%q announces nothing", topic.Summary)
		}
	}
}

func TestTopics_EveryKindIsAnnounced(t *testing.T) {
	t.Parallel()
	for _, kind := range effect.Kinds() {
		announced := kind == effect.Drift || kind == effect.Conflict // a review alone sees them
		for _, topic := range effect.Topics() {
			announced = announced || topic.Announces(kind)
		}
		if !announced {
			t.Errorf("no topic announces %q", kind)
		}
	}
}
