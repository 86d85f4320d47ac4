package provider

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/file"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/member"
)

// For any import ID: an accepted one can be composed again, and names a member.
func FuzzSplitMemberID(f *testing.F) {
	for _, seed := range []string{
		"sign.acme.example/bob@acme.example", "0123456789abcdef0123456789abcdef/fedcba9876543210fedcba9876543210",
		"/bob@acme.example", "sign.acme.example/", "a/b/c@d.example", "", "/", "sign.acme.example",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, id string) {
		label, person, ok := member.SplitMemberID(id)
		if !ok {
			return
		}
		assert.NotEmpty(t, label, "%q was parted into %q and %q", id, label, person)
		assert.NotContains(t, label, "/", "%q was parted into and %q", id, person)
		assert.Equal(t, id, label+"/"+person, "was parted into %q and %q", label, person)
		if !fwtype.IDForm.MatchString(person) && !strings.Contains(person, "@") {
			t.Errorf("%q is treated as a person", person)
		}
	})
}

// JSON from the API becomes a value and JSON again, without a loss.
func FuzzSettingsJSON(f *testing.F) {
	for _, seed := range []string{`{"included":{"seats":5}}`, `[1,2.5,"x",null,true]`, `"text"`, `{}`, `[]`, `1e3`, `{"a":[{"b":[]}]}`, `{"":null}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		raw := json.RawMessage(text)
		if !json.Valid(raw) {
			return
		}
		value, err := fwtype.ValueOf(t.Context(), raw)
		if err != nil {
			return
		}
		again, err := fwtype.PlainOf(value)
		require.NoError(t, err, "%s became a value that is no JSON", text)
		plain, err := anyjson.Decode(raw)
		require.NoError(t, err, "%s became %s", text, again)
		assert.True(t, anyjson.Same(plain, again), "%s became %s", text, again)
	})
}

// A file of any content is checked without a panic, and an accepted one has a type.
func FuzzJudgeImage(f *testing.F) {
	for _, seed := range []string{"\x89PNG\r\n\x1a\n", "GIF89a", "\xff\xd8\xff", `<svg width="10" height="10"/>`, `<svg viewBox="0 0 1e9 1"/>`, "text"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		kind, err := file.JudgeImage(content)
		if err == nil && !strings.HasPrefix(kind, "image/") {
			t.Errorf("treated as %q", kind)
		}
	})
}
