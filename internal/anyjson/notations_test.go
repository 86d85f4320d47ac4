package anyjson

import (
	"encoding/json"
	"testing"
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
		if err := json.Unmarshal([]byte(text), &at); err != nil || int64(at) != want {
			t.Errorf("%s as a time is %d, %v", text, at, err)
		}
		if err := json.Unmarshal([]byte(text), &count); err != nil || int64(count) != want {
			t.Errorf("%s as a count is %d, %v", text, count, err)
		}
	}
	for _, text := range []string{`"2026-03-14"`, `true`, `{}`, `[]`} {
		var at Millis
		if err := json.Unmarshal([]byte(text), &at); err == nil {
			t.Errorf("%s is the time %d", text, at)
		}
	}
	for _, text := range []string{`1e400`, `-1e400`, `1e19`, `1700000000000000`} {
		var at Millis
		if err := json.Unmarshal([]byte(text), &at); err != nil || at.Valid() {
			t.Errorf("%s is the time %d, %v", text, at, err)
		}
	}
}
