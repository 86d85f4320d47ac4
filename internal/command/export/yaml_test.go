package export

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
	"go.yaml.in/yaml/v3"
)

// Another reader of YAML finds the same text, as key and as value.
func TestWriteYAML(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Acme Sign", "ada@acme.example", "", " ", "yes", "No", "null", "~", "true", "1.5", "1e3", "0x1f", "2026-03-14", "12:30:45", "- a", "a: b", "a #b", "#", "&a", "*a", "!a", "|", ">",
		"%", "@", "`", "{}", "[a]", "\"", "'", `\`, "a\nb", "a\tb", "\r", "\x00", "\x7f", "\u0085", "\u2028", "\ufeff", "Zoë Ünal", "日本", "🙂", "---", "...", "=", "<<", "a ", "Yes Sign",
	} {
		var written strings.Builder
		writeYAML(&written, "", "key", cty.MapVal(map[string]cty.Value{text: cty.StringVal(text)}))
		var read struct {
			Key map[string]string `yaml:"key"`
		}
		require.NoError(t, yaml.Unmarshal([]byte(written.String()), &read), written.String())
		assert.Equal(t, map[string]string{text: text}, read.Key, written.String())
	}
}
