package providertest

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestHolds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"1 added":                             true,
		"Resources: 1 added, 0 changed":       true,
		"11 added":                            false,
		"11 added, 1 added":                   true,
		"21 added, 11 added":                  false,
		"no resources":                        false,
		"Resources: 0 added, 1 changed, 1 ad": false,
	} {
		assert.Equal(t, want, holds(text, "1 added"), "%q holds it", text)
	}
}
