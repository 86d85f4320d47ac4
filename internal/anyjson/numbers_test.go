package anyjson

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMillis_ReadsAnyNumber(t *testing.T) {
	t.Parallel()
	type response struct {
		CreatedAt *Millis `json:"createdAt"`
	}
	for text, want := range map[string]string{
		"0":                "1970-01-01T00:00:00Z",
		"1791201600000":    "2026-10-05T12:00:00Z",
		"1791201600000.75": "2026-10-05T12:00:00Z",
		"1.7912016e12":     "2026-10-05T12:00:00Z",
		"-1000":            "1969-12-31T23:59:59Z",

		`"2026-10-05T14:00:00+02:00"`: "2026-10-05T12:00:00Z",

		"-62167219200000":      "0000-01-01T00:00:00Z",
		"253402300799999":      "9999-12-31T23:59:59.999Z",
		"-62167219200001":      "",
		"253402300800000":      "",
		"1791201600000000":     "", // microseconds
		"1791201600000000000":  "", // nanoseconds
		"9223372036854775807":  "",
		"-9223372036854775808": "",
		"99999999999999999999": "",
		"1e400":                "",
		"-1e100000000":         "",
		"1e-400":               "1970-01-01T00:00:00Z",
	} {
		var got struct {
			At *Millis `json:"at"`
		}
		if err := json.Unmarshal([]byte(`{"at":`+text+`}`), &got); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		switch {
		case got.At.Valid() != (want != ""):
			t.Errorf("%s is valid: %v", text, got.At.Valid())
		case want != "" && got.At.Time().Format(time.RFC3339Nano) != want:
			t.Errorf("%s is %s, want %s", text, got.At.Time().Format(time.RFC3339Nano), want)
		}
	}
	for _, text := range []string{`"2026-10-05"`, `{}`, `[]`, `true`} {
		var got response
		err := json.Unmarshal([]byte(`{"createdAt":`+text+`}`), &got)
		wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
		require.True(t, ok, "%s: %v", text, err)
		assert.Equal(t, "createdAt", wrong.Field, "%s: %v", text, err)
	}
	var empty response
	err := json.Unmarshal([]byte(`{"createdAt":null}`), &empty)
	require.NoError(t, err, "null is %v", empty.CreatedAt)
	assert.Nil(t, empty.CreatedAt, "null")
}

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
}
