package anyjson

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	deep := func(levels int) string {
		return strings.Repeat(`{"a":[`, levels/2) + "1" + strings.Repeat("]}", levels/2)
	}
	for text, want := range map[string]string{
		`{"a":[0,-1,4900,1e400,1E-400,` + strings.Repeat("9", 400) + `]}`: "",
		deep(100):                             "",
		`1e401`:                               "1e401",
		`{"price":1e100000000}`:               "price: 1e100000000",
		`{"price":-1E-100000000}`:             "price: -1E-100000000",
		`{"price":1e99999999999999999999999}`: "price: 1e99999999999999999999999",
		`{"a":{"b":[1,` + strings.Repeat("9", 401) + `]}}`: "a.b[1]: 9999999999",
		deep(102): "nested at most",
	} {
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		var plain any
		require.NoError(t, decoder.Decode(&plain))
		err := Check(plain)
		switch {
		case want == "" && err != nil:
			t.Errorf("%.60s: %v", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 200):
			t.Errorf("%.60s: %v, want %s", text, err, want)
		}
	}
	assert.ErrorIs(t, Check(json.Number("1e500")), ErrNumberRange)
}
