package anyjson

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Inner is embedded, and therefore exported.
type Inner struct {
	Text string `json:"text"`
}

type readOuter struct {
	ID      string   `json:"id"`
	Count   *Count   `json:"count"`
	At      *Millis  `json:"at"`
	Number  *float64 `json:"number"`
	Is      *bool    `json:"is"`
	Any     *Scalar  `json:"any"`
	Object  *Inner   `json:"object"`
	Rows    []Inner  `json:"rows"`
	Ignored string   `json:"-"`
	Inner
}

// A value of another type costs its field alone.
func TestRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"id":"a","count":1,"at":2,"number":3.5,"is":true,"any":"x","object":{"text":"t"},"rows":[{"text":"r"}],"text":"own"}`:  `{"id":"a","count":1,"at":2,"number":3.5,"is":true,"any":"x","object":{"text":"t"},"rows":[{"text":"r"}],"text":"own"}`,
		`{"id":7,"count":{},"at":"soon","number":[],"is":"yes","any":{"a":1},"object":"text","rows":"none","text":false}`:        `{"id":"","count":null,"at":null,"number":null,"is":null,"any":null,"object":null,"rows":null,"text":""}`,
		`{"id":"a","count":"12","at":"1790000000000","number":"3.5","is":null,"object":{"text":1},"rows":[7,{"text":"r"},null]}`: `{"id":"a","count":12,"at":1790000000000,"number":3.5,"is":null,"any":null,"object":{"text":""},"rows":[{"text":""},{"text":"r"},{"text":""}],"text":""}`,
		`{"ID":"a","Count":"1","number":"NaN","at":"","any":5}`:                                                                  `{"id":"a","count":1,"at":null,"number":null,"is":null,"any":"5","object":null,"rows":null,"text":""}`,
	} {
		var got readOuter
		require.NoError(t, Read(json.RawMessage(text), &got), text)
		encoded, err := Encode(got)
		require.NoError(t, err)
		assert.JSONEq(t, want, string(encoded), text)
	}
	for _, text := range []string{`7`, `"text"`, `[]`, `true`, `{"id":`, ``} {
		assert.Error(t, Read(json.RawMessage(text), new(readOuter)), text)
	}
	var rows []Inner
	require.Error(t, Read(json.RawMessage(`{}`), &rows))
	require.NoError(t, Read(json.RawMessage(`["x",{"text":"r"}]`), &rows))
	assert.Equal(t, []Inner{{}, {"r"}}, rows)
}

func FuzzRead(f *testing.F) {
	f.Add(`{"id":7,"count":"1","rows":[{"text":[]}],"object":{"text":{}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		var strict, tolerant readOuter
		if json.Unmarshal([]byte(text), &strict) == nil {
			require.NoError(t, Read(json.RawMessage(text), &tolerant))
			assert.Equal(t, strict, tolerant)
			return
		}
		err := Read(json.RawMessage(text), &tolerant)
		assert.Equal(t, ReadObject(json.RawMessage(text)) == nil, err != nil, "%v", err)
	})
}
