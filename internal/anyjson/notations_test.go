package anyjson

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// All JSON notations of a number are the same number.
func TestNumbers_AnyNotation(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"1700000000000": 1700000000000, "1.7e12": 1700000000000, "1700000000000.0": 1700000000000, "17E+11": 1700000000000,
		"0": 0, "-5": -5, "2.9": 2, "-2.9": -2, "9007199254740993": 9007199254740993,
	} {
		var at Millis
		var count Count
		err := json.Unmarshal([]byte(text), &at)
		require.NoError(t, err, "%s as a time is %d", text, at)
		assert.Equal(t, want, int64(at), "%s as a time is %d", text, at)
		err = json.Unmarshal([]byte(text), &count)
		require.NoError(t, err, "%s as a count is %d", text, count)
		assert.Equal(t, want, int64(count), "%s as a count is %d", text, count)
	}
	for _, text := range []string{`"2026-03-14"`, `true`, `{}`, `[]`} {
		var at Millis
		assert.Error(t, json.Unmarshal([]byte(text), &at), "%s is the time %d", text, at)
	}
	for _, text := range []string{`1e400`, `-1e400`, `1e19`, `1700000000000000`} {
		var at Millis
		err := json.Unmarshal([]byte(text), &at)
		require.NoError(t, err, "%s is the time %d", text, at)
		assert.False(t, at.Valid(), "%s is the time %d, %v", text, at, err)
	}
}
