package provider_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

func TestTopics_SummariesFold(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, topic := range effect.Topics() {
		words := len(strings.Fields(topic.Summary))
		assert.NotEqual(t, 0, words, "%q has %d words, want 1 to 8", topic.Summary, words)
		assert.LessOrEqual(t, words, 8, "%q has words", topic.Summary)
		assert.False(t, strings.HasSuffix(topic.Summary, "."), "%q ends with a period or holds a value", topic.Summary)
		assert.NotContains(t, topic.Summary, "%", "ends with a period or holds a value")
		assert.False(t, seen[topic.Summary], "%q stands twice", topic.Summary)
		seen[topic.Summary] = true
		assert.NotEmpty(t, topic.Kinds, "%q announces nothing", topic.Summary)
	}
}

func TestTopics_EveryKindIsAnnounced(t *testing.T) {
	t.Parallel()
	for _, kind := range effect.Kinds() {
		announced := kind == effect.Drift || kind == effect.Conflict // a review alone sees them
		for _, topic := range effect.Topics() {
			announced = announced || topic.Announces(kind)
		}
		assert.True(t, announced, "no topic announces %q", kind)
	}
}
